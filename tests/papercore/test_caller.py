"""Which names and addresses stand for this machine, and which for one caller."""

import pytest

from papercore.caller import is_loopback, network_of


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("[::1]", True), ("0.0.0.0", False), ("::", False)],
)
def test_a_loopback_is_known_by_its_name_and_by_its_addresses(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9")
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("") == ""

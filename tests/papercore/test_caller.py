"""Which names and addresses stand for this machine."""

import pytest

from papercore.caller import is_loopback


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("[::1]", True), ("0.0.0.0", False), ("::", False)],
)
def test_a_loopback_is_known_by_its_name_and_by_its_addresses(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback

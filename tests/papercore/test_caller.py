"""Who counts as local, whatever the framework."""

import pytest

from papercore.caller import is_local, is_loopback


@pytest.mark.parametrize(
    ("address", "host", "headers", "local"),
    [
        ("127.0.0.1", "localhost:8000", [], True),
        ("127.0.0.1", "127.0.0.1", ["Accept"], True),
        ("::1", "[::1]:8000", [], True),
        ("::1", "[::1]", [], True),
        ("192.0.2.1", "localhost:8000", [], False),
        ("127.0.0.1", "papers.example.org", [], False),
        ("127.0.0.1", "localhost.example.org", [], False),
        ("127.0.0.1", "localhost", ["X-Forwarded-For"], False),
        ("127.0.0.1", "localhost", ["Via"], False),
        ("", "localhost", [], False),
    ],
)
def test_a_request_is_local_if_it_was_made_at_this_machine_to_this_machine_and_by_no_proxy(
    address: str, host: str, headers: list[str], local: bool
) -> None:
    assert is_local(address, host, headers) is local


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("[::1]", True), ("0.0.0.0", False), ("::", False)],
)
def test_a_loopback_is_known_by_its_name_and_by_its_addresses(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback

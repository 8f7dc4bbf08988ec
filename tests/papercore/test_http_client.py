"""The one door out, against a local server that the test names, or does not."""

import asyncio
from contextlib import closing

import pytest

from papercore.http_client import LONGEST_PAUSE_SECONDS, BlockingClient, Reply, RequestFailed, Retries, Service, fetch
from papercore.http_transport import _is_private
from tests.paper_search.http_server import Answer, serving


def get(address: str, path: str = "/", *, operator_named: bool = True) -> Reply:
    service = Service(address, max_bytes=1000, seconds=5, operator_named=operator_named)
    return asyncio.run(fetch(service, path, retries=Retries(attempts=1)))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_private_address_is_reached_only_if_the_operator_named_it(host: str) -> None:
    with serving(Answer("x")) as service:
        address = service.address.replace("127.0.0.1", host)
        with pytest.raises(RequestFailed, match="private network"):
            get(address, operator_named=False)
        with (
            closing(BlockingClient(Service(address, max_bytes=1000, seconds=5))) as client,
            pytest.raises(RequestFailed, match="private network"),
        ):
            client.open("/")
        assert service.asked == []
        assert get(address).content == b"x"
    assert service.asked[0].headers["host"].startswith(host)


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with (
        serving(Answer("elsewhere")) as other,
        serving(Answer(status=302, headers={"Location": other.address})) as first,
    ):
        assert get(first.address).status_code == 302
    assert other.asked == []


def test_a_client_with_streams_follows_and_unpacks_nothing_either() -> None:
    moved = Answer("x", status=302, headers={"Location": "http://127.0.0.1:1/"})
    with serving(moved, Answer("x", headers={"Content-Encoding": "br"})) as service:
        asked = Service(service.address, max_bytes=1000, seconds=5, operator_named=True)
        with closing(BlockingClient(asked)) as client:
            reply = client.open("/")
            assert reply.status_code == 302
            reply.close()
            with pytest.raises(RequestFailed, match="encoding"):
                client.open("/")
    assert len(service.asked) == 2


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (Answer(status=503), 3),
        (Answer(status=429, headers={"Retry-After": "9" * 400}), 3),
        (Answer(status=429, headers={"Retry-After": "999999"}), 1),
        (Answer(status=503, headers={"X-RateLimit-Remaining": "0"}), 1),
        (Answer(status=404), 1),
    ],
)
def test_retries_are_few_and_no_service_makes_us_wait_for_long(answer: Answer, asked: int) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    with serving(answer) as service:
        found = Service(service.address, max_bytes=1000, seconds=5, operator_named=True)
        assert asyncio.run(fetch(found, "/", retries=Retries(sleep=sleep))).status_code == answer.status
    assert len(service.asked) == asked
    assert sum(pauses) <= LONGEST_PAUSE_SECONDS


def test_an_absolute_address_in_place_of_a_path_leads_nowhere() -> None:
    with (
        serving(Answer("x")) as other,
        serving(Answer("x")) as service,
        pytest.raises(RequestFailed, match="unusable address"),
    ):
        get(service.address, f"{other.address}/")
    assert other.asked == service.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.9.9",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "ff02::1",
    ],
)
def test_addresses_of_private_networks_are_known_in_all_their_forms(address: str) -> None:
    assert _is_private(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822", "::ffff:8.8.8.8"])
def test_public_addresses_are_open(address: str) -> None:
    assert not _is_private(address)


@pytest.mark.parametrize(
    ("host", "named", "failure"),
    [
        ("localhost", {}, "private network"),
        ("localhost", {"operator_named": True}, ""),
        ("unknown.invalid", {}, ""),
        ("unknown.invalid", {"stranger_named": True}, "could not be reached"),
    ],
)
def test_a_proxy_leads_to_no_private_network_and_to_nowhere_that_a_stranger_names(
    host: str, named: dict[str, bool], failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Answer("from the proxy")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.address)
        monkeypatch.setenv("no_proxy", "")
        service = Service(f"http://{host}", max_bytes=1000, seconds=5, **named)  # type: ignore[arg-type]
        if failure:
            with pytest.raises(RequestFailed, match=failure):
                asyncio.run(fetch(service, "/", retries=Retries(attempts=1)))
            assert proxy.asked == []
        else:
            reply = asyncio.run(fetch(service, "/", retries=Retries(attempts=1)))
            assert reply.content == b"from the proxy"

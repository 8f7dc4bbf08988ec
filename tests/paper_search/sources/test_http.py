"""The layer under all network sources, against a local server: time, budget, throttle."""

import asyncio
import logging

import pytest

from paper_search.sources import http
from paper_search.sources.http import SourceClient, Throttle
from paper_search.sources.interface import SourceError
from papercore import http_client
from tests.paper_search.http_server import Answer, Service, serving


async def no_sleep(seconds: float) -> None:
    pass


def client(address: str, **options: object) -> SourceClient:
    return SourceClient(address, Throttle(1000), operator_named=True, sleep=no_sleep, **options)  # type: ignore[arg-type]  # by name


def test_a_silent_service_times_out() -> None:
    with serving(Answer(hang=True)) as service, pytest.raises(SourceError, match="timed out"):
        asyncio.run(client(service.address, timeout=0.05).get_text("/", {}))


def test_a_closed_port_cannot_be_reached() -> None:
    with serving(Answer()) as service:
        address = service.address
    with pytest.raises(SourceError, match="could not be reached"):
        asyncio.run(client(address, timeout=2.0).get_text("/", {}))


def test_the_budget_ends_the_calls() -> None:
    async def scene(service: Service) -> None:
        limited = client(service.address, max_calls=2)
        await limited.get_text("/", {})
        await limited.get_text("/", {})
        with pytest.raises(SourceError, match="budget of 2 calls used up"):
            await limited.get_text("/", {})

    with serving(Answer("x")) as service:
        asyncio.run(scene(service))
    assert len(service.asked) == 2


@pytest.mark.parametrize("encoding", ["br", "gzip", "zstd", "gzip, br"])
def test_a_compressed_answer_is_neither_asked_for_nor_unpacked(encoding: str) -> None:
    compressed = Answer("x", headers={"Content-Encoding": encoding})
    with serving(compressed) as service, pytest.raises(SourceError, match="an encoding that was not asked for"):
        asyncio.run(client(service.address).get_text("/", {}))
    assert [asked.headers["accept-encoding"] for asked in service.asked] == ["identity"]


def test_an_answer_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE_BYTES", 10)
    with serving(Answer("x" * 10), Answer("x" * 11)) as service:
        assert asyncio.run(client(service.address).get_text("/", {})) == "x" * 10
        with pytest.raises(SourceError, match="too much"):
            asyncio.run(client(service.address).get_text("/", {}))


def test_log_lines_with_named_arguments_pass(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="httpx"):
        logging.getLogger("httpx").info("asked %(host)s", {"host": "nobody"})
    assert "asked nobody" in caplog.text


def test_an_answer_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "WHOLE_ANSWER_SHARE", 0.01)
    with serving(Answer(hang=True)) as service, pytest.raises(SourceError, match="timed out"):
        asyncio.run(client(service.address, timeout=5.0).get_text("/", {}))

"""The one door out: every request to another machine is made here, within limits on time, size and address.

A client speaks to the one host of its base address. It follows no redirect, unpacks nothing, and connects to the very
address that was checked, so a name cannot lead to a private network unless the operator gave that name.
"""

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime

import httpx  # noqa: TID251 (this is the door)
from msgspec import Struct

from papercore.http_transport import BlockingCheckedTransport, CheckedTransport, RequestFailed, Service
from papercore.version import VERSION

USER_AGENT = f"paper-search/{VERSION}"
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
FIRST_RETRY_SECONDS = 1.0
# A service that asks for a longer pause than this is reported instead of waited for.
LONGEST_PAUSE_SECONDS = 10.0
# The whole answer may take this many times the timeout, which counts each piece: one that drips is given up.
WHOLE_ANSWER_SHARE = 2.0

Params = Mapping[str, str | int]

__all__ = ["BlockingClient", "Reply", "RequestFailed", "Retries", "Service", "StreamedReply", "fetch"]


class _RedactKeys(logging.Filter):
    """httpx logs whole addresses, and some services want their key in them."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                part if isinstance(part, int) else re.sub(r"(api_key=)[^&\s]+", r"\1...", str(part))
                for part in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_RedactKeys())


class Reply(Struct, frozen=True):
    """An answer that was read to its end."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes

    def retry_after(self) -> float:
        """Seconds the service asks to wait, given as a number or a date; 0 when it says nothing usable."""
        text = self.headers.get("retry-after", "")
        try:
            seconds = float(text)
        except ValueError:
            try:
                seconds = parsedate_to_datetime(text).timestamp() - time.time()
            except (TypeError, ValueError):
                return 0.0
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0


class Retries(Struct, frozen=True):
    """How often is tried, what is awaited before each attempt (a pace, a budget), and how pauses are made."""

    attempts: int = 3
    before_attempt: Callable[[], Awaitable[None]] | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def fetch(
    service: Service, path: str, *, params: Params | None = None, json: object = None, retries: Retries | None = None
) -> Reply:
    """GET, or POST where there is JSON to send. RequestFailed says why there is no answer; any status is one."""
    retries = retries or Retries()
    for attempt in range(1, retries.attempts + 1):
        last = attempt == retries.attempts
        if retries.before_attempt:
            await retries.before_attempt()
        pause = 0.0
        try:
            reply = await _fetch_once(service, path, params, json)
        except RequestFailed as failure:
            if last or not failure.may_pass:
                raise
        else:
            pause = reply.retry_after()
            used_up = pause > LONGEST_PAUSE_SECONDS or reply.headers.get("x-ratelimit-remaining") == "0"
            # Where waiting is of no use, the service is given up.
            if last or used_up or reply.status_code not in RETRIED_STATUSES:
                return reply
        await retries.sleep(pause or FIRST_RETRY_SECONDS * 2 ** (attempt - 1))
    raise RequestFailed("unreachable")


async def _fetch_once(service: Service, path: str, params: Params | None, json: object) -> Reply:
    content = bytearray()
    with _failures():
        async with (
            asyncio.timeout(service.seconds * WHOLE_ANSWER_SHARE),
            httpx.AsyncClient(
                transport=CheckedTransport(service),
                base_url=service.base_url,
                timeout=service.seconds,
                headers=_headers(service),
            ) as client,
            client.stream(
                "GET" if json is None else "POST", path, params=dict(params) if params else None, json=json
            ) as response,
        ):
            _refuse_encoded(response)
            async for part in response.aiter_raw():
                content += part
                if len(content) > service.max_bytes:
                    raise RequestFailed("size")
            return Reply(response.status_code, response.headers, bytes(content))


class StreamedReply(Struct, frozen=True):
    """An answer whose body has not been read yet. Whoever asked closes it."""

    response: httpx.Response

    @property
    def status_code(self) -> int:
        return self.response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return self.response.headers

    def pieces(self, size: int | None = None) -> Iterator[bytes]:
        """Each piece as it arrives; of this size, if one is given."""
        with _failures():
            yield from self.response.iter_raw(size)

    def close(self) -> None:
        self.response.close()


class BlockingClient:
    """For callers without an event loop, with streams: it keeps its connections, and threads may share it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._client = httpx.Client(
            transport=BlockingCheckedTransport(service), timeout=service.seconds, headers=_headers(service)
        )

    def open(self, path: str, headers: Mapping[str, str] | None = None) -> StreamedReply:
        """An answer of any status. What is read of it is for the caller to count: it has no limit on size."""
        with _failures():
            request = self._client.build_request("GET", f"{self.service.base_url}{path}", headers=headers)
            response = self._client.send(request, stream=True)
            try:
                _refuse_encoded(response)
            except RequestFailed:
                response.close()
                raise
            return StreamedReply(response)

    def close(self) -> None:
        self._client.close()


def _headers(service: Service) -> dict[str, str]:
    # Not compressed: 2 KB of brotli can be 3 GB, and only what has come can be counted.
    return {"User-Agent": USER_AGENT, **service.headers, "Accept-Encoding": "identity"}


def _refuse_encoded(response: httpx.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise RequestFailed("encoding")


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        raise RequestFailed("timeout") from error
    except httpx.HTTPError as error:
        raise RequestFailed("unreachable") from error
    except (ValueError, httpx.InvalidURL) as error:
        raise RequestFailed("address") from error

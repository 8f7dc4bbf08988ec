"""The layer under all network sources: the pace a host asks for, retries, budget, and every failure in a few words."""

import asyncio
import hashlib
import json
import logging
import math
import os
import re
import struct
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, AppConfig, SearchSourceConfig
from paper_search.sources.interface import SourceError, UnknownToSource
from papercore.processes.files import open_regular, try_lock
from papercore.version import VERSION

MAX_ATTEMPTS = 3
FIRST_RETRY_SECONDS = 1.0
# A service that asks for a longer pause than this is reported instead of waited for.
LONGEST_PAUSE_SECONDS = 10.0
# Larger responses are a mistake; a page of a hundred papers with abstracts is well below 2 MB.
MAX_RESPONSE_BYTES = 20_000_000
# The whole answer may take this many times the timeout, which counts each piece: one that drips is given up.
WHOLE_ANSWER_SHARE = 2.0
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
USER_AGENT = f"paper-search/{VERSION}"
# A request that would have to wait longer is refused: a source asked by that many searches is as good as down.
LONGEST_QUEUE_SECONDS = 120.0
# The shared file has a place for each host by its hash, so that it never grows. Two hosts at one place share a pace.
PLACES = 4096
_time = struct.Struct("d")
# A process that was stopped while it held the lock must not stop the others.
LOCK_ATTEMPTS = 100
LOCK_SECONDS = 0.01

Params = Mapping[str, str | int]
Sleep = Callable[[float], Awaitable[None]]


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
    """A response that was read to its end."""

    status_code: int
    headers: httpx.Headers
    content: bytes

    def text(self) -> str:
        """The body of a success; a SourceError says what the service answered instead."""
        if self.status_code in (404, 410):
            raise UnknownToSource(self.failure())
        if self.status_code >= 300:
            raise SourceError(self.failure())
        return self.content.decode("utf-8", "replace")

    def failure(self) -> str:
        status = self.status_code
        if status == 429:
            return "rate limit (429)"
        if status in (401, 403):
            return f"access refused ({status})"
        return f"server error ({status})" if status >= 500 else f"refused the query ({status})"

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


@dataclass
class SourceClient:
    """Requests of one source within one search."""

    base_url: str
    throttle: "Throttle"
    timeout: float = 15.0
    max_calls: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    sleep: Sleep = asyncio.sleep
    calls: int = field(default=0, init=False)

    @classmethod
    def from_config(cls, source: SearchSourceConfig, config: AppConfig) -> "SourceClient":
        """How a source is asked: where, how often, with which key."""
        base_url = source.base_url or KNOWN_SOURCES[source.name].base_url
        headers = {"x-api-key": source.api_key} if source.name == "semantic_scholar" and source.api_key else {}
        return cls(base_url, shared_throttle(base_url, source.rate_limit), config.timeout, source.max_calls, headers)

    async def get_json(self, path: str, params: Params) -> dict[str, object]:
        text = await self.get_text(path, params)
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SourceError("answered with something that is not JSON") from error
        if not isinstance(data, dict):
            raise SourceError("answered in an unexpected shape")
        return data

    async def get_text(self, path: str, params: Params) -> str:
        """The body of a successful response; anything else is a SourceError."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            last = attempt == MAX_ATTEMPTS
            reply = await self._request(path, params, last)
            if reply and reply.status_code not in RETRIED_STATUSES:
                return reply.text()
            asked = reply.retry_after() if reply else 0.0
            # Where waiting is of no use, the source is given up.
            if reply and (last or asked > LONGEST_PAUSE_SECONDS or reply.headers.get("x-ratelimit-remaining") == "0"):
                raise SourceError(reply.failure())
            await self.sleep(asked or FIRST_RETRY_SECONDS * 2 ** (attempt - 1))
        raise SourceError("gave no answer")

    async def _request(self, path: str, params: Params, last: bool) -> Reply | None:
        """One request; None for a network failure that may be tried again."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise SourceError(f"budget of {self.max_calls} calls used up")
        self.calls += 1
        await self.throttle.wait()
        # Not compressed: 2 KB of brotli can be 3 GB, and only what has come can be counted.
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", **self.headers}
        content = bytearray()
        try:
            async with (
                asyncio.timeout(self.timeout * WHOLE_ANSWER_SHARE),
                httpx.AsyncClient(base_url=self.base_url, timeout=self.timeout, headers=headers) as client,
                client.stream("GET", path, params=dict(params)) as response,
            ):
                if response.headers.get("content-encoding", "identity").lower() != "identity":
                    raise SourceError("answered in an encoding that was not asked for")
                async for part in response.aiter_raw():
                    content += part
                    if len(content) > MAX_RESPONSE_BYTES:
                        raise SourceError("answered with too much")
                return Reply(response.status_code, response.headers, bytes(content))
        except (httpx.TimeoutException, TimeoutError) as error:
            if last:
                raise SourceError("timed out") from error
        except httpx.HTTPError as error:
            if last:
                raise SourceError("could not be reached") from error
        except ValueError as error:
            raise SourceError("has an unusable address") from error
        return None


@dataclass
class Throttle:
    """At most `rate` requests a second to a host; with a `file`, over all processes that use the same one."""

    rate: float
    host: str = ""
    file: Path | None = None
    sleep: Sleep = asyncio.sleep
    # The same for all processes since the machine was started.
    clock: Callable[[], float] = time.monotonic
    _free_at: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    async def wait(self) -> None:
        """Return when a request may be sent; SourceError if too many are in front of it."""
        try:
            pause = await self._take_turn_in_file(self.file) if self.file else self._take_own_turn()
        except OSError:
            # Without the file (no space, no rights, a lock that is never released) this process keeps its own pace.
            pause = self._take_own_turn()
        if pause:
            await self.sleep(pause)

    def _take_own_turn(self) -> float:
        with self._lock:
            pause, self._free_at = self._turn(self._free_at)
        return pause

    async def _take_turn_in_file(self, file: Path) -> float:
        place = int.from_bytes(hashlib.sha256(self.host.encode()).digest()[:4]) % PLACES * _time.size
        descriptor = open_regular(file, os.O_RDWR | os.O_CREAT)
        try:
            if os.fstat(descriptor).st_uid != _user():
                raise PermissionError(f"{file} belongs to somebody else: the folder is open to all")
            await _lock(descriptor)
            os.lseek(descriptor, place, os.SEEK_SET)
            stored = os.read(descriptor, _time.size)
            pause, free_at = self._turn(_time.unpack(stored)[0] if len(stored) == _time.size else 0.0)
            os.lseek(descriptor, place, os.SEEK_SET)
            os.write(descriptor, _time.pack(free_at))
        finally:
            os.close(descriptor)
        return pause

    def _turn(self, free_at: float) -> tuple[float, float]:
        """How long to wait when the host is free at this time, and when it is free after that."""
        now = self.clock()
        if not now <= free_at <= now + LONGEST_QUEUE_SECONDS + 1 / self.rate:
            free_at = now  # long ago; or from before the machine was started again, or nothing that was written here
        if free_at - now > LONGEST_QUEUE_SECONDS:
            raise SourceError("is asked by too many searches at once; try again later")
        return free_at - now, free_at + 1 / self.rate


def shared_throttle(base_url: str, rate: float) -> Throttle:
    """The one throttle of this process for a host; it keeps the pace with all processes of a user on one machine."""
    return _host_throttle(urlsplit(base_url).netloc, rate)


@cache
def _host_throttle(host: str, rate: float) -> Throttle:
    return Throttle(rate, host, Path(tempfile.gettempdir()) / f"paper-search-pace-{_user()}")


def _user() -> int:
    """0 on Windows, where users have no numbers, and each has a folder for temporary files."""
    return os.getuid() if hasattr(os, "getuid") else 0


async def _lock(descriptor: int) -> None:
    """Lock out other threads and processes, until the descriptor is closed; BlockingIOError if that takes too long."""
    for attempt in range(LOCK_ATTEMPTS):
        if try_lock(descriptor):
            return
        if attempt < LOCK_ATTEMPTS - 1:
            await asyncio.sleep(LOCK_SECONDS)
    raise BlockingIOError("another process holds the lock")

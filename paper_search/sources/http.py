"""The layer under all network sources: the pace a host asks for, retries, budget, and every failure in a few words."""

import asyncio
import hashlib
import json
import os
import struct
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from paper_search.config import KNOWN_SOURCES, AppConfig, SearchSourceConfig
from paper_search.sources.interface import SourceError, UnknownToSource
from papercore.http_client import Params, Reply, RequestFailed, Retries, Service, fetch
from papercore.processes.files import open_regular, try_lock

MAX_ATTEMPTS = 3
# Larger responses are a mistake; a page of a hundred papers with abstracts is well below 2 MB.
MAX_RESPONSE_BYTES = 20_000_000
# A request that would have to wait longer is refused: a source asked by that many searches is as good as down.
LONGEST_QUEUE_SECONDS = 120.0
# The shared file has a place for each host by its hash, so that it never grows. Two hosts at one place share a pace.
PLACES = 4096
_time = struct.Struct("d")
# A process that was stopped while it held the lock must not stop the others.
LOCK_ATTEMPTS = 100
LOCK_SECONDS = 0.01

Sleep = Callable[[float], Awaitable[None]]


def text_of(reply: Reply) -> str:
    """The body of a success; a SourceError says what the service answered instead."""
    status = reply.status_code
    if status < 300:
        return reply.content.decode("utf-8", "replace")
    if status == 429:
        raise SourceError("rate limit (429)")
    if status in (401, 403):
        raise SourceError(f"access refused ({status})")
    if status >= 500:
        raise SourceError(f"server error ({status})")
    problem = UnknownToSource if status in (404, 410) else SourceError
    raise problem(f"refused the query ({status})")


@dataclass
class SourceClient:
    """Requests of one source within one search."""

    base_url: str
    throttle: "Throttle"
    timeout: float = 15.0
    max_calls: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    # Whether the operator gave the address, which then may be one of a private network.
    operator_named: bool = False
    sleep: Sleep = asyncio.sleep
    calls: int = field(default=0, init=False)

    @classmethod
    def from_config(cls, source: SearchSourceConfig, config: AppConfig) -> "SourceClient":
        """How a source is asked: where, how often, with which key."""
        base_url = source.base_url or KNOWN_SOURCES[source.name].base_url
        headers = {"x-api-key": source.api_key} if source.name == "semantic_scholar" and source.api_key else {}
        throttle = shared_throttle(base_url, source.rate_limit)
        return cls(base_url, throttle, config.timeout, source.max_calls, headers, bool(source.base_url))

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
        service = Service(self.base_url, MAX_RESPONSE_BYTES, self.timeout, self.operator_named, self.headers)
        retries = Retries(MAX_ATTEMPTS, self._take_turn, self.sleep)
        try:
            return text_of(await fetch(service, path, params=params, retries=retries))
        except RequestFailed as error:
            raise SourceError(str(error)) from error

    async def _take_turn(self) -> None:
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise SourceError(f"budget of {self.max_calls} calls used up")
        self.calls += 1
        await self.throttle.wait()


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

"""Load on a running server: clients that send requests without a pause, and what came of them."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any  # JSON as it comes: the tests look into it freely

from tests.server import rpc

TIMEOUT = 60
# The server closes a connection after 5 idle seconds; the client closes it sooner.
IDLE_SECONDS = 4.0


class KeepAliveClient:
    """One client with one keep-alive connection. Raises AssertionError when an answer is wrong.

    It never retries: a request on a connection that the server has closed fails, unless the server had announced it
    with `Connection: close`.
    """

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port, self.source = port, source
        self.opened = self._used = 0.0
        self._connection: http.client.HTTPConnection | None = None

    def send(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        connection = self._open()
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        self._used = time.monotonic()
        if answer.will_close:
            self.close()
        return answer.status, content

    def _open(self) -> http.client.HTTPConnection:
        if self._connection and time.monotonic() - self._used > IDLE_SECONDS:
            self.close()
        if not self._connection:
            self.opened = time.monotonic()
            self._connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=TIMEOUT, source_address=(self.source, 0)
            )
        return self._connection

    def page(self, path: str) -> str:
        status, body = self.send("GET", path)
        assert status == 200, f"{path}: {status}"
        return body.decode()

    def call(self, tool: str, **arguments: object) -> Any:
        message = json.dumps(rpc("tools/call", {"name": tool, "arguments": arguments})).encode()
        status, body = self.send("POST", "/mcp", message)
        assert status == 200, f"{tool}: {status}"
        result = json.loads(body)["result"]
        assert not result["isError"], f"{tool}: {result['structuredContent']['error']}"
        return result["structuredContent"]

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


# Sends one request; the number counts requests over all clients.
Ask = Callable[[KeepAliveClient, int], None]


@dataclass(frozen=True)
class Failure:
    """What went wrong with a request, when it was sent, and when its connection was opened, by time.monotonic."""

    why: str
    asked: float
    opened: float


@dataclass
class LoadResult:
    """How long each request took, and what failed."""

    seconds: list[float] = field(default_factory=list)
    errors: list[Failure] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0

    @property
    def count(self) -> int:
        return len(self.seconds) + len(self.errors)

    def percentile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    def __str__(self) -> str:
        rate = self.count / (self.ended - self.began)
        times = ", ".join(
            f"p{round(share * 100)} {self.percentile(share) * 1000:.0f} ms" for share in (0.5, 0.95, 0.99)
        )
        return f"{self.count} requests, {rate:.0f}/s, {times}, {len(self.errors)} errors {sorted(set(self.kinds))[:3]}"

    @property
    def kinds(self) -> list[str]:
        return [failure.why for failure in self.errors]


class Load:
    """So many clients at once, until they have sent `count` requests or are stopped. `sources` are their addresses."""

    def __init__(
        self, port: int, clients: int, ask: Ask, count: int | None = None, sources: Sequence[str] = ("127.0.0.1",)
    ) -> None:
        self.outcome = LoadResult()
        self._ask, self._left, self._asked = ask, count, 0
        self._stop = threading.Event()
        self._lock = threading.Lock()
        callers = [KeepAliveClient(port, sources[number % len(sources)]) for number in range(clients)]
        self._threads = [threading.Thread(target=self._run, args=[client], daemon=True) for client in callers]

    def start(self) -> "Load":
        self.outcome.began = time.monotonic()
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> LoadResult:
        self._stop.set()
        return self.join()

    def join(self) -> LoadResult:
        for thread in self._threads:
            thread.join(600)
        self.outcome.ended = time.monotonic()
        return self.outcome

    def _next(self) -> int | None:
        with self._lock:
            if self._stop.is_set() or self._asked == self._left:
                return None
            self._asked += 1
            return self._asked

    def _run(self, client: KeepAliveClient) -> None:
        while (number := self._next()) is not None:
            began = time.monotonic()
            try:
                self._ask(client, number)
            except (OSError, http.client.HTTPException, AssertionError) as error:
                client.close()
                self.outcome.errors.append(Failure(str(error) or type(error).__name__, began, client.opened))
                if isinstance(error, ConnectionRefusedError):  # the server has ended
                    return
            else:
                self.outcome.seconds.append(time.monotonic() - began)
        client.close()


@contextmanager
def load(port: int, clients: int, ask: Ask, sources: Sequence[str] = ("127.0.0.1",)) -> Iterator[LoadResult]:
    """Load while the block runs."""
    running = Load(port, clients, ask, sources=sources).start()
    try:
        yield running.outcome
    finally:
        running.stop()

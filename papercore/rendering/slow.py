"""Stops what takes too long, and remembers it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock
from types import FrameType

# Texts and pieces of code remembered as too slow, by their hash.
REMEMBERED_SLOW = 1_000


class TooSlow(Exception):
    """A step of rendering took more processor time than it may."""


class SlowTexts:
    """The texts that were too slow, by their hash; the oldest are forgotten first."""

    def __init__(self, size: int = REMEMBERED_SLOW) -> None:
        self._size = size
        self._lock = Lock()
        self._hashes: dict[bytes, None] = {}

    def __contains__(self, text: str) -> bool:
        return _hash(text) in self._hashes

    def add(self, text: str) -> None:
        with self._lock:
            self._hashes[_hash(text)] = None
            while len(self._hashes) > self._size:
                del self._hashes[next(iter(self._hashes))]


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", errors="surrogatepass")).digest()


@contextmanager
def stop_after(seconds: float) -> Iterator[None]:
    """Raise TooSlow after so much processor time, even inside a regular expression. For the main thread only.

    Without such timers, as on Windows, the time limit of the whole process is all there is.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow

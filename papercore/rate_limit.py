"""How much one client may ask for in a while: counted in memory that processes forked from this one share."""

import fcntl
import mmap
import os
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

# A client's slot is one of a few, chosen by its hash. When all of them are taken, whoever has least to wait for is
# forgotten, and starts anew; among 16,384 slots that is rare.
BUCKETS = 2048
SLOTS_IN_BUCKET = 8
_slot = struct.Struct("qd")
_threads = threading.Lock()


@cache
def _lock_file() -> int:
    descriptor, path = tempfile.mkstemp(prefix="papersite-lock-")
    os.unlink(path)  # noqa: PTH108 (the descriptor is all that is needed)
    return descriptor


@contextmanager
def _alone() -> Iterator[None]:
    """No other thread, and no other process: the system takes this lock from a process that dies."""
    with _threads:
        fcntl.lockf(_lock_file(), fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(_lock_file(), fcntl.LOCK_UN)


@dataclass(frozen=True)
class _Count:
    """Where a client is counted, and when its allowance will be whole again."""

    place: int
    key: int
    whole_at: float


class RateLimit:
    """Up to `per_minute` calls at once, and as many more as a minute brings. 0 sets no limit.

    Made before processes are forked, it counts over all of them; made later, in its own process.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._memory = mmap.mmap(-1, BUCKETS * SLOTS_IN_BUCKET * _slot.size)
        _lock_file()

    def wait(self, client: str) -> float:
        """Seconds until the client may ask again; 0 if it may now."""
        if not self.per_minute:
            return 0.0
        with _alone():
            return self._missing(self._find(client))

    def take(self, client: str) -> float:
        """Count one call, if the client may ask; otherwise the seconds until it may."""
        if not self.per_minute:
            return 0.0
        with _alone():
            count = self._find(client)
            seconds = self._missing(count)
            if not seconds:
                start = max(count.whole_at, self._clock())
                _slot.pack_into(self._memory, count.place, count.key, start + 60 / self.per_minute)
        return seconds

    def _missing(self, count: _Count) -> float:
        return max(0.0, count.whole_at - self._clock() - 60 + 60 / self.per_minute)

    def _find(self, client: str) -> _Count:
        """The client's slot, or the one to use for it."""
        key = hash(client)  # by a secret of the process that forked, so that nobody can choose whom to collide with
        first = key % BUCKETS * SLOTS_IN_BUCKET * _slot.size
        places = range(first, first + SLOTS_IN_BUCKET * _slot.size, _slot.size)
        counts = [_Count(place, *_slot.unpack_from(self._memory, place)) for place in places]
        own = next((count for count in counts if count.key == key), None)
        return own or _Count(min(counts, key=lambda count: count.whole_at).place, key, 0.0)

"""Limits the calls of each client: so many a minute, counted over forked processes, and so many at once."""

import mmap
import os
import struct
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from weakref import finalize

from msgspec import Struct

# A client's slot is one of the few in the bucket of its hash. When all of them are taken, the client closest to its
# full rate is dropped and starts afresh; among 16,384 slots that is rare.
BUCKETS = 2048
SLOTS_IN_BUCKET = 8
_slot_format = struct.Struct("qd")


@cache
def rate_limit(name: str, per_minute: int) -> "RateLimit":
    """The limit of this name, made at first: ask for it before processes are forked that are to count together."""
    return RateLimit(per_minute)


class _Slot(Struct, frozen=True):
    """Where a client is counted, and when it will again have all its calls."""

    offset: int
    client_hash: int
    full_at: float


class RateLimit:
    """A token bucket for each client: `per_minute` calls at once, refilled over a minute. 0 sets no limit.

    Created before processes are forked, it counts over all of them; created later, in its own process only.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._memory = mmap.mmap(-1, BUCKETS * SLOTS_IN_BUCKET * _slot_format.size)
        self._threads = threading.Lock()
        if hasattr(os, "fork"):  # what processes lock that share the memory; the descriptor is all that is needed
            self._lock_file, path = tempfile.mkstemp(prefix="papersite-lock-")
            os.unlink(path)  # noqa: PTH108 (mkstemp gives a text)
            finalize(self, os.close, self._lock_file)

    def take(self, client: str) -> float:
        """Count a call and return 0, or return the seconds until the client may call."""
        if not self.per_minute:
            return 0.0
        with self._exclusive():
            slot = self._find(client)
            now, seconds_per_call = self._clock(), 60 / self.per_minute
            seconds = max(0.0, slot.full_at - now - 60 + seconds_per_call)
            if not seconds:
                full_at = max(slot.full_at, now) + seconds_per_call
                _slot_format.pack_into(self._memory, slot.offset, slot.client_hash, full_at)
        return seconds

    def give_back(self, client: str) -> None:
        """Take back one counted call."""
        if not self.per_minute:
            return
        with self._exclusive():
            slot = self._find(client)
            if slot.full_at:
                full_at = slot.full_at - 60 / self.per_minute
                _slot_format.pack_into(self._memory, slot.offset, slot.client_hash, full_at)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Lock out other threads and processes. The system releases the lock of a process that dies."""
        with self._threads:
            if not hasattr(os, "fork"):  # then no other process has this memory
                yield
                return
            import fcntl

            fcntl.lockf(self._lock_file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._lock_file, fcntl.LOCK_UN)

    def _find(self, client: str) -> _Slot:
        """The client's slot, or the one to use for it."""
        client_hash = hash(client)  # salted by the process that forked, so nobody can choose whom to collide with
        first = client_hash % BUCKETS * SLOTS_IN_BUCKET * _slot_format.size
        offsets = range(first, first + SLOTS_IN_BUCKET * _slot_format.size, _slot_format.size)
        slots = [_Slot(offset, *_slot_format.unpack_from(self._memory, offset)) for offset in offsets]
        own = next((slot for slot in slots if slot.client_hash == client_hash), None)
        return own or _Slot(min(slots, key=lambda slot: slot.full_at).offset, client_hash, 0.0)


class ConcurrencyLimit:
    """How many calls that hold a thread for long run at once in a process: in all, and of each client."""

    def __init__(self, in_all: int, per_client: int) -> None:
        self._in_all, self._per_client = in_all, per_client
        self._running: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, client: str) -> bool:
        """Count a call that begins; False, and not counted, if there are too many."""
        with self._lock:
            if self._running.total() >= self._in_all or self._running[client] >= self._per_client:
                return False
            self._running[client] += 1
        return True

    def leave(self, client: str) -> None:
        with self._lock:
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]

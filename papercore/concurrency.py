"""Limits how many calls that hold a thread for long run at once in a process: in all, and of each client."""

import threading
from collections import Counter


class ConcurrencyLimit:
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

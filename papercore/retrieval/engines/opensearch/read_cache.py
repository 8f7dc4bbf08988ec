"""What was read from a build, which never changes, kept by key up to a number of entries."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadCache(Generic[K, V]):
    """Entries that are read many at once; those not used for longest are dropped."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, entries: Mapping[K, V]) -> None:
        with self._lock:
            for key, value in entries.items():
                self._entries[key] = value
                self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def get(self, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, V]]) -> dict[K, V]:
        """The entries of these keys; `read` is called once for all that are missing, and may not have some."""
        wanted = dict.fromkeys(keys)
        with self._lock:
            found = {key: self._entries[key] for key in wanted if key in self._entries}
        missing = [key for key in wanted if key not in found]
        if missing:
            fresh = read(missing)
            self.add(fresh)
            found |= fresh
        return found

"""The health of a part of the product: the one shape that probes, metrics and `papersite doctor` share."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

# degraded: it works in part, or with older data; missing: calls that need it fail.
State = Literal["ok", "degraded", "missing"]


class Part(Struct, frozen=True):
    """A part's state, and what to do about it. The hint names no path and no address."""

    name: str
    state: State
    hint: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


class CachedProbe:
    """Runs an expensive probe at most once in `seconds`, and repeats its last result in between."""

    def __init__(self, probe: Callable[[], Part], seconds: float) -> None:
        self._probe, self._seconds = probe, seconds
        self._lock = threading.Lock()
        self._last: Part | None = None
        self._probed_at = 0.0

    def part(self) -> Part:
        with self._lock:
            if self._last is None or time.monotonic() - self._probed_at >= self._seconds:
                self._last = self._probe()
                self._probed_at = time.monotonic()
            return self._last

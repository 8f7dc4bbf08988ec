"""How a part of the product is: the one shape that probes, metrics and `manage.py doctor` share."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

# degraded: it works in part, or with what was there before; missing: what needs it cannot be answered.
State = Literal["ok", "degraded", "missing"]


@dataclass(frozen=True)
class Part:
    """A part's state, and what to do about it. The hint names no path and no address."""

    name: str
    state: State
    hint: str = ""


class LastLook:
    """Looks at most once in so many seconds, for looks that cost something; in between the last one counts."""

    def __init__(self, look: Callable[[], Part], rest_seconds: float) -> None:
        self._look, self._rest_seconds = look, rest_seconds
        self._lock = threading.Lock()
        self._last: Part | None = None
        self._looked_at = 0.0

    def part(self) -> Part:
        with self._lock:
            if self._last is None or time.monotonic() - self._looked_at >= self._rest_seconds:
                self._last = self._look()
                self._looked_at = time.monotonic()
            return self._last

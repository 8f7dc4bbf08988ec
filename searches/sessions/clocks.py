"""When idle sessions can be told and looked for: a wall clock that notices being set, and an interval."""

import logging
import threading
import time
from collections.abc import Callable

from papercore.limits import SESSION_IDLE_SECONDS

logger = logging.getLogger(__name__)
# The clock is corrected by less than this all the time.
SET_SECONDS = 60.0


class WallClock:
    """Notices when the system's clock was set: what seems to be old is then perhaps new."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._lock = threading.Lock()
        self._offset = wall() - monotonic()
        self._trusted_from = monotonic()

    def tells_ages(self) -> bool:
        """False from when the clock was set until sessions that were in use then have been touched, or are idle."""
        with self._lock:
            now = self._monotonic()
            offset = self._wall() - now
            if abs(offset - self._offset) > SET_SECONDS:
                ahead = round(offset - self._offset)
                logger.warning("The clock was set by %d s: no search session expires for a while.", ahead)
                self._offset, self._trusted_from = offset, now + SESSION_IDLE_SECONDS
            return now >= self._trusted_from


class Interval:
    """Is due at most once in `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._next = 0.0

    def is_due(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                return False
            self._next = now + self._seconds
            return True

"""Ends idle sessions from time to time, on calls and probes: nobody needs to run a command for it."""

import logging
import threading
import time

from django.db import DatabaseError

from searches.models import SearchSession
from searches.sessions import store

# How often each process looks for idle search sessions, in seconds.
EXPIRY_SECONDS = 60
logger = logging.getLogger(__name__)


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


_interval = Interval(EXPIRY_SECONDS)


def expire_idle_sessions() -> None:
    """If it is time for it. A database that takes no writes is reported elsewhere."""
    if not _interval.is_due():
        return
    try:
        if expired := store.expire(SearchSession.objects.all()):
            logger.info("%d idle search sessions expired", expired)
    except DatabaseError:
        logger.warning("Idle search sessions could not be ended.", exc_info=True)

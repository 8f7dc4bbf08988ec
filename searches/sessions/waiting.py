"""Calls that wait for a session: each holds a thread, so only so many may wait at once."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from papercore import caller, limits
from papercore.processes.rate_limits import ConcurrencyLimit

_calls = ConcurrencyLimit(limits.WAITING_CALLS, limits.WAITING_CALLS_OF_CLIENT)


@contextmanager
def allowed_wait(seconds: float) -> Iterator[float]:
    """How long the current call may wait: 0 if too many wait already, or the batch it is in has waited."""
    client = caller.current().client
    if client and not _calls.enter(client):
        yield 0.0
        return
    try:
        yield max(0.0, min(seconds, caller.current().waits_until - time.monotonic()))
    finally:
        if client:
            _calls.leave(client)

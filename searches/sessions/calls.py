"""Calls on search sessions: who makes them, how many a client may make, and how many may wait."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import ceil
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest

from papercore import limits
from papercore.caller import Caller, current
from papercore.processes.rate_limits import ConcurrencyLimit, RateLimit, rate_limit
from papercore.tool import tool
from searches.errors import StorageUnavailable, TooManyCalls
from searches.sessions.store import expire_idle_sessions

P = ParamSpec("P")
R = TypeVar("R")
# A call that waits for a session holds a thread.
_waiting = ConcurrencyLimit(limits.WAITING_CALLS, limits.WAITING_CALLS_OF_CLIENT)


def caller_of(request: HttpRequest) -> Caller:
    """Whom the request of a page speaks for, as the site's middleware finds it when it is asked first.

    DatabaseError if that cannot be found out.
    """
    found: Caller = request.find_caller()  # type: ignore[attr-defined]  # set by papersite.access
    return found


def session_tool(function: Callable[P, R]) -> Callable[P, R]:
    """A tool that works on search sessions: counted for each client, with errors of the database translated."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        count_call()
        expire_idle_sessions()
        try:
            return function(*args, **kwargs)
        except DatabaseError as error:
            raise StorageUnavailable(
                "Search sessions cannot be stored or read at present. Try again later, with the same checkpoint_id: "
                "a decision is stored whole or not at all."
            ) from error

    return tool(call)


def count_call() -> None:
    """Count a call of the current caller; TooManyCalls if its limit is used up."""
    client = current().client
    seconds = ceil(session_calls().take(client)) if client else 0
    if seconds:
        raise TooManyCalls(
            f"Too many calls on search sessions: wait {seconds} s. get_session with wait_seconds waits for you.",
            retry_after_seconds=seconds,
        )


def session_calls() -> RateLimit:
    """Calls of each client on search sessions, counted by all workers."""
    return rate_limit("session calls", settings.SESSION_CALLS)


@contextmanager
def allowed_wait(seconds: float) -> Iterator[float]:
    """How long the current call may wait: 0 if too many wait already, or the batch it is in has waited."""
    client = current().client
    if client and not _waiting.enter(client):
        yield 0.0
        return
    try:
        yield max(0.0, min(seconds, current().waits_until - time.monotonic()))
    finally:
        if client:
            _waiting.leave(client)

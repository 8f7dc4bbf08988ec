"""The decorator of every tool on search sessions: limits calls per client and translates database errors."""

from collections.abc import Callable
from functools import wraps
from math import ceil
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError

from papercore import caller
from papercore.processes.rate_limits import RateLimit, rate_limit
from papercore.tool import tool
from searches.errors import StorageUnavailable, TooManyCalls
from searches.sessions.expiry import expire_idle_sessions

P = ParamSpec("P")
R = TypeVar("R")


def session_calls() -> RateLimit:
    """Calls of each client on search sessions, counted by all workers."""
    return rate_limit("session calls", settings.SESSION_CALLS)


def session_tool(function: Callable[P, R]) -> Callable[P, R]:
    """A tool that works on search sessions."""

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
    client = caller.current().client
    seconds = session_calls().take(client) if client else 0
    if seconds:
        raise TooManyCalls(
            f"Too many calls on search sessions: wait {ceil(seconds)} s. get_session with wait_seconds waits for you.",
            retry_after_seconds=ceil(seconds),
        )

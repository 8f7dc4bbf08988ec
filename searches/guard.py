"""What every tool of search sessions goes through: the caller's allowance, and the database's errors in our words."""

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, wraps
from math import ceil
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError

from papercore.rate_limit import Allowance
from papercore.tool import tool
from searches import caller
from searches.errors import StorageUnavailable, TooManyCalls

P = ParamSpec("P")
R = TypeVar("R")

# Where the request comes from; callers without a token are told apart by it. Empty on stdio, which serves one client.
address: ContextVar[str] = ContextVar("address", default="")


@cache
def _allowance(per_minute: int) -> Allowance:
    return Allowance(per_minute)


# Made when the site is loaded, before workers are forked: they count together.
_allowance(settings.SESSION_CALLS)


def session_tool(function: Callable[P, R]) -> Callable[P, R]:
    """A tool that works on search sessions."""

    @wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        spend()
        try:
            return function(*args, **kwargs)
        except DatabaseError as error:
            raise StorageUnavailable(
                "Search sessions cannot be stored or read at present. Try again later, with the same checkpoint_id: "
                "a decision is stored whole or not at all."
            ) from error

    return tool(guarded)


def spend() -> None:
    client = caller.current().key or address.get()
    seconds = _allowance(settings.SESSION_CALLS).take(client) if client else 0
    if seconds:
        raise TooManyCalls(
            f"Too many calls on search sessions: wait {ceil(seconds)} s. get_session with wait_seconds waits for you.",
            retry_after_seconds=ceil(seconds),
        )

"""Calls on search sessions: whom a request speaks for, how many calls a client may make, and how many may wait."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from math import ceil
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest

from papercore import limits
from papercore.caller import Caller, Scope, current, scopes_up_to
from papercore.processes.rate_limits import ConcurrencyLimit, RateLimit, rate_limit
from papercore.tool import tool
from searches.errors import StorageUnavailable, TooManyCalls
from searches.sessions.store import expire_idle_sessions

P = ParamSpec("P")
R = TypeVar("R")
# A call that waits for a session holds a thread.
_waiting = ConcurrencyLimit(limits.WAITING_CALLS, limits.WAITING_CALLS_OF_CLIENT)


def agent(request: HttpRequest, token_key: str, scope: Scope = "decide") -> Caller:
    return Caller(
        key=token_key,
        scopes=scopes_up_to(scope),
        site=f"{request.scheme}://{request.get_host()}",
        address=request.META["REMOTE_ADDR"],
        waits_until=time.monotonic() + limits.SESSION_WAIT_SECONDS,
        has_hung_up=partial(_has_hung_up, request.META.get("gunicorn.socket")),
    )


def person(request: HttpRequest) -> Caller:
    return Caller("person", trusted=sees_all(request), address=request.META["REMOTE_ADDR"])


def sees_all(request: HttpRequest) -> bool:
    """Who is logged in, and the owner of a site of one person."""
    return is_owner(request) or request.user.is_authenticated


def is_owner(request: HttpRequest) -> bool:
    """As the site's middleware found it. Asks no database."""
    return bool(getattr(request, "is_owner", False))


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


def _has_hung_up(connection: socket.socket | None) -> bool:
    """Looks without taking anything: the next request may have arrived already.

    Polls first: on a socket with a time limit, `recv` waits for all of it, whatever its flags say.
    """
    if connection is None:
        return False
    poll = select.poll()
    try:
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):  # it was reset, or is closed
        return True

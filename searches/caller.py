"""Who is calling: made from a request, set around a call by each transport, read by the tools."""

import math
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from django.http import HttpRequest

from papercore import limits
from papercore.processes.rate_limits import network_of


@dataclass(frozen=True)
class Caller:
    """An agent or a person. The default is an agent on stdio, which serves one client."""

    kind: Literal["agent", "person"] = "agent"
    # Names the valid bearer token of an agent; a session started with a token belongs to it.
    key: str = ""
    # A person who is logged in sees all sessions.
    trusted: bool = False
    # How the caller reaches the site, as in `https://papers.example.org`.
    site: str = ""
    # Where the request comes from; tells callers without a token apart.
    address: str = ""
    # Until when the calls of a request may wait, by time.monotonic: those of a batch share the time of one.
    waits_until: float = math.inf
    # Whether the client has closed its end, so that nobody waits for the answer.
    has_hung_up: Callable[[], bool] = field(default=lambda: False, compare=False)

    @property
    def client(self) -> str:
        """Whose calls are counted together; empty for a caller who is not limited."""
        return self.key or network_of(self.address)

    def may_see(self, owner: str) -> bool:
        """Whether the caller may see a session of this owner; one without an owner is open to whoever has its id."""
        return not owner or owner == self.key or self.trusted


ON_STDIO = Caller()
_current: ContextVar[Caller] = ContextVar("caller", default=ON_STDIO)


def agent(request: HttpRequest, token_key: str) -> Caller:
    return Caller(
        key=token_key,
        site=f"{request.scheme}://{request.get_host()}",
        address=request.META["REMOTE_ADDR"],
        waits_until=time.monotonic() + limits.SESSION_WAIT_SECONDS,
        has_hung_up=partial(_has_hung_up, request.META.get("gunicorn.socket")),
    )


def person(request: HttpRequest) -> Caller:
    return Caller("person", trusted=request.user.is_authenticated, address=request.META["REMOTE_ADDR"])


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


def current() -> Caller:
    return _current.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    token = _current.set(caller)
    try:
        yield
    finally:
        _current.reset(token)

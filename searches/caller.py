"""Who is calling: made from a request, set around a call by each transport, read by the tools."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from django.http import HttpRequest


@dataclass(frozen=True)
class Caller:
    """An agent or a person. The default is an agent on stdio, which serves one client."""

    kind: Literal["agent", "person"] = "agent"
    # Names the bearer token of an agent; a session started with a token belongs to it.
    key: str = ""
    # A person who is logged in sees all sessions.
    trusted: bool = False
    # How the caller reaches the site, as in `https://papers.example.org`.
    site: str = ""
    # Where the request comes from; tells callers without a token apart.
    address: str = ""

    @property
    def client(self) -> str:
        """Whose calls are counted together; empty for a caller who is not limited."""
        return self.key or self.address

    def may_see(self, owner: str) -> bool:
        """Whether the caller may see a session of this owner; one without an owner is open to whoever has its id."""
        return not owner or owner == self.key or self.trusted


ON_STDIO = Caller()
_current: ContextVar[Caller] = ContextVar("caller", default=ON_STDIO)


def agent(request: HttpRequest, token_key: str) -> Caller:
    site = f"{request.scheme}://{request.get_host()}"
    return Caller(key=token_key, site=site, address=request.META["REMOTE_ADDR"])


def person(request: HttpRequest) -> Caller:
    return Caller("person", trusted=request.user.is_authenticated, address=request.META["REMOTE_ADDR"])


def current() -> Caller:
    return _current.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    token = _current.set(caller)
    try:
        yield
    finally:
        _current.reset(token)

"""Who is calling: set by each transport around a call, read by the tools."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Caller:
    """`key` names the bearer token of an agent; `trusted` callers (a person who is logged in) see all sessions.

    `site` is how the caller reaches the site, as in `https://papers.example.org`; empty on stdio.
    """

    kind: Literal["agent", "person"] = "agent"
    key: str = ""
    trusted: bool = False
    site: str = ""


NOBODY = Caller()
_current: ContextVar[Caller] = ContextVar("caller", default=NOBODY)


def current() -> Caller:
    return _current.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    token = _current.set(caller)
    try:
        yield
    finally:
        _current.reset(token)

"""Who is calling: set around a call by each transport, read by the tools."""

import ipaddress
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, get_args

# What a caller may do: read; start, decide and end searches; change the library.
Scope = Literal["read", "decide", "write"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
ALL_SCOPES = frozenset(SCOPES)


def scopes_up_to(scope: Scope) -> frozenset[Scope]:
    """Each includes those before it."""
    return frozenset(SCOPES[: SCOPES.index(scope) + 1])


@dataclass(frozen=True)
class Caller:
    """An agent or a person. The default is an agent on stdio, which serves one client."""

    kind: Literal["agent", "person"] = "agent"
    # Names the valid bearer token of an agent; a session started with a token belongs to it.
    key: str = ""
    # Who a person is, if they have said so: `owner`, or `account:5`. Such a person sees all sessions.
    account: str = ""
    # How the caller reaches the site, as in `https://papers.example.org`.
    site: str = ""
    # Where the request comes from; tells callers without a token apart.
    address: str = ""
    # A client on stdio runs as its owner, who may do everything; over HTTP the token says it.
    scopes: frozenset[Scope] = ALL_SCOPES
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
        return not owner or owner == self.key or bool(self.account)


ON_STDIO = Caller()
_current: ContextVar[Caller] = ContextVar("caller", default=ON_STDIO)


def current() -> Caller:
    return _current.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    token = _current.set(caller)
    try:
        yield
    finally:
        _current.reset(token)


def network_of(address: str) -> str:
    """Whose address it is: one customer has all of an IPv6 /64, and could call from a new address each time."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((int(parsed), 64), strict=False))


def is_loopback(host: str) -> bool:
    """Whether a host name, or an address without its port, stands for this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"

"""Which web origins may call: exact scheme, host and port; `http://host:*` is any port of that host."""

import re
from functools import lru_cache

from msgspec import Struct

from papercore.caller import is_loopback

ANY_PORT = "*"
MAX_PORT = 65535

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}|\*))?",
    re.IGNORECASE | re.ASCII,
)


class Origin(Struct, frozen=True):
    scheme: str
    host: str
    port: str


def parse(text: str) -> Origin | None:
    """The origin in a header or a setting; None unless the text is exactly one origin."""
    match = _ORIGIN.fullmatch(text)
    if match is None or not (match["port"] in (None, ANY_PORT) or 0 < int(match["port"]) <= MAX_PORT):
        return None
    scheme, host = match["scheme"].lower(), match["host"].lower()
    return Origin(scheme, host, match["port"] or _DEFAULT_PORTS[scheme])


def is_allowed(header: str, allowlist: list[str], host: str) -> bool:
    """Whether a page of this origin may call the server that was addressed as `host`."""
    return header in allowlist if header == "null" else _is_listed(header, tuple(allowlist), host.lower())


@lru_cache(maxsize=256)
def _is_listed(header: str, allowlist: tuple[str, ...], host: str) -> bool:
    origin = parse(header)
    if origin is None or origin.port == ANY_PORT:
        return False
    return _is_own_loopback(origin, host) or any(_covers(parse(entry), origin) for entry in allowlist)


def _covers(entry: Origin | None, origin: Origin) -> bool:
    if entry is None or (entry.scheme, entry.host) != (origin.scheme, origin.host):
        return False
    return entry.port in (ANY_PORT, origin.port)


def _is_own_loopback(origin: Origin, host: str) -> bool:
    """A page that this server itself served on this machine, under any of the loopback names."""
    own = parse(f"{origin.scheme}://{host}")
    return own is not None and is_loopback(own.host) and is_loopback(origin.host) and own.port == origin.port

"""The HTTP gate of /mcp: host, origin, method, token, size and content type, in this order."""

import re
import select
import socket
import time
from functools import partial

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.request import UnreadablePostError
from msgspec import Struct

from mcpapi.models import ValidToken, valid_token
from papercore import limits
from papercore.caller import Caller, is_loopback, scopes_up_to

JSON_TYPE = "application/json"
ANY_PORT = "*"
MAX_PORT = 65535

_ZERO_QUALITY = re.compile(r"q\s*=\s*0(\.0*)?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}|\*))?",
    re.IGNORECASE | re.ASCII,
)


class Refused(Exception):
    """The HTTP request is refused with this status before its body is parsed."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


class Origin(Struct, frozen=True):
    """Scheme, host and port of a web page; in a setting, the port may be any."""

    scheme: str
    host: str
    port: str


def check_caller(request: HttpRequest) -> None:
    """Refuse a wrong Host, a page of a foreign origin, and plain HTTP where TLS is required."""
    try:
        host = request.get_host()
    except DisallowedHost:
        raise Refused(400, "This server does not answer to that Host.") from None
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and not is_allowed(origin, settings.ALLOWED_ORIGINS, host):
        raise Refused(403, "This Origin may not call the server. PAPERSITE_ALLOWED_ORIGINS lists those that may.")
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise Refused(403, "Use https: plain http can be read on the way.")


def is_allowed(header: str, allowlist: list[str], host: str) -> bool:
    """Whether a page of this origin may call the server that was addressed as `host`.

    It may if it is listed, or if this server itself served it on this machine, under any of the loopback names.
    """
    if header == "null":
        return header in allowlist
    origin = parse_origin(header)
    if origin is None or origin.port == ANY_PORT:
        return False
    own = parse_origin(f"{origin.scheme}://{host.lower()}")
    if own and is_loopback(own.host) and is_loopback(origin.host) and own.port == origin.port:
        return True
    anywhere = Origin(origin.scheme, origin.host, ANY_PORT)
    return any(parse_origin(entry) in (origin, anywhere) for entry in allowlist)


def parse_origin(text: str) -> Origin | None:
    """The origin in a header or a setting; None unless the text is exactly one origin."""
    match = _ORIGIN.fullmatch(text)
    if match is None or not (match["port"] in (None, ANY_PORT) or 0 < int(match["port"]) <= MAX_PORT):
        return None
    scheme, host = match["scheme"].lower(), match["host"].lower()
    return Origin(scheme, host, match["port"] or _DEFAULT_PORTS[scheme])


def check_request(request: HttpRequest) -> Caller:
    """Who sent the request, which is refused unless its method, token, size and types are in order."""
    if request.method != "POST":
        raise Refused(405, "Send JSON-RPC messages with POST; there is no stream to GET.", {"Allow": "POST"})
    token = required_token(request)
    length = request.META.get("CONTENT_LENGTH", "")
    if length and not (length.isascii() and length.isdigit()):
        raise Refused(400, "The Content-Length is not a number.")
    if length and int(length[:20]) > limits.BODY_BYTES:
        raise _too_large()
    if request.content_type != JSON_TYPE:
        raise Refused(415, f"The Content-Type must be {JSON_TYPE}.")
    if not accepts_json(request.META.get("HTTP_ACCEPT", "")):
        raise Refused(406, f"Answers are {JSON_TYPE}, which the Accept header excludes.")
    return agent(request, token)


def required_token(request: HttpRequest) -> ValidToken | None:
    """The valid token of the request; None without one, where none is required.

    Whoever sends a token means to be its holder, and not nobody: one that is not valid is refused everywhere.
    """
    required = settings.MCP_AUTH == "required"
    try:
        if token := token_of(request):
            return token
    except DatabaseError:
        if required:
            raise Refused(503, "Tokens cannot be checked at present. Try again later.") from None
        return None
    if bearer(request):
        what = "This token is not valid: it was revoked, has expired, or is not of this site."
    elif required:
        what = "A bearer token is required."
    else:
        return None
    how = "Whoever runs the site makes one: papersite create-token NAME" + ("" if required else "; or send none.")
    raise Refused(401, f"{what} {how}", {"WWW-Authenticate": challenge(request)})


def token_of(request: HttpRequest) -> ValidToken | None:
    """The token that the request brings, if it is valid. Most bring none, and ask no database."""
    text = bearer(request)
    return valid_token(text) if text else None


def bearer(request: HttpRequest) -> str:
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def agent(request: HttpRequest, token: ValidToken | None) -> Caller:
    """The caller that a request speaks for; without a token it is known by its address."""
    return Caller(
        key=token.key if token else "",
        scopes=scopes_up_to(token.scope if token else "decide"),
        site=f"{request.scheme}://{request.get_host()}",
        address=request.META["REMOTE_ADDR"],
        waits_until=time.monotonic() + limits.SESSION_WAIT_SECONDS,
        has_hung_up=partial(_has_hung_up, request.META.get("gunicorn.socket")),
    )


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


def challenge(request: HttpRequest) -> str:
    return 'Bearer realm="papersite"' + (', error="invalid_token"' if request.META.get("HTTP_AUTHORIZATION") else "")


def accepts_json(accept: str) -> bool:
    """Whether an Accept header allows JSON; an empty one allows everything."""
    ranges = [part for part in accept.split(",") if part.strip()]
    for media_range in ranges:
        kind, *parameters = (part.strip().lower() for part in media_range.split(";"))
        excluded = any(_ZERO_QUALITY.fullmatch(parameter) for parameter in parameters)
        if kind in (JSON_TYPE, "application/*", "*/*") and not excluded:
            return True
    return not ranges


def body(request: HttpRequest) -> bytes:
    """The whole body, sent with its length or in chunks; never more than the limit."""
    try:
        if request.META.get("CONTENT_LENGTH"):
            content = request.body
        elif request.META.get("wsgi.input_terminated"):
            # A chunked body. Django reads only bodies with a Content-Length, and some clients send none.
            content = request.META["wsgi.input"].read(limits.BODY_BYTES + 1)
        else:
            content = b""
    except UnreadablePostError:
        raise Refused(400, "The body ended early.") from None
    if len(content) > limits.BODY_BYTES:
        raise _too_large()
    return content


def _too_large() -> Refused:
    return Refused(413, f"A body holds at most {limits.BODY_BYTES} bytes.")

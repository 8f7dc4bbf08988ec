"""The HTTP gate of /mcp: host, origin, method, token, size and content type, in this order."""

import re
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from mcpapi import origins, tokens
from mcpapi.errors import Refused
from papercore import limits
from papercore.caller import Caller
from searches.caller import agent

JSON_TYPE = "application/json"

_ZERO_QUALITY = re.compile(r"q\s*=\s*0(\.0*)?")


def check_caller(request: HttpRequest) -> None:
    """Refuse a wrong Host, a page of a foreign origin, and plain HTTP where TLS is required."""
    try:
        host = request.get_host()
    except DisallowedHost:
        raise Refused(400, "This server does not answer to that Host.") from None
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and not origins.is_allowed(origin, settings.ALLOWED_ORIGINS, host):
        raise Refused(403, "This Origin may not call the server. PAPERSITE_ALLOWED_ORIGINS lists those that may.")
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise Refused(403, "Use https: plain http can be read on the way.")


def check_request(request: HttpRequest) -> Caller:
    """Who sent the request, which is refused unless its method, token, size and types are in order."""
    if request.method != "POST":
        raise Refused(405, "Send JSON-RPC messages with POST; there is no stream to GET.", {"Allow": "POST"})
    token_key = _token_key(request)
    length = request.META.get("CONTENT_LENGTH", "")
    if length and not (length.isascii() and length.isdigit()):
        raise Refused(400, "The Content-Length is not a number.")
    if length and int(length[:20]) > limits.BODY_BYTES:
        raise _too_large()
    if request.content_type != JSON_TYPE:
        raise Refused(415, f"The Content-Type must be {JSON_TYPE}.")
    if not _accepts_json(request.META.get("HTTP_ACCEPT", "")):
        raise Refused(406, f"Answers are {JSON_TYPE}, which the Accept header excludes.")
    return agent(request, token_key)


def body(request: HttpRequest) -> bytes:
    """The whole body, sent with its length or in chunks; never more than the limit."""
    try:
        content = request.body if request.META.get("CONTENT_LENGTH") else _chunks(request)
    except UnreadablePostError:
        raise Refused(400, "The body ended early.") from None
    if len(content) > limits.BODY_BYTES:
        raise _too_large()
    return content


def _token_key(request: HttpRequest) -> str:
    """Names the token of the request; empty without a valid one, where none is required."""
    required = settings.MCP_AUTH == "required"
    try:
        if has_valid_token(request):
            return tokens.key(bearer(request))
    except DatabaseError:
        if required:
            raise Refused(503, "Tokens cannot be checked at present. Try again later.") from None
    if required:
        raise Refused(401, "A valid bearer token is required.", {"WWW-Authenticate": challenge(request)})
    return ""


def has_valid_token(request: HttpRequest) -> bool:
    token = bearer(request)
    return bool(token) and tokens.is_valid(token)


def challenge(request: HttpRequest) -> str:
    return 'Bearer realm="papersite"' + (', error="invalid_token"' if request.META.get("HTTP_AUTHORIZATION") else "")


def bearer(request: HttpRequest) -> str:
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _too_large() -> Refused:
    return Refused(413, f"A body holds at most {limits.BODY_BYTES} bytes.")


def _chunks(request: HttpRequest) -> bytes:
    """A chunked body. Django reads only bodies with a Content-Length, and some clients send none."""
    if not request.META.get("wsgi.input_terminated"):
        return b""
    stream = request.META["wsgi.input"]
    content: bytes = stream.read(limits.BODY_BYTES + 1)
    return content


@lru_cache(maxsize=256)
def _accepts_json(accept: str) -> bool:
    """Whether an Accept header allows JSON; an empty one allows everything."""
    ranges = [part for part in accept.split(",") if part.strip()]
    for media_range in ranges:
        kind, *parameters = (part.strip().lower() for part in media_range.split(";"))
        excluded = any(_ZERO_QUALITY.fullmatch(parameter) for parameter in parameters)
        if kind in (JSON_TYPE, "application/*", "*/*") and not excluded:
            return True
    return not ranges

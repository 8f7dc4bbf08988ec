"""The first middleware: gives each request its id, and writes down how it ended."""

import logging
import re
import secrets
import sys
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase

from papersite import logs, metrics

logger = logging.getLogger(__name__)

HEADER = "X-Request-ID"
GIVEN_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# Probes come every few seconds for ever: counted, and written down only when somebody asks for debugging.
PROBES = {"healthz", "readyz", "metrics"}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}


class RequestLog:
    """Stands before everything else, so that pages, files and /mcp are covered alike."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = perf_counter()
        request.META["REMOTE_ADDR"] = client_address(request)
        token = logs.request_id.set(identity(request))
        try:
            response = self.get_response(request)
            response.headers[HEADER] = logs.request_id.get()
            write_down(request, response, perf_counter() - started)
            return response
        finally:
            logs.request_id.reset(token)


def identity(request: HttpRequest) -> str:
    """The id that a proxy gave, so that its log and ours agree; otherwise a new one."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)


def client_address(request: HttpRequest) -> str:
    """Who asks: the neighbour, or whom the outermost of our own proxies saw."""
    seen = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    direct = request.META.get("REMOTE_ADDR", "")
    return str(seen[-settings.PROXIES]) if 0 < settings.PROXIES <= len(seen) else str(direct)


def write_down(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    route = route_of(request)
    method = request.method if request.method in METHODS else "other"
    metrics.REQUESTS.labels(route, method, response.status_code).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    fields = {
        "method": method,
        "route": route,
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes_in": size_in(request),
        "bytes_out": size_out(response),
        "client": request.META["REMOTE_ADDR"][:64],
    }
    logger.log(logging.DEBUG if route in PROBES else logging.INFO, "request", extra={"fields": fields})


def route_of(request: HttpRequest) -> str:
    """The address's pattern. Not the address: it may hold a session's id, and anybody can make up addresses."""
    if request.resolver_match:
        return request.resolver_match.route or "/"
    return "static" if request.path_info.startswith(f"/{settings.STATIC_URL.strip('/')}/") else "unknown"


def size_in(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def size_out(response: HttpResponseBase) -> int:
    length = response.headers.get("Content-Length") or len(getattr(response, "content", b""))
    return int(length)


@receiver(got_request_exception, dispatch_uid="papersite.requests.log_internal_error")
def log_internal_error(request: HttpRequest | None = None, **_: object) -> None:
    metrics.INTERNAL_ERRORS.inc()
    route = route_of(request) if request else ""
    logger.error("internal error", exc_info=sys.exc_info(), extra={"fields": {"route": route}})

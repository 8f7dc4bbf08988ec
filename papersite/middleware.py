"""The site's middleware: a log line and metrics for every request, the methods it takes, and who may cache pages."""

import logging
import re
import secrets
import sys
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.utils.cache import patch_cache_control

from papersite import logs, monitoring

logger = logging.getLogger(__name__)

REQUEST_ID_HEADER = "X-Request-ID"
VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# Probes come every few seconds: they are counted, and logged only at debug level.
PROBES = {"healthz", "readyz", "metrics"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class RequestLogMiddleware:
    """Gives each request its id and logs how it ended. It comes first, so that it covers pages, files and /mcp."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = perf_counter()
        request.META["REMOTE_ADDR"] = client_address(request)
        token = logs.request_id.set(request_id(request))
        try:
            response = self.get_response(request)
            response.headers[REQUEST_ID_HEADER] = logs.request_id.get()
            log_request(request, response, perf_counter() - started)
            return response
        finally:
            logs.request_id.reset(token)


class MethodMiddleware:
    """Refuses methods that no page has. TRACE would send a client its own headers back, cookies among them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request) if request.method in METHODS else HttpResponseNotAllowed(METHODS)


class CacheControlMiddleware:
    """Every page depends on cookies (theme, basket, login): only the browser may keep it, unless its view says more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if not response.has_header("Cache-Control") and (is_page or response.cookies):
            patch_cache_control(response, private=True, no_cache=True)
        return response


def request_id(request: HttpRequest) -> str:
    """The id that the proxy sent, so that its log and ours agree; otherwise a new one."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if VALID_REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def client_address(request: HttpRequest) -> str:
    """The address that connected to us, or to the outermost of our own proxies."""
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    direct = request.META.get("REMOTE_ADDR", "")
    return str(forwarded[-settings.PROXIES]) if 0 < settings.PROXIES <= len(forwarded) else str(direct)


def log_request(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    route = route_of(request)
    method = request.method if request.method in METHODS else "other"
    monitoring.REQUESTS.labels(route, method, response.status_code).inc()
    monitoring.REQUEST_SECONDS.labels(route).observe(seconds)
    fields = {
        "method": method,
        "route": route,
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes_in": request_size(request),
        "bytes_out": response_size(response),
        "client": request.META["REMOTE_ADDR"][:64],
    }
    # An unexpected error (500) has been logged as one.
    usual = logging.WARNING if response.status_code > 500 else logging.INFO
    logger.log(logging.DEBUG if route in PROBES else usual, "request", extra={"fields": fields})


def route_of(request: HttpRequest) -> str:
    """The pattern of the address. The address itself may hold a session's id, and there is no end of them."""
    if request.resolver_match:
        return request.resolver_match.route or "/"
    return "static" if request.path_info.startswith(f"/{settings.STATIC_URL.strip('/')}/") else "unknown"


def request_size(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def response_size(response: HttpResponseBase) -> int:
    length = response.headers.get("Content-Length") or len(getattr(response, "content", b""))
    return int(length)


@receiver(got_request_exception, dispatch_uid="papersite.middleware.log_internal_error")
def log_internal_error(request: HttpRequest | None = None, **_: object) -> None:
    monitoring.INTERNAL_ERRORS.inc()
    route = route_of(request) if request else ""
    logger.error("internal error", exc_info=sys.exc_info(), extra={"fields": {"route": route}})

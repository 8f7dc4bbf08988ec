"""Answers /mcp before the middleware that pages need: it has no cookies, forms, sessions or languages."""

from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve


class McpFirst:
    """Stands before all of them. The view behind it brings its own gate, so skipping the rest skips no check."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != "/mcp" and not request.path_info.startswith("/mcp/"):
            return self.get_response(request)
        try:
            match = _view_at(request.path_info)
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        return response


@lru_cache(maxsize=32)
def _view_at(path: str) -> ResolverMatch:
    return resolve(path, "mcpapi.urls")

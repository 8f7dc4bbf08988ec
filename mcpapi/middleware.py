"""Answers /mcp ahead of the middleware that only pages need: /mcp has no cookies, forms, sessions or languages."""

from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve


class McpMiddleware:
    """Calls the view at once. The view has a gate of its own, so no check is skipped."""

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

"""Answers /mcp before the middleware that pages need: it has no cookies, forms, sessions or languages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve


class McpFirst:
    """The first middleware. The view behind it brings its own gate, so skipping the rest skips no check."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != "/mcp" and not request.path_info.startswith("/mcp/"):
            return self.get_response(request)
        try:
            match = resolve(request.path_info, "mcpapi.urls")
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        return response

"""CORS: lets pages of allowed origins call from a browser."""

from django.http import HttpRequest, HttpResponse

_PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "600",
}


def preflight(request: HttpRequest) -> HttpResponse | None:
    """The answer to a browser that asks whether a page may post. The gate has checked its origin."""
    is_preflight = request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META
    return HttpResponse(status=204, headers=_PREFLIGHT) if is_preflight and "HTTP_ORIGIN" in request.META else None


def add_headers(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the page read the answer. There are no cookies, so credentials stay off."""
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None:
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = "WWW-Authenticate"
        response["Vary"] = "Origin"
    return response

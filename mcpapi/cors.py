"""Lets the pages of allowed origins call from a browser: the preflight, and the headers on every answer to them."""

from django.http import HttpRequest, HttpResponse

_PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "600",
}


def preflight(request: HttpRequest) -> HttpResponse | None:
    """The answer to a browser that asks whether a page may post. The gate has let its origin pass."""
    asked = request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META
    return HttpResponse(status=204, headers=_PREFLIGHT) if asked and "HTTP_ORIGIN" in request.META else None


def open_to(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page may read the answer. No cookies are involved: credentials stay off."""
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None:
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = "WWW-Authenticate"
        response["Vary"] = "Origin"
    return response

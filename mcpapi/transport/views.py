"""POST /mcp and POST /mcp/<server>: the gate, then the raw body to `http`, and CORS for pages of allowed origins."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from mcp.types.jsonrpc import INVALID_REQUEST

from mcpapi.listing.servers import PAPERS, SERVERS, Server
from mcpapi.protocol import messages
from mcpapi.protocol.messages import RpcError
from mcpapi.transport import gate, http
from mcpapi.transport.gate import Refused
from papercore.caller import calling

# WSGI joins a repeated header with a comma; the joined value then matches no body.
_ROUTING_HEADERS = {f"HTTP_{name.upper().replace('-', '_')}": name for name in http.ROUTING_HEADERS}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "600",
}


class McpMiddleware:
    """Answers /mcp ahead of the middleware that only pages need: it has no cookies, forms, sessions or languages.

    The view has a gate of its own, so no check is skipped.
    """

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


# Both take every method, so that the gate can refuse a bad Host or Origin before a wrong method.
@csrf_exempt
def default_server(request: HttpRequest) -> HttpResponse:
    return answer(request, PAPERS)


@csrf_exempt
def named_server(request: HttpRequest, name: str) -> HttpResponse:
    return answer(request, SERVERS.get(name))


def answer(request: HttpRequest, server: Server | None) -> HttpResponse:
    try:
        gate.check_caller(request)
    except Refused as refused:
        return refusal(refused)
    origin = request.META.get("HTTP_ORIGIN")
    is_preflight = request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META
    if origin is not None and is_preflight:
        response = HttpResponse(status=204, headers=_PREFLIGHT)
    else:
        response = answer_post(request, server)
    if origin is not None:
        # Lets the page read the answer. There are no cookies, so credentials stay off.
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Expose-Headers"] = "WWW-Authenticate"
        response["Vary"] = "Origin"
    return response


def answer_post(request: HttpRequest, server: Server | None) -> HttpResponse:
    try:
        caller = gate.check_request(request)
        if server is None:
            raise Refused(404, f"There is no such server. Servers: {', '.join(SERVERS)}.")
        headers = {name: request.META[key] for key, name in _ROUTING_HEADERS.items() if key in request.META}
        with calling(caller):
            reply = http.answer(server, gate.body(request), headers)
    except Refused as refused:
        return refusal(refused)
    return json_response(reply.status, reply.body)


def refusal(refused: Refused) -> HttpResponse:
    body = messages.failure(None, RpcError(INVALID_REQUEST, refused.message))
    return json_response(refused.status, body, refused.headers)


def json_response(status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> HttpResponse:
    sized = {**headers, "Content-Length": str(len(body))}
    return HttpResponse(body, content_type=gate.JSON_TYPE, status=status, headers=sized)

"""MCP over HTTP: POST /mcp and POST /mcp/<server> through the gate, then by the rules of the message's protocol era."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, path, resolve
from django.views.decorators.csrf import csrf_exempt
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
    unsupported_protocol_version_rejection,
)
from mcp.types import PROTOCOL_VERSION_META_KEY
from mcp.types.jsonrpc import HEADER_MISMATCH, INVALID_REQUEST
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from msgspec import Struct

from mcpapi.listing.servers import PAPERS, SERVERS, Server, UnknownTools
from mcpapi.protocol import dispatch, messages
from mcpapi.protocol.messages import Message, RpcError, RpcNotification, RpcRequest, RpcResponse
from mcpapi.transport import gate
from mcpapi.transport.gate import Refused
from papercore import limits
from papercore.caller import calling

# The version of a client that sends no version header, by the specification; the only one with batches.
DEFAULT_VERSION = "2025-03-26"
# WSGI joins a repeated header with a comma; the joined value then matches no body.
_ROUTING_HEADERS = {
    f"HTTP_{name.upper().replace('-', '_')}": name
    for name in (MCP_PROTOCOL_VERSION_HEADER, MCP_METHOD_HEADER, MCP_NAME_HEADER)
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "600",
}

Headers = dict[str, str]


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
            match = resolve(request.path_info, "mcpapi.transport.http")
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        return response


# Both take every method, so that the gate can refuse a bad Host or Origin before a wrong method.
@csrf_exempt
def default_server(request: HttpRequest) -> HttpResponse:
    return answer_request(request, PAPERS)


@csrf_exempt
def named_server(request: HttpRequest, name: str) -> HttpResponse:
    return answer_request(request, SERVERS.get(name))


def answer_request(request: HttpRequest, server: Server | None) -> HttpResponse:
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
        if choice := request.GET.get("tools"):
            server = _choosing(server, choice)
        headers = {name: request.META[key] for key, name in _ROUTING_HEADERS.items() if key in request.META}
        with calling(caller):
            reply = answer(server, gate.body(request), headers)
    except Refused as refused:
        return refusal(refused)
    return json_response(reply.status, reply.body)


def _choosing(server: Server, choice: str) -> Server:
    """The server with the tools that the address names, as in /mcp?tools=papers,specs."""
    try:
        return server.choosing(choice)
    except UnknownTools as error:
        raise Refused(400, error.message) from None


def refusal(refused: Refused) -> HttpResponse:
    body = messages.failure(None, RpcError(INVALID_REQUEST, refused.message))
    return json_response(refused.status, body, refused.headers)


def json_response(status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> HttpResponse:
    sized = {**headers, "Content-Length": str(len(body))}
    return HttpResponse(body, content_type=gate.JSON_TYPE, status=status, headers=sized)


class McpReply(Struct, frozen=True):
    status: int
    body: bytes


ACCEPTED = McpReply(202, b"")


def answer(server: Server, body: bytes, headers: Headers) -> McpReply:
    """Answer whatever was posted. `headers` holds the routing headers that were sent, by lower-case name."""
    try:
        value = messages.parse(body)
    except RpcError as error:
        return McpReply(400, messages.failure(None, error))
    if isinstance(value, list):
        return answer_batch(server, value, headers)
    return answer_message(server, value, headers)


def answer_batch(server: Server, values: list[object], headers: Headers) -> McpReply:
    problem = ""
    if headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_VERSION) != DEFAULT_VERSION:
        problem = f"Batches exist in protocol version {DEFAULT_VERSION} only."
    elif not 1 <= len(values) <= limits.BATCH_MESSAGES:
        problem = f"A batch holds 1 to {limits.BATCH_MESSAGES} messages."
    if problem:
        return McpReply(400, messages.failure(None, RpcError(INVALID_REQUEST, problem)))
    bodies = []
    for value in values:
        if isinstance(value, dict) and value.get("method") == "initialize":
            error = RpcError(INVALID_REQUEST, "initialize cannot be part of a batch.")
            bodies.append(messages.failure(messages.request_id(value), error))
        else:
            bodies.append(answer_message(server, value, headers).body)
    answers = [body for body in bodies if body]
    return McpReply(200, b"[%b]" % b",".join(answers)) if answers else ACCEPTED


def answer_message(server: Server, value: object, headers: Headers) -> McpReply:
    try:
        message = messages.message(value)
    except RpcError as error:
        return McpReply(400, messages.failure(messages.request_id(value), error))
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_VERSION)
    is_modern = names_version(message) or version not in HANDSHAKE_PROTOCOL_VERSIONS
    try:
        if is_modern:
            version = modern_version(message, headers)
        if not isinstance(message, RpcRequest):
            return ACCEPTED
        result = dispatch.run(server, message.method, message.params, version)
    except RpcError as error:
        status = ERROR_CODE_HTTP_STATUS.get(error.code, 200) if is_modern else 200
        return McpReply(status, messages.failure(message.id if isinstance(message, RpcRequest) else None, error))
    return McpReply(200, messages.success(message.id, result))


def names_version(message: Message) -> bool:
    """Whether the message itself names its protocol version, as only modern ones do."""
    meta = (message.params or {}).get("_meta") if isinstance(message, RpcRequest | RpcNotification) else None
    return isinstance(meta, dict) and PROTOCOL_VERSION_META_KEY in meta


def modern_version(message: Message, headers: Headers) -> str:
    """The version of a message; an RpcError if its headers and body disagree."""
    if isinstance(message, RpcResponse):
        raise RpcError(INVALID_REQUEST, "This server sends no requests, so there is nothing to respond to.")
    named = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    refusal = None
    if isinstance(message, RpcRequest) and (names_version(message) or named in MODERN_PROTOCOL_VERSIONS):
        found = classify_inbound_request({"method": message.method, "params": message.params}, headers=headers)
        refusal = found if isinstance(found, InboundLadderRejection) else None
    elif named is not None:
        refusal = unsupported_protocol_version_rejection(named)
    if refusal:
        raise RpcError(refusal.code, refusal.message, refusal.data)
    if named is None:
        raise RpcError(HEADER_MISMATCH, f"The {MCP_PROTOCOL_VERSION_HEADER} header is missing.")
    return named


app_name = "mcp"
urlpatterns = [
    path("mcp", default_server, name="default"),
    path("mcp/", default_server),
    path("mcp/<str:name>", named_server, name="server"),
]

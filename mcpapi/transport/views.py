"""POST /mcp and POST /mcp/<server>: the gate, then the raw body to mcpapi.transport.http."""

from collections.abc import Mapping
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from mcpapi import cors
from mcpapi.errors import Refused, RpcError
from mcpapi.listing.servers import PAPERS, SERVERS, Server
from mcpapi.protocol import messages as envelope
from mcpapi.protocol.names import INVALID_REQUEST
from mcpapi.transport import gate, http
from papercore.caller import calling

_META_KEYS = {f"HTTP_{name.upper().replace('-', '_')}": name for name in http.ROUTING_HEADERS}


# Both take every method, so that the gate can refuse a bad Host or Origin before a wrong method.
@csrf_exempt
def default_server(request: HttpRequest) -> HttpResponse:
    return _answer(request, PAPERS)


@csrf_exempt
def named_server(request: HttpRequest, name: str) -> HttpResponse:
    return _answer(request, SERVERS.get(name))


def _answer(request: HttpRequest, server: Server | None) -> HttpResponse:
    try:
        gate.check_caller(request)
    except Refused as refused:
        return _refusal(refused)
    return cors.add_headers(request, cors.preflight(request) or _answer_checked(request, server))


def _answer_checked(request: HttpRequest, server: Server | None) -> HttpResponse:
    try:
        caller = gate.check_request(request)
        if server is None:
            raise Refused(404, f"There is no such server. Servers: {', '.join(SERVERS)}.")
        with calling(caller):
            reply = http.answer(server, gate.body(request), _routing_headers(request))
    except Refused as refused:
        return _refusal(refused)
    return _response(reply.status, reply.body)


def _refusal(refused: Refused) -> HttpResponse:
    return _response(
        refused.status, envelope.failure(None, RpcError(INVALID_REQUEST, refused.message)), refused.headers
    )


def _response(status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> HttpResponse:
    sized = {**headers, "Content-Length": str(len(body))}
    return HttpResponse(body, content_type=gate.JSON_TYPE, status=status, headers=sized)


def _routing_headers(request: HttpRequest) -> dict[str, str]:
    """WSGI joins a repeated header with a comma; the joined value then matches no body."""
    return {name: request.META[key] for key, name in _META_KEYS.items() if key in request.META}

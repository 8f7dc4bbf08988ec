"""MCP over HTTP: body and routing headers in, status and JSON out, by the rules of the message's protocol era."""

from msgspec import Struct

from mcpapi.errors import RpcError
from mcpapi.listing.servers import Server
from mcpapi.protocol import dispatch
from mcpapi.protocol import messages as envelope
from mcpapi.protocol.messages import Message, RpcNotification, RpcRequest, RpcResponse
from mcpapi.protocol.names import (
    ERROR_CODE_HTTP_STATUS,
    HANDSHAKE_PROTOCOL_VERSIONS,
    HEADER_MISMATCH,
    INVALID_REQUEST,
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    MODERN_PROTOCOL_VERSIONS,
    PROTOCOL_VERSION_META_KEY,
)
from mcpapi.routing_headers import check_modern_version, check_routing
from papercore import limits

# The version of a client that sends no version header, by the specification; the only one with batches.
DEFAULT_VERSION = "2025-03-26"
ROUTING_HEADERS = (MCP_PROTOCOL_VERSION_HEADER, MCP_METHOD_HEADER, MCP_NAME_HEADER)

Headers = dict[str, str]


class Reply(Struct, frozen=True):
    status: int
    body: bytes


ACCEPTED = Reply(202, b"")


def answer(server: Server, body: bytes, headers: Headers) -> Reply:
    """Answer whatever was posted. `headers` holds the routing headers that were sent, by lower-case name."""
    try:
        value = envelope.parse(body)
    except RpcError as error:
        return Reply(400, envelope.failure(None, error))
    if isinstance(value, list):
        return _batch(server, value, headers)
    return _single(server, value, headers)


def _single(server: Server, value: object, headers: Headers) -> Reply:
    try:
        message = envelope.message(value)
    except RpcError as error:
        return Reply(400, envelope.failure(envelope.request_id(value), error))
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_VERSION)
    if _names_version(message) or version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return _modern(server, message, headers)
    return _legacy(server, message, version)


def _names_version(message: Message) -> bool:
    """Whether the message itself names its protocol version, as only modern ones do."""
    meta = (message.params or {}).get("_meta") if isinstance(message, RpcRequest | RpcNotification) else None
    return isinstance(meta, dict) and PROTOCOL_VERSION_META_KEY in meta


def _legacy(server: Server, message: Message, version: str) -> Reply:
    if not isinstance(message, RpcRequest):
        return ACCEPTED
    try:
        result = dispatch.run(server, message.method, message.params, version)
    except RpcError as error:
        return Reply(200, envelope.failure(message.id, error))
    return Reply(200, envelope.success(message.id, result))


def _modern(server: Server, message: Message, headers: Headers) -> Reply:
    id_ = message.id if isinstance(message, RpcRequest) else None
    try:
        version = _modern_version(message, headers)
        if not isinstance(message, RpcRequest):
            return ACCEPTED
        result = dispatch.run(server, message.method, message.params, version)
    except RpcError as error:
        return Reply(ERROR_CODE_HTTP_STATUS.get(error.code, 200), envelope.failure(id_, error))
    return Reply(200, envelope.success(message.id, result))


def _modern_version(message: Message, headers: Headers) -> str:
    """The version of a message; an RpcError if its headers and body disagree."""
    named = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    if isinstance(message, RpcResponse):
        raise RpcError(INVALID_REQUEST, "This server sends no requests, so there is nothing to respond to.")
    if isinstance(message, RpcRequest) and (_names_version(message) or named in MODERN_PROTOCOL_VERSIONS):
        check_routing(message, headers)
    elif named is not None:
        check_modern_version(named)
    if named is None:
        raise RpcError(HEADER_MISMATCH, f"The {MCP_PROTOCOL_VERSION_HEADER} header is missing.")
    return named


def _batch(server: Server, values: list[object], headers: Headers) -> Reply:
    if headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_VERSION) != DEFAULT_VERSION:
        return _batch_refusal(f"Batches exist in protocol version {DEFAULT_VERSION} only.")
    if not 1 <= len(values) <= limits.BATCH_MESSAGES:
        return _batch_refusal(f"A batch holds 1 to {limits.BATCH_MESSAGES} messages.")
    bodies = []
    for value in values:
        if isinstance(value, dict) and value.get("method") == "initialize":
            error = RpcError(INVALID_REQUEST, "initialize cannot be part of a batch.")
            bodies.append(envelope.failure(envelope.request_id(value), error))
        else:
            bodies.append(_single(server, value, headers).body)
    answers = [body for body in bodies if body]
    return Reply(200, b"[%b]" % b",".join(answers)) if answers else ACCEPTED


def _batch_refusal(reason: str) -> Reply:
    return Reply(400, envelope.failure(None, RpcError(INVALID_REQUEST, reason)))

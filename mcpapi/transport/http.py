"""MCP over HTTP: body and routing headers in, status and JSON out, by the rules of the message's protocol era."""

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

from mcpapi.listing.servers import Server
from mcpapi.protocol import dispatch, messages
from mcpapi.protocol.messages import Message, RpcError, RpcNotification, RpcRequest, RpcResponse
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
        value = messages.parse(body)
    except RpcError as error:
        return Reply(400, messages.failure(None, error))
    if isinstance(value, list):
        return answer_batch(server, value, headers)
    return answer_message(server, value, headers)


def answer_batch(server: Server, values: list[object], headers: Headers) -> Reply:
    problem = ""
    if headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_VERSION) != DEFAULT_VERSION:
        problem = f"Batches exist in protocol version {DEFAULT_VERSION} only."
    elif not 1 <= len(values) <= limits.BATCH_MESSAGES:
        problem = f"A batch holds 1 to {limits.BATCH_MESSAGES} messages."
    if problem:
        return Reply(400, messages.failure(None, RpcError(INVALID_REQUEST, problem)))
    bodies = []
    for value in values:
        if isinstance(value, dict) and value.get("method") == "initialize":
            error = RpcError(INVALID_REQUEST, "initialize cannot be part of a batch.")
            bodies.append(messages.failure(messages.request_id(value), error))
        else:
            bodies.append(answer_message(server, value, headers).body)
    answers = [body for body in bodies if body]
    return Reply(200, b"[%b]" % b",".join(answers)) if answers else ACCEPTED


def answer_message(server: Server, value: object, headers: Headers) -> Reply:
    try:
        message = messages.message(value)
    except RpcError as error:
        return Reply(400, messages.failure(messages.request_id(value), error))
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
        return Reply(status, messages.failure(message.id if isinstance(message, RpcRequest) else None, error))
    return Reply(200, messages.success(message.id, result))


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

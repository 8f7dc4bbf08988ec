"""The JSON-RPC envelope: bytes to messages, results and errors to bytes."""

import json
import re

import orjson
from mcp.types.jsonrpc import INVALID_REQUEST, PARSE_ERROR
from msgspec import Struct

from papercore import limits

# What a JSON-RPC error says beside its message; more is left out, because some of it repeats what was sent.
RPC_ERROR_BYTES = 8_000
RPC_MESSAGE_CHARS = 1_000
RequestId = str | int
Json = dict[str, object]

_CONTAINERS = (dict, list)
# One without its closing quote goes to the end.
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_LONG_DIGITS = re.compile(rb"\d{%d}" % (limits.JSON_INTEGER_DIGITS + 1))


class RpcError(Exception):
    """A JSON-RPC error object on its way to the caller."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class RpcRequest(Struct, frozen=True):
    id: RequestId
    method: str
    params: Json | None


class RpcNotification(Struct, frozen=True):
    method: str
    params: Json | None


class RpcResponse(Struct, frozen=True):
    """A response posted by the client. This server sends no requests, so it is accepted and dropped."""


Message = RpcRequest | RpcNotification | RpcResponse


def parse(body: bytes) -> object:
    """The JSON value in the body. Anything but strict, bounded JSON is a parse error."""
    containers = body.count(b"[") + body.count(b"{")
    if containers > limits.JSON_CONTAINERS:
        # What is in quotes is data, such as BibTeX.
        outside = _TEXT.sub(b"", body)
        containers = outside.count(b"[") + outside.count(b"{")
    if containers > limits.JSON_CONTAINERS:
        raise RpcError(PARSE_ERROR, "The JSON has too many parts.")
    try:
        value: object = orjson.loads(body)
        if _LONG_DIGITS.search(body):
            json.loads(body, parse_int=_short_integer)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "The body is not valid JSON.") from None
    if containers > limits.JSON_DEPTH and _is_deeper(value, limits.JSON_DEPTH):
        raise RpcError(PARSE_ERROR, f"The JSON is nested deeper than {limits.JSON_DEPTH} levels.")
    return value


def message(value: object) -> Message:
    """The JSON-RPC message in a JSON value; an RpcError if it is none."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'A message is one JSON object with "jsonrpc": "2.0".')
    if "id" in value and not _is_id(value["id"]):
        raise RpcError(
            INVALID_REQUEST,
            f"An id is an integer, or a string of up to {limits.RPC_ID_CHARS} characters.",
        )
    if "method" not in value and "id" in value and ("result" in value or "error" in value):
        return RpcResponse()
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str) or not method:
        raise RpcError(INVALID_REQUEST, "The message names no method.")
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_REQUEST, "The params of a request are an object.")
    return RpcRequest(value["id"], method, params) if "id" in value else RpcNotification(method, params)


def request_id(value: object) -> RequestId | None:
    """The id for the answer to an invalid message: its own, if that is valid."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if _is_id(found) else None


def success(id_: RequestId, result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (orjson.dumps(id_), result)


def failure(id_: RequestId | None, error: RpcError) -> bytes:
    body: Json = {"code": error.code, "message": error.message[:RPC_MESSAGE_CHARS]}
    if error.data is not None and len(orjson.dumps(error.data)) <= RPC_ERROR_BYTES:
        body["data"] = error.data
    return orjson.dumps({"jsonrpc": "2.0", "id": id_, "error": body})


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= limits.RPC_ID_CHARS
    return isinstance(value, int) and not isinstance(value, bool)


def _short_integer(digits: str) -> int:
    if len(digits.lstrip("-")) > limits.JSON_INTEGER_DIGITS:
        raise ValueError("integer too long")
    return int(digits)


def _is_deeper(value: object, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, _CONTAINERS)
        ]
    return bool(level)

"""Whether the routing headers of a modern request say the same as its body."""

import base64
import binascii
import re
from collections.abc import Mapping

from mcpapi.errors import RpcError
from mcpapi.protocol.messages import Json, RpcRequest
from mcpapi.protocol.names import (
    CLIENT_CAPABILITIES_META_KEY,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    MODERN_PROTOCOL_VERSIONS,
    NAMED_BY,
    PROTOCOL_VERSION_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)

_REQUIRED_META = (PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY)
_BASE64_VALUE = re.compile(r"^=\?base64\?(?P<payload>.*)\?=$")


def check_routing(request: RpcRequest, headers: Mapping[str, str]) -> None:
    """An RpcError for the first rule of the specification that the request breaks."""
    params = request.params or {}
    version = _required_meta(params)[PROTOCOL_VERSION_META_KEY]
    if MCP_PROTOCOL_VERSION_HEADER not in headers or headers[MCP_PROTOCOL_VERSION_HEADER] != version:
        raise _mismatch(MCP_PROTOCOL_VERSION_HEADER, "request envelope's protocol version")
    if headers.get(MCP_METHOD_HEADER) != request.method:
        raise _mismatch(MCP_METHOD_HEADER, "request body's method")
    parameter = NAMED_BY.get(request.method)
    named = params.get(parameter) if parameter else None
    if named is not None and _decoded(headers.get(MCP_NAME_HEADER)) != named:
        raise _mismatch(MCP_NAME_HEADER, f"request body's {parameter!r} parameter")
    check_modern_version(str(version))


def check_modern_version(version: str) -> None:
    if version not in MODERN_PROTOCOL_VERSIONS:
        known = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": version}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", known)


def _required_meta(params: Json) -> Json:
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        keys = " and ".join(map(repr, _REQUIRED_META))
        raise RpcError(INVALID_PARAMS, f"params._meta must be an object carrying the required {keys} envelope keys")
    if missing := [key for key in _REQUIRED_META if key not in meta]:
        raise RpcError(INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {', '.join(missing)}")
    return meta


def _mismatch(header: str, part: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, f"{header} header does not match the {part}")


def _decoded(value: str | None) -> str | None:
    """The value of a header that may be in base64; None if it is not as an encoder writes it."""
    found = _BASE64_VALUE.fullmatch(value or "")
    if found is None:
        return value
    payload = found["payload"]
    try:
        decoded = base64.b64decode(payload, validate=True)
        # Decoding forgives bits that no encoder writes.
        return decoded.decode() if base64.b64encode(decoded).decode() == payload else None
    except (binascii.Error, UnicodeDecodeError):
        return None

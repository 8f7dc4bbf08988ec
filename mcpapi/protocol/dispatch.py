"""Runs a request against a server, for every transport: method and params in, the JSON of the result out."""

import logging
from collections.abc import Callable
from functools import cache

import orjson
from django.conf import settings
from pydantic import ValidationError

from mcpapi.client_requests import validate_client_request
from mcpapi.errors import RESOURCE_NOT_FOUND, RpcError
from mcpapi.listing.servers import Server
from mcpapi.protocol import calls
from mcpapi.protocol.messages import Json
from mcpapi.protocol.names import (
    CACHEABLE_METHODS,
    HANDSHAKE_PROTOCOL_VERSIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LATEST_HANDSHAKE_VERSION,
    METHOD_NOT_FOUND,
    MODERN_PROTOCOL_VERSIONS,
    SERVER_INFO_META_KEY,
)
from papercore.errors import InvalidInput, NotFound, ToolError
from papercore.resource import Resources

logger = logging.getLogger(__name__)

# How long a client may cache an answer: fixed results change with a release, papers with the snapshot.
_FIXED_TTL_MS = 300_000
_PAPERS_TTL_MS = 60_000
_LOCATION_CHARS = 200


def run(server: Server, method: str, params: Json | None, version: str) -> bytes:
    """The JSON of the result. Raises RpcError and nothing else."""
    _check(server, method, params, version)
    try:
        if method in _FIXED:
            return _fixed_result(server, method, version, _cache_scope())
        if method == "tools/call":
            return _encode(server, method, version, calls.call_tool(server, params or {}, version))
        return _encode(server, method, version, _HANDLERS[method](server, params or {}))
    except ToolError as error:
        raise _resource_error(error, params or {}, version) from None
    except RpcError:
        raise
    except Exception:
        logger.exception("%s on the server %s failed", method, server.name)
    if method != "tools/call":
        raise RpcError(INTERNAL_ERROR, "Internal error.")
    return _encode(server, method, version, calls.internal_error())


def _check(server: Server, method: str, params: Json | None, version: str) -> None:
    if method not in methods(server):
        raise RpcError(METHOD_NOT_FOUND, "Method not found.")
    try:
        validate_client_request(method, version, params)
    except KeyError:
        raise RpcError(METHOD_NOT_FOUND, f"Method not found in protocol version {version}.") from None
    except ValidationError as error:
        # There may be thousands of errors, with names of any length: the first is enough.
        location = error.errors(include_url=False, include_context=False, include_input=False)[0]["loc"]
        place = ".".join(map(str, location))[:_LOCATION_CHARS]
        raise RpcError(INVALID_PARAMS, f"Invalid params: {place}") from None
    if method in _FIXED and params and params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Unknown cursor: the list has one page.")


def _initialize(server: Server, params: Json) -> Json:
    requested = params["protocolVersion"]
    return {
        "protocolVersion": requested if requested in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION,
        "capabilities": server.capabilities,
        "serverInfo": server.info,
        "instructions": server.instructions,
    }


def _discover(server: Server) -> Json:
    return {
        "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
        "capabilities": server.capabilities,
        "instructions": server.instructions,
    }


def _ping(server: Server, params: Json) -> Json:
    return {}


def _list_tools(server: Server) -> Json:
    return {"tools": [tool.listing() for tool in server.tools]}


def _list_templates(server: Server) -> Json:
    return {
        "resourceTemplates": [
            {
                "uriTemplate": template.uri_template,
                "name": template.name,
                "title": template.title,
                "description": template.description,
                "mimeType": template.mime_type,
            }
            for template in _resources(server).templates
        ]
    }


def _list_resources(server: Server, params: Json) -> Json:
    cursor = params.get("cursor")
    page = _resources(server).page(None if cursor is None else str(cursor))
    listed: Json = {
        "resources": [
            {"uri": found.uri, "name": found.name, "title": found.title, "mimeType": found.mime_type}
            for found in page.resources
        ]
    }
    return listed if page.next_cursor is None else {**listed, "nextCursor": page.next_cursor}


def _read_resource(server: Server, params: Json) -> Json:
    found = _resources(server).read(str(params["uri"]))
    return {"contents": [{"uri": found.uri, "mimeType": found.mime_type, "text": found.text}]}


def _resources(server: Server) -> Resources:
    if server.resources is None:
        raise RpcError(METHOD_NOT_FOUND, "Method not found.")
    return server.resources


_FIXED: dict[str, Callable[[Server], Json]] = {
    "server/discover": _discover,
    "tools/list": _list_tools,
    "resources/templates/list": _list_templates,
}
_HANDLERS: dict[str, Callable[[Server, Json], Json]] = {
    "initialize": _initialize,
    "ping": _ping,
    "resources/list": _list_resources,
    "resources/read": _read_resource,
}
_METHODS = frozenset((*_FIXED, *_HANDLERS, "tools/call"))
_METHODS_WITHOUT_RESOURCES = frozenset(method for method in _METHODS if not method.startswith("resources/"))


def methods(server: Server) -> frozenset[str]:
    """The methods of the server; the protocol version narrows them further."""
    return _METHODS_WITHOUT_RESOURCES if server.resources is None else _METHODS


@cache
def _fixed_result(server: Server, method: str, version: str, scope: str) -> bytes:
    """Results that never change while the process runs are serialised once."""
    return _encode(server, method, version, _FIXED[method](server))


def _encode(server: Server, method: str, version: str, result: Json) -> bytes:
    if version in MODERN_PROTOCOL_VERSIONS:
        result = {"resultType": "complete", **result, "_meta": {SERVER_INFO_META_KEY: server.info}}
        if method in CACHEABLE_METHODS:
            result["ttlMs"] = _FIXED_TTL_MS if method in _FIXED else _PAPERS_TTL_MS
            result["cacheScope"] = _cache_scope()
    return orjson.dumps(result)


def _cache_scope() -> str:
    """Where a token is required, a cached answer must not be shown to others."""
    return "private" if settings.MCP_AUTH == "required" else "public"


def _resource_error(error: ToolError, params: Json, version: str) -> RpcError:
    data = {"uri": params["uri"], **error.payload()} if "uri" in params else error.payload()
    if isinstance(error, NotFound):
        code = INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
    else:
        code = INVALID_PARAMS if isinstance(error, InvalidInput) else INTERNAL_ERROR
    return RpcError(code, error.message, data)

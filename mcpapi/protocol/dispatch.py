"""Runs a request against a server, for every transport: method and params in, the JSON of the result out."""

import base64
import logging
from collections.abc import Callable

import orjson
from django.conf import settings
from mcp.types import CLIENT_CAPABILITIES_META_KEY, SERVER_INFO_META_KEY
from mcp.types.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND
from mcp.types.methods import CACHEABLE_METHODS, validate_client_request
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from mcpapi.listing import apps
from mcpapi.listing.servers import Server
from mcpapi.protocol import calls
from mcpapi.protocol.messages import Json, RpcError
from papercore import limits
from papercore.errors import InvalidInput, NotFound, ToolError
from papercore.resource import ResourceBytes, Resources

logger = logging.getLogger(__name__)

# The code of a missing resource until 2025-11-25; later versions use invalid params.
RESOURCE_NOT_FOUND = -32002
# These answers change with a release alone, those about papers with the snapshot.
FIXED = frozenset(("server/discover", "tools/list", "resources/templates/list"))
# How long a client may cache an answer.
_FIXED_TTL_MS = 300_000
_PAPERS_TTL_MS = 60_000
_LOCATION_CHARS = 200


def run(server: Server, method: str, params: Json | None, version: str) -> bytes:
    """The JSON of the result. Raises RpcError and nothing else."""
    check(server, method, params, version)
    given = params or {}
    try:
        result = calls.call_tool(server, given, version) if method == "tools/call" else ANSWERS[method](server, given)
    except ToolError as error:
        raise resource_error(error, given, version) from None
    except RpcError:
        raise
    except Exception:
        logger.exception("%s on the server %s failed", method, server.name)
        if method != "tools/call":
            raise RpcError(INTERNAL_ERROR, "Internal error.") from None
        result = calls.internal_error()
    if version in MODERN_PROTOCOL_VERSIONS:
        result = {"resultType": "complete", **result, "_meta": {SERVER_INFO_META_KEY: server.info}}
        if method in CACHEABLE_METHODS:
            result |= _caching(server, method, given)
    return orjson.dumps(result)


def _caching(server: Server, method: str, params: Json) -> Json:
    """For how long a client may keep the answer, and whether others may have it."""
    seconds = _FIXED_TTL_MS if method in FIXED else _PAPERS_TTL_MS
    of_app = apps.is_of_app(str(params.get("uri", "")))
    # Where a token is required, a cached answer must not be shown to others; nor what only some clients are told.
    private = settings.MCP_AUTH == "required" or of_app or (server.has_apps and shows_apps(params))
    return {"ttlMs": 0 if of_app else seconds, "cacheScope": "private" if private else "public"}


def shows_apps(params: Json) -> bool:
    """Whether the client shows apps. One of an older version says so once alone, so it is told of them in any case."""
    meta = params.get("_meta")
    declared = meta.get(CLIENT_CAPABILITIES_META_KEY) if isinstance(meta, dict) else None
    return declared is None or apps.declares_apps(declared)


def check(server: Server, method: str, params: Json | None, version: str) -> None:
    """An RpcError unless the server has the method, the version knows it, and the params have its shape."""
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
    if method in FIXED and params and params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Unknown cursor: the list has one page.")


def methods(server: Server) -> frozenset[str]:
    """The methods of the server; the protocol version narrows them further."""
    served = ("tools/call", *ANSWERS)
    return frozenset(
        method
        for method in served
        if server.resources or not method.startswith("resources/") or (server.has_apps and method == "resources/read")
    )


def initialize(server: Server, params: Json) -> Json:
    requested = params["protocolVersion"]
    return {
        "protocolVersion": requested if requested in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION,
        "capabilities": server.capabilities(with_apps=apps.declares_apps(params.get("capabilities"))),
        "serverInfo": server.info,
        "instructions": server.instructions,
    }


def discover(server: Server, params: Json) -> Json:
    return {
        "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
        "capabilities": server.capabilities(with_apps=shows_apps(params)),
        "instructions": server.instructions,
    }


def ping(server: Server, params: Json) -> Json:
    return {}


def list_tools(server: Server, params: Json) -> Json:
    with_app = shows_apps(params)
    return {"tools": [tool.listing(with_app=with_app) for tool in server.listed]}


def list_templates(server: Server, params: Json) -> Json:
    return {
        "resourceTemplates": [
            {
                "uriTemplate": template.uri_template,
                "name": template.name,
                "title": template.title,
                "description": template.description,
                "mimeType": template.mime_type,
            }
            for template in resources_of(server).templates
        ]
    }


def list_resources(server: Server, params: Json) -> Json:
    cursor = params.get("cursor")
    page = resources_of(server).page(None if cursor is None else str(cursor))
    listed: Json = {
        "resources": [
            {"uri": found.uri, "name": found.name, "title": found.title, "mimeType": found.mime_type}
            for found in page.resources
        ]
    }
    return listed if page.next_cursor is None else {**listed, "nextCursor": page.next_cursor}


def read_resource(server: Server, params: Json) -> Json:
    uri = str(params["uri"])
    if len(uri) > limits.URI_CHARS:
        raise RpcError(INVALID_PARAMS, f"A uri has at most {limits.URI_CHARS} characters.")
    found = apps.read(uri) if server.has_apps and apps.is_of_app(uri) else resources_of(server).read(uri)
    if isinstance(found, ResourceBytes):
        content = {"blob": base64.b64encode(found.data).decode()}
    else:
        content = {"text": found.text}
    shown = {"_meta": {"ui": {"prefersBorder": True}}} if found.mime_type == apps.MIME_TYPE else {}
    return {"contents": [{"uri": found.uri, "mimeType": found.mime_type, **content, **shown}]}


def resources_of(server: Server) -> Resources:
    if server.resources is None:
        raise RpcError(METHOD_NOT_FOUND, "Method not found.")
    return server.resources


def resource_error(error: ToolError, params: Json, version: str) -> RpcError:
    data = {"uri": params["uri"], **error.payload()} if "uri" in params else error.payload()
    if isinstance(error, NotFound):
        code = INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
    else:
        code = INVALID_PARAMS if isinstance(error, InvalidInput) else INTERNAL_ERROR
    return RpcError(code, error.message, data)


ANSWERS: dict[str, Callable[[Server, Json], Json]] = {
    "initialize": initialize,
    "ping": ping,
    "server/discover": discover,
    "tools/list": list_tools,
    "resources/list": list_resources,
    "resources/read": read_resource,
    "resources/templates/list": list_templates,
}

"""MCP over stdin and stdout: the SDK's own loop around the dispatch that HTTP uses too."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import TextIOWrapper
from typing import Any, BinaryIO  # the SDK's results and contexts are untyped JSON

import anyio
import orjson
from django.core.signals import request_finished, request_started
from mcp.server import Server as SdkServer
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import CLIENT_CAPABILITIES_META_KEY, RequestParams
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from mcpapi.listing.servers import Server
from mcpapi.protocol import dispatch
from mcpapi.protocol.messages import Json, RpcError
from papercore.version import VERSION

# Agents call a few tools at once. The threads are kept, and with them their database connections.
_THREADS = 4


def serve(server: Server, output: BinaryIO) -> None:
    """Serve until stdin ends. Messages are written to `output`."""
    anyio.run(_serve, server, output)


async def _serve(server: Server, output: BinaryIO) -> None:
    stdout = anyio.wrap_file(TextIOWrapper(output, encoding="utf-8", newline="\n"))
    with ThreadPoolExecutor(_THREADS, "mcp") as pool:
        loop = _sdk_server(server, pool)
        async with stdio_server(stdout=stdout) as (reading, writing):
            await loop.run(reading, writing, loop.create_initialization_options())


def _sdk_server(server: Server, pool: ThreadPoolExecutor) -> SdkServer[Any]:
    """The SDK does the handshake and the envelopes; our dispatch answers every other method."""

    async def handle(context: ServerRequestContext[Any, Any], _: RequestParams) -> dict[str, Any]:
        message = (server, context.method, _params(context), context.protocol_version)
        return await asyncio.get_running_loop().run_in_executor(pool, _answer, *message)

    loop: SdkServer[Any] = SdkServer(server.name, version=VERSION, title=server.title, instructions=server.instructions)
    for method in dispatch.methods(server):
        if method != "initialize":
            loop.add_request_handler(method, RequestParams, handle)
    return loop


def _params(context: ServerRequestContext[Any, Any]) -> Json | None:
    """The params of a message, with what a client of an older version declared once, where others say it each time."""
    params = None if context.params is None else dict(context.params)
    declared = context.session.client_capabilities
    if declared is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return params
    capabilities = declared.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {**(params or {}), "_meta": {**(params or {}).get("_meta", {}), CLIENT_CAPABILITIES_META_KEY: capabilities}}


def _answer(server: Server, method: str, params: Json | None, version: str) -> dict[str, Any]:
    """Treat the message as a Django request, so that connections and a replaced snapshot are handled as over HTTP."""
    request_started.send(sender=_answer)
    try:
        result: dict[str, Any] = orjson.loads(dispatch.run(server, method, params, version))
        return result
    except RpcError as error:
        raise MCPError(error.code, error.message, error.data) from None
    finally:
        request_finished.send(sender=_answer)

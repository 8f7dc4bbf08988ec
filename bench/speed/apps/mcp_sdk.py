"""The same tools on the SDK's own servers: MCPServer, and the low-level server that calls them inline."""

import os
from typing import Any  # the SDK's contexts are untyped

import django
import orjson
from mcp.server import Server as LowLevelServer
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
django.setup()

from bench.speed.apps.mcp_constant import constant  # noqa: E402  (needs Django)
from mcpapi.listing.servers import PAPERS  # noqa: E402
from mcpapi.listing.tool import read_tool  # noqa: E402

TOOLS = (*PAPERS.tools, read_tool(constant, "Constant"))
BY_NAME = {tool.name: tool for tool in TOOLS}
LISTING = ListToolsResult(tools=[Tool.model_validate(tool.listing()) for tool in TOOLS])


def _high_level() -> MCPServer:
    server = MCPServer("papers", instructions=PAPERS.instructions)
    for tool in TOOLS:
        server.add_tool(tool.function, name=tool.name, title=tool.title, description=tool.description)
    return server


async def _list_tools(context: Any, params: Any) -> ListToolsResult:
    return LISTING


async def _call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
    answer = BY_NAME[params.name].function(**(params.arguments or {})).model_dump(mode="json")
    text = TextContent(type="text", text=orjson.dumps(answer).decode())
    return CallToolResult(content=[text], structured_content=answer)


_low: LowLevelServer[Any] = LowLevelServer(
    "papers",
    on_list_tools=_list_tools,
    on_call_tool=_call_tool,
    get_tool_input_schema=lambda name: BY_NAME[name].input_schema,
)

mcpserver = _high_level().streamable_http_app(json_response=True, stateless_http=True)
lowlevel = _low.streamable_http_app(json_response=True, stateless_http=True)

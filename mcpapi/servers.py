"""The MCP servers: named lists of tools, with resources and instructions for the agent."""

from dataclasses import dataclass
from functools import cached_property

from mcpapi.registry import Tool
from paper_search.resource import Resources

VERSION = "0.1.0"


@dataclass(frozen=True, eq=False)
class Server:
    """What one MCP endpoint offers. `instructions` reach the agent once, when it connects."""

    name: str
    title: str
    instructions: str
    tools: tuple[Tool, ...]
    resources: Resources | None = None

    @cached_property
    def tool_by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def info(self) -> dict[str, object]:
        return {"name": self.name, "title": self.title, "version": VERSION}

    @cached_property
    def capabilities(self) -> dict[str, object]:
        return {"tools": {}} if self.resources is None else {"tools": {}, "resources": {}}


PAPERS = Server(
    name="papers",
    title="Research papers",
    instructions="",
    tools=(),
)

# POST /mcp serves the first; POST /mcp/<name> serves each by its name.
SERVERS = {server.name: server for server in (PAPERS,)}

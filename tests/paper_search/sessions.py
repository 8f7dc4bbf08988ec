"""How tests call the tools of the library's MCP server."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from paper_search import mcp_server as server

State = dict[str, object]


def run(scene: Callable[[], Awaitable[None]]) -> None:
    """Run a scene and leave no session behind."""

    async def whole() -> None:
        await scene()
        for session_id in list(server.sessions._sessions):
            server.sessions.cleanup(session_id)
        await asyncio.sleep(0)

    asyncio.run(whole())


async def called(tool: Awaitable[str]) -> State:
    data = json.loads(await tool)
    assert isinstance(data, dict)
    return data


async def start(query: str = "graphs") -> tuple[str, State]:
    state = await called(server.search_papers(query))
    return str(state["session_id"]), state

"""The library's MCP server: its four tools in process, and the same over stdio."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent

from paper_search import mcp_server as server
from paper_search.export import export_bibtex, export_json, export_markdown
from paper_search.workflow.session import SessionManager
from tests.paper_search.samples import strategy
from tests.paper_search.sessions import State, called, run, start
from tests.paper_search.workflows import Finder, Parts, maker

PROJECT = Path(__file__).parents[2]


async def refused(name: str, arguments: dict[str, object]) -> State:
    """Call over the server object and expect an error result."""
    result = await server.mcp.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error
    content = result.content[0]
    assert isinstance(content, TextContent)
    data = json.loads(content.text)
    assert isinstance(data["error"], str)
    return dict(data)


@pytest.mark.scenario("search-mcp / search_papers tool (REQ-8) / Search stops at the first checkpoint")
@pytest.mark.scenario("search-mcp / get_session tool (REQ-11) / State of a waiting session")
def test_a_search_stops_at_the_strategy(parts: list[Parts]) -> None:
    async def scene() -> None:
        session_id, state = await start()
        checkpoint = state["checkpoint"]
        assert isinstance(checkpoint, dict)
        assert checkpoint["kind"] == "strategy_confirmation"
        assert set(checkpoint["payload"]) == {"intent", "strategy", "iteration", "plan"}
        again = await called(server.get_session(session_id))
        assert again == state
        assert (again["query"], again["is_complete"], again["has_pending_checkpoint"]) == ("graphs", False, True)
        assert again["current_checkpoint_kind"] == "strategy_confirmation"
        assert "error" not in again

    run(scene)


@pytest.mark.scenario("search-mcp / search_papers tool (REQ-8) / Search without checkpoints returns the result")
def test_a_search_without_checkpoints_returns_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = SessionManager(make_workflow=lambda config, handler: Parts().workflow(None))
    monkeypatch.setattr(server, "sessions", silent)

    async def scene() -> None:
        _, state = await start()
        assert state["is_complete"]
        assert state["result"] == {
            "paper_count": 2,
            "summary": "2 papers. Themes: paper, graphs. First: Paper 1a on graphs; Paper 1b on graphs.",
        }

    run(scene)


@pytest.mark.scenario("search-mcp / decide tool (REQ-9) / Approve leads to the next state")
@pytest.mark.scenario("search-mcp / get_session tool (REQ-11) / State of a finished session")
@pytest.mark.scenario("search-mcp / export_results tool (REQ-10) / Export in each format")
@pytest.mark.scenario("search-mcp / export_results tool (REQ-10) / Markdown is the default format")
@pytest.mark.scenario("search-mcp / export_results tool (REQ-10) / Unknown format is refused")
@pytest.mark.scenario("search-product / Export formats (C4) / Three export formats")
def test_approving_leads_to_the_results_and_their_exports(parts: list[Parts]) -> None:
    async def scene() -> None:
        session_id, _ = await start()
        state = await called(server.decide(session_id, "approve"))
        assert state["current_checkpoint_kind"] == "result_review"
        assert state["sources"] == {"fake": {"count": 2, "steps": [], "ignored": [], "nearest": {}}}
        state = await called(server.decide(session_id, "approve"))
        assert (state["is_complete"], state["has_pending_checkpoint"]) == (True, False)
        assert await called(server.get_session(session_id)) == state
        session = server.sessions.get(session_id)
        assert session is not None
        assert session.result is not None
        assert await server.export_results(session_id, "json") == export_json(session.result)
        assert await server.export_results(session_id, "bibtex") == export_bibtex(session.result)
        assert await server.export_results(session_id) == export_markdown(session.result)
        error = await called(server.export_results(session_id, "docx"))
        assert all(name in str(error["message"]) for name in ("json", "bibtex", "markdown"))

    run(scene)


@pytest.mark.scenario("search-mcp / decide tool (REQ-9) / Edit passes revised data on")
@pytest.mark.scenario("search-mcp / decide tool (REQ-9) / Reject passes the note on")
@pytest.mark.scenario("search-product / One decide tool (C3) / The same tool decides on strategy and results")
def test_data_and_note_reach_the_workflow(parts: list[Parts]) -> None:
    async def scene() -> None:
        session_id, _ = await start()
        revised = strategy("molecules")
        state = await called(server.decide(session_id, "edit", revised.model_dump(mode="json")))
        assert parts[0].finder.asked == [revised]
        state = await called(server.decide(session_id, "reject", note="too old"))
        assert state["iteration"] == 1
        feedback = parts[0].builder.asked[1].user_feedback
        assert feedback is not None
        assert feedback.free_text_feedback == "too old"

    run(scene)


@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / Unknown session_id")
@pytest.mark.scenario("search-product / Edge cases of sessions / Decide on an unknown session")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("decide", {"action": "approve"}), ("export_results", {}), ("get_session", {})],
)
def test_an_unknown_session_is_an_error(parts: list[Parts], name: str, arguments: dict[str, object]) -> None:
    async def scene() -> None:
        error = await refused(name, {"session_id": "nobody", **arguments})
        assert error["message"] == "Session not found"

    run(scene)


@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / Invalid action")
@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / Export on incomplete session")
@pytest.mark.scenario("search-product / Edge cases of sessions / Export before the end")
def test_an_invalid_call_leaves_the_checkpoint_pending(parts: list[Parts]) -> None:
    async def scene() -> None:
        session_id, state = await start()
        for arguments in ({"action": "accept"}, {"action": "edit"}, {"action": "edit", "data": {"queries": 1}}, {}):
            await refused("decide", {"session_id": session_id, **arguments})
        error = await refused("export_results", {"session_id": session_id})
        assert error["message"] == "Session not complete"
        assert await called(server.get_session(session_id)) == state

    run(scene)


@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / Session already complete")
@pytest.mark.scenario("search-product / Edge cases of sessions / Decide after the end")
def test_a_complete_session_takes_no_decision(parts: list[Parts]) -> None:
    async def scene() -> None:
        session_id, _ = await start()
        await server.decide(session_id, "approve")
        await server.decide(session_id, "approve")
        error = await refused("decide", {"session_id": session_id, "action": "approve"})
        assert error["message"] == "Session already complete"

    run(scene)


@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / No pending checkpoint")
@pytest.mark.scenario("search-product / Edge cases of sessions / Decide without a checkpoint")
def test_a_running_session_has_no_pending_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        gate = asyncio.Event()
        slow = SessionManager(make_workflow=maker(lambda: Parts(finder=Finder(gate=gate))), wait_seconds=0.01)
        monkeypatch.setattr(server, "sessions", slow)
        session_id, _ = await start()
        await server.get_session(session_id, 5)
        await server.decide(session_id, "approve")
        error = await refused("decide", {"session_id": session_id, "action": "approve"})
        assert error["message"] == "No pending checkpoint"
        gate.set()

    run(scene)


@pytest.mark.scenario("search-mcp / Error handling (REQ-14) / Workflow runtime error")
@pytest.mark.scenario("search-mcp / get_session tool (REQ-11) / State of a failed session")
def test_a_failure_of_the_workflow_is_an_error_result(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = maker(lambda: Parts(finder=Finder(fail=RuntimeError("no space left"))))
    monkeypatch.setattr(server, "sessions", SessionManager(make_workflow=broken))

    async def scene() -> None:
        session_id, _ = await start()
        error = await refused("decide", {"session_id": session_id, "action": "approve"})
        assert (error["error"], error["message"]) == ("search_failed", "no space left")
        state = json.loads(await server.get_session(session_id))
        assert (state["error"], state["is_complete"]) == ("no space left", True)
        assert (await refused("decide", {"session_id": session_id, "action": "approve"}))["reason"] == "no space left"
        assert "no space left" in str(await refused("export_results", {"session_id": session_id}))

    run(scene)


@pytest.mark.scenario("search-product / Edge cases of sessions / Invalid configuration")
@pytest.mark.parametrize(
    "arguments", [{"domain": "alchemy"}, {"max_results": 0}, {"query": "  "}, {"query": "x" * 501}]
)
def test_invalid_configuration_leaves_no_session_behind(parts: list[Parts], arguments: dict[str, object]) -> None:
    async def scene() -> None:
        await refused("search_papers", {"query": "graphs", **arguments})
        assert not server.sessions._sessions

    run(scene)


@pytest.mark.scenario("search-mcp / search_papers tool (REQ-8) / Domain and max_results take effect")
def test_domain_and_max_results_take_effect(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERSITE_SNAPSHOT", str(library))
    monkeypatch.setattr(server, "sessions", SessionManager())

    async def scene() -> None:
        state = await called(server.search_papers("transformer", domain="computer_science", max_results=1))
        session_id = str(state["session_id"])
        session = server.sessions.get(session_id)
        assert session is not None
        assert session.workflow is not None
        assert session.workflow.relevance_scorer.domain.name == "computer_science"  # type: ignore[attr-defined]
        await server.decide(session_id, "approve")
        state = await called(server.decide(session_id, "approve"))
        assert isinstance(state["result"], dict)
        assert state["result"]["paper_count"] == 1

    run(scene)


@pytest.mark.scenario("search-product / Official MCP SDK (C2) / Server uses the SDK's server class")
def test_the_server_is_the_sdks() -> None:
    assert isinstance(server.mcp, MCPServer)


@pytest.mark.scenario("search-mcp / Server entry point (REQ-16) / Script is registered")
@pytest.mark.scenario("search-product / Optional MCP dependency / Dependency group and script")
def test_the_script_and_the_optional_dependency_are_registered() -> None:
    project = tomllib.loads((PROJECT / "deploy" / "paper-search" / "pyproject.toml").read_text())["project"]
    assert project["scripts"]["paper-search-mcp"] == "paper_search.mcp_server:main"
    assert any(name.startswith("mcp") for name in project["optional-dependencies"]["mcp"])
    without = [path for path in PROJECT.joinpath("paper_search").rglob("*.py") if path.name != "mcp_server.py"]
    assert [
        path.name for path in without if re.search(r"^\s*(from|import) mcp\b", path.read_text(), re.MULTILINE)
    ] == []


@pytest.mark.scenario("search-mcp / FastMCP server instance (REQ-7) / Server is named paper-search")
@pytest.mark.scenario("search-mcp / FastMCP server instance (REQ-7) / Four tools are offered")
@pytest.mark.scenario("search-mcp / Server entry point (REQ-16) / Entry point serves stdio")
@pytest.mark.scenario("search-product / Server entry point / Module runs as a program")
@pytest.mark.scenario("search-product / Tool descriptions / Arguments are explained")
def test_the_server_over_stdio(library: Path) -> None:
    environment = {**os.environ, "PAPERSITE_SNAPSHOT": str(library)}
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "paper_search.mcp_server"], env=environment, cwd=PROJECT
    )

    async def scene() -> None:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
            hello = await client.initialize()
            assert hello.server_info.name == "paper-search"
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {"search_papers", "decide", "export_results", "get_session"}
            for tool in tools.values():
                assert all(item.get("description") for item in tool.input_schema["properties"].values())
            explained = str([tool.input_schema for tool in tools.values()])
            for word in ("approve", "edit", "reject", "json", "bibtex", "markdown", "materials_science"):
                assert word in explained
            found = await client.call_tool("search_papers", {"query": "attention since 2015"})
            content = found.content[0]
            assert isinstance(content, TextContent)
            assert json.loads(content.text)["current_checkpoint_kind"] == "strategy_confirmation"

    asyncio.run(asyncio.wait_for(scene(), 30))


def test_a_burst_of_decisions_over_stdio_decides_one_checkpoint(library: Path) -> None:
    """All of them are in the pipe before the first is answered."""
    numbers = count(1)
    environment = {**os.environ, "PAPERSITE_SNAPSHOT": str(library)}
    with subprocess.Popen(
        [sys.executable, "-m", "paper_search.mcp_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        cwd=PROJECT,
    ) as process:
        assert process.stdin
        assert process.stdout

        def send(*calls: tuple[str, Mapping[str, object]]) -> list[dict[str, object]]:
            lines = [
                json.dumps({"jsonrpc": "2.0", "id": next(numbers), "method": method, "params": params})
                for method, params in calls
            ]
            assert process.stdin
            assert process.stdout
            process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            process.stdin.flush()
            answers = [json.loads(process.stdout.readline())["result"] for _ in calls]
            return [json.loads(answer["content"][0]["text"]) if "content" in answer else answer for answer in answers]

        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        send(("initialize", client))
        process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        for _ in range(5):
            (started,) = send(("tools/call", {"name": "search_papers", "arguments": {"query": "attention"}}))
            session: dict[str, object] = {"session_id": started["session_id"]}
            decide = ("tools/call", {"name": "decide", "arguments": {**session, "action": "approve"}})
            send(*[decide] * 20)
            look = ("tools/call", {"name": "get_session", "arguments": {**session, "wait_seconds": 20}})
            (state,) = send(look)
            for _ in range(10):  # a search may take long on a busy machine
                if state["is_complete"] or state["has_pending_checkpoint"]:
                    break
                (state,) = send(look)
            assert (state["is_complete"], state["current_checkpoint_kind"]) == (False, "result_review"), state
            assert send(decide)[0]["is_complete"]
        process.stdin.close()


def test_a_decision_without_id_never_decides_a_checkpoint_that_nobody_was_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        gate = asyncio.Event()
        slow = SessionManager(make_workflow=maker(lambda: Parts(finder=Finder(gate=gate))), wait_seconds=0.01)
        monkeypatch.setattr(server, "sessions", slow)
        session_id, _ = await start()
        await server.get_session(session_id, 5)
        await server.decide(session_id, "approve")
        gate.set()
        await slow.require(session_id).wait_for_pause(5)
        error = await refused("decide", {"session_id": session_id, "action": "approve"})
        assert error["error"] == "checkpoint_unseen"
        await server.get_session(session_id)
        assert (await called(server.decide(session_id, "approve")))["is_complete"]

    run(scene)

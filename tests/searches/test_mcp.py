"""Search sessions over MCP: HTTP and stdio, both names of the first tool, tokens."""

import json
import shutil
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from mcpapi.models import create_token
from tests.mcpapi.clients import connect_stdio

QUESTION = "attention in transformers since 2015"


def call(path: str, tool: str, token: str = "", **arguments: object) -> tuple[bool, dict[str, object]]:
    """Whether the answer is an error, and what it says."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {"authorization": f"Bearer {token}"} if token else {}
    answer = Client().post(path, json.dumps(message), content_type="application/json", headers=headers)
    assert answer.status_code == 200, answer.content
    result = answer.json()["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["isError"], result["structuredContent"]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("path", "first"), [("/mcp", "start_search"), ("/mcp/paper-search", "search_papers")])
def test_a_whole_search_over_http(path: str, first: str) -> None:
    failed, state = call(path, first, query=QUESTION)
    assert not failed
    session_id = str(state["session_id"])
    assert state["page"] == f"http://testserver/searches/{session_id}/"
    assert state["current_checkpoint_kind"] == "strategy_confirmation"
    _, state = call(path, "decide", session_id=session_id, action="approve")
    assert state["current_checkpoint_kind"] == "result_review"
    _, state = call(path, "decide", session_id=session_id, action="approve")
    assert state["is_complete"]
    _, export = call(path, "export_results", session_id=session_id)
    assert "Attention Is All You Need" in str(export["text"])
    assert call(path, "get_session", session_id=session_id, wait_seconds=1) == (False, state)


@pytest.mark.usefixtures("database")
def test_errors_are_results_with_a_code_and_words() -> None:
    failed, error = call("/mcp/paper-search", "decide", session_id="0" * 32, action="approve")
    assert failed
    assert (error["error"], error["message"]) == ("session_not_found", "Session not found")
    failed, error = call("/mcp/paper-search", "decide", session_id="0" * 32, action="accept")
    assert (failed, error["error"]) == (True, "invalid_input")
    failed, error = call("/mcp", "search_papers", query="x", domain="general")
    assert failed, "on /mcp this is the full-text search, which has no domain"


@pytest.mark.usefixtures("database")
def test_a_session_belongs_to_its_token(settings: Settings) -> None:
    settings.MCP_AUTH = "required"
    mine, yours = create_token("mine"), create_token("yours")
    _, state = call("/mcp", "start_search", mine, query=QUESTION)
    session_id = str(state["session_id"])
    assert call("/mcp", "get_session", mine, session_id=session_id) == (False, state)
    assert call("/mcp", "get_session", yours, session_id=session_id)[0]
    assert call("/mcp", "decide", yours, session_id=session_id, action="approve")[0]
    assert Client().get(f"/searches/{session_id}/").status_code == 404


def test_the_same_server_over_stdio(migrated: Path, tmp_path: Path) -> None:
    shutil.copy(migrated, tmp_path / "site.sqlite3")
    address = f"sqlite:///{tmp_path / 'site.sqlite3'}"
    with connect_stdio("legacy", "paper-search", PAPERSITE_DATABASE_URL=address) as connected:
        names = [tool.name for tool in connected.ask("list_tools").tools]
        assert names == ["search_papers", "decide", "get_session", "export_results"]
        state = connected.ask("call_tool", "search_papers", {"query": QUESTION}).structured_content
        assert state["current_checkpoint_kind"] == "strategy_confirmation"
        decision = {"session_id": state["session_id"], "action": "approve"}
        state = connected.ask("call_tool", "decide", decision).structured_content
        assert state["current_checkpoint_kind"] == "result_review"

"""The review board: told to clients that show apps, invisible to others; what it shows, and who decides on it."""

import re
from typing import Any  # JSON as it comes

import pytest
from mcp.client.extension import advertise

from mcpapi.listing.apps import BOARD, EXTENSION, MIME_TYPE
from paper_search.workflow.errors import NoPendingCheckpoint
from searches import board, tools
from searches.models import SearchSession
from tests.mcpapi.clients import connect_http, connect_stdio
from tests.mcpapi.site import MODERN, Site, initialize, request
from tests.searches.test_input_required import site  # noqa: F401 (the fixture)

QUESTION = "attention in transformers since 2015"
SHOWS = {"extensions": [advertise(EXTENSION, {"mimeTypes": [MIME_TYPE]})]}
WITH_BOARD = {"start_search", "decide"}


def bound(listed: Any) -> dict[str, str]:
    return {tool.name: tool.meta["ui"]["resourceUri"] for tool in listed.tools if tool.meta}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/paper-search"])
def test_a_client_of_today_is_told_of_the_board_only_if_it_shows_apps(site: Site, path: str) -> None:  # noqa: F811
    first = "start_search" if path == "/mcp" else "search_papers"
    with connect_http(site.at(path).url, "modern", **SHOWS) as connected:
        assert bound(connected.ask("list_tools")) == dict.fromkeys((first, "decide"), BOARD)
        assert connected.client.server_capabilities.extensions == {EXTENSION: {}}
        assert connected.client.server_capabilities.resources is not None
        mime_type, text = connected.read(BOARD)
        assert mime_type == MIME_TYPE
        assert not re.search(r'(?:src|href)="|url\("', text), "it needs no other file"
    with connect_http(site.at(path).url, "modern") as connected:
        assert bound(connected.ask("list_tools")) == {}
        assert connected.client.server_capabilities.extensions is None
        assert (connected.client.server_capabilities.resources is None) == (path != "/mcp")


@pytest.mark.parametrize(("options", "tools"), [({}, set()), (SHOWS, WITH_BOARD)], ids=["plain", "shows"])
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_on_stdio_the_handshake_tells_both_kinds_apart(era: str, options: dict[str, Any], tools: set[str]) -> None:
    with connect_stdio(era, options=options) as connected:
        assert set(bound(connected.ask("list_tools"))) == tools


def test_an_older_client_over_http_has_the_hint_in_meta_and_nothing_else(site: Site) -> None:  # noqa: F811
    """It says what it shows in a message of its own, and nothing is kept between messages."""
    listed = site.legacy("tools/list").result["tools"]
    hints = {tool["name"]: tool["_meta"] for tool in listed if "_meta" in tool}
    assert hints == {name: {"ui": {"resourceUri": BOARD}} for name in WITH_BOARD}
    assert "ui://" not in str(site.legacy("resources/list").result) + str(
        site.legacy("resources/templates/list").result
    )
    assert "extensions" not in site.post(initialize()).result["capabilities"]
    capabilities = {"extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}}}
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "t", "version": "1"},
    }
    assert EXTENSION in site.post(request("initialize", params)).result["capabilities"]["extensions"]


@pytest.mark.usefixtures("database")
def test_what_only_some_are_told_is_not_shared_and_the_board_not_kept(site: Site) -> None:  # noqa: F811
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}}},
    }
    headers = (("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"))
    assert site.post(request("tools/list", {"_meta": meta}), *headers).result["cacheScope"] == "private"
    assert site.modern("tools/list").result["cacheScope"] == "public"
    missing = site.modern("resources/read", {"uri": f"search://{'0' * 32}/board?page=1"})
    assert missing.code == -32602
    assert site.legacy("resources/read", {"uri": "ui://another"}).code == -32002


@pytest.mark.usefixtures("database")
def test_the_board_shows_the_page_of_the_session_and_its_decision_is_a_persons() -> None:
    state = tools.start_search(QUESTION)
    html = board.board(state.session_id)
    assert "Confirm the plan" in html
    found = re.search(r'name="checkpoint_id" value="([^"]+)"', html)
    assert found is not None
    signed = found[1]
    assert state.checkpoint is not None
    assert signed != state.checkpoint.checkpoint_id
    after = tools.decide(state.session_id, "approve", checkpoint_id=signed)
    assert tools.decide(state.session_id, "approve", checkpoint_id=signed) == after, "a repeated call is harmless"
    assert after.checkpoint is not None
    made_up = f"{after.checkpoint.checkpoint_id}:{'x' * 43}"
    with pytest.raises(NoPendingCheckpoint):
        tools.decide(state.session_id, "approve", checkpoint_id=made_up)
    tools.decide(state.session_id, "approve", checkpoint_id=after.checkpoint.checkpoint_id)
    row = SearchSession.objects.get(pk=state.session_id)
    assert [made.decided_by for made in row.decisions.order_by("decided_at")] == ["person", "agent"]

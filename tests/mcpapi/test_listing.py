"""What an agent reads before it calls: the whole of tools/list, pinned, and the instructions."""

import re
from urllib.parse import quote

import pytest
from django.core.exceptions import ImproperlyConfigured
from jsonschema import Draft202012Validator

from mcpapi.listing.servers import GROUPS, PAPERS, SERVERS, papers_server
from mcpapi.listing.tool import Tool
from tests.mcpapi.clients import ConnectedClient
from tests.mcpapi.pin_listings import LISTINGS, as_text
from tests.mcpapi.site import Site

# Before the tests add theirs.
NAMES = list(SERVERS)
TOOLS = [tool for server in SERVERS.values() for tool in server.tools]


@pytest.mark.parametrize("name", NAMES)
def test_the_listing_is_as_pinned(site: Site, name: str) -> None:
    tools = site.at(f"/mcp/{name}").legacy("tools/list").result["tools"]
    assert as_text(tools) == (LISTINGS / f"{name}.json").read_text(encoding="utf-8"), "see pin_listings.py"


@pytest.mark.scenario("paper-mcp / Streamable HTTP MCP endpoint / Tool descriptions for LLM guidance")
def test_every_tool_has_a_title_and_says_when_to_use_it(connected: ConnectedClient) -> None:
    tools = connected.ask("list_tools").tools
    assert [tool.name for tool in tools] == [tool.name for tool in PAPERS.listed]
    assert all(tool.title and tool.description for tool in tools)


@pytest.mark.parametrize(("choice", "names"), [("specs", set(GROUPS["specs"])), ("evidence, suggest", {"suggest"})])
def test_the_address_chooses_the_tools(site: Site, choice: str, names: set[str]) -> None:
    tools = site.at(f"/mcp?tools={quote(choice)}").legacy("tools/list").result["tools"]
    listed = {tool["name"] for tool in tools}
    assert names <= listed
    assert listed <= names | set(GROUPS["evidence"])
    everything = site.at("/mcp?tools=all").legacy("tools/list").result["tools"]
    assert {tool["name"] for tool in everything} == set(PAPERS.tool_by_name)


def test_a_tool_that_is_not_listed_can_be_called_and_one_that_does_not_exist_is_told(site: Site) -> None:
    assert "get_database_stats" not in {tool.name for tool in PAPERS.listed}
    assert not site.legacy("tools/call", {"name": "get_database_stats", "arguments": {}}).result["isError"]
    refused = site.at("/mcp?tools=papers,nothing").legacy("tools/list")
    assert refused.status == 400
    assert "no group or tool" in refused.json["error"]["message"]


def test_a_setting_that_names_no_tool_is_told_at_the_start() -> None:
    with pytest.raises(ImproperlyConfigured, match="PAPERSITE_MCP_TOOLS"):
        papers_server(with_specs=True, with_searches=True, listed="papers,nonsense")


def test_descriptions_guide_from_metadata_to_summary_and_warn_of_size() -> None:
    assert "Call get_paper_metadata first" in PAPERS.tool_by_name["get_paper_summary"].description
    source = PAPERS.tool_by_name["get_paper_source"].description
    assert "large" in source
    assert "`max_chars`" in source


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_legal_and_closed(tool: Tool) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_of_every_server_is_named_titled_and_described(tool: Tool) -> None:
    assert re.fullmatch(r"[a-z_]{1,64}", tool.name)
    assert tool.title
    assert 60 < len(tool.description) < 2_000, "hosts cut a description at 2 KB"


def test_the_instructions_lead_from_search_to_source_and_call_texts_untrusted(connected: ConnectedClient) -> None:
    text = connected.client.instructions
    assert text == PAPERS.instructions
    steps = ["search_papers", "get_paper_metadata", "get_paper_summary", "get_paper_source"]
    assert sorted(steps, key=text.index) == steps
    assert "untrusted" in text


def test_every_step_of_the_instructions_is_a_listed_tool_and_the_last_one_checks_the_answer() -> None:
    steps = re.findall(r"^\d\. .*$", PAPERS.instructions, re.MULTILINE)
    named = [word for step in steps for word in re.findall(r"[a-z]+(?:_[a-z]+)+", step) if word != "max_chars"]
    assert set(named) <= {tool.name for tool in PAPERS.listed}
    assert named[-1] == "check_claims"

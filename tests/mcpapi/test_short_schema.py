"""Schemas are short, and still say and accept the same."""

import orjson
import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from mcpapi.listing.servers import PAPERS, SERVERS
from mcpapi.listing.short_schema import (
    Schema,
    for_readers,
    outline,
    with_null_as_type,
    with_shared_parts_alone,
    without_titles,
)
from mcpapi.listing.tool import Tool
from tests.mcpapi.site import Site

# What an agent reads of /mcp before it can ask anything.
LISTING_CHARS = 16_000
# What each tool of the default list may take of that, and any other.
TOOL_CHARS = {
    "search_papers": 2_040,
    "search_papers_by_keyword": 710,
    "get_paper_metadata": 890,
    "get_papers": 560,
    "get_paper_summary": 800,
    "get_paper_source": 950,
    "get_paper_bibtex": 670,
    "search_passages": 1_210,
    "get_passage": 870,
    "verify_quotes": 930,
    "check_claims": 930,
    "list_top_facets": 660,
    "start_search": 1_920,
    "decide": 1_210,
    "get_session": 660,
    "export_results": 790,
}
UNLISTED_TOOL_CHARS = 1_340
# What is around the tools in the answer, with their commas.
ENVELOPE_CHARS = 100
TOOLS = [tool for server in SERVERS.values() for tool in server.tools]


class Leaf(BaseModel):
    title: str | None = None
    default: int = 3


class Twig(BaseModel):
    leaf: Leaf


class Tree(BaseModel):
    left: Twig
    right: Twig | None = None
    fruit: dict[str, list[int]] = {}


SCHEMA: Schema = Tree.model_json_schema(mode="serialization")
SHORT = with_shared_parts_alone(with_null_as_type(for_readers(without_titles(SCHEMA))))


def test_the_listing_of_mcp_stays_within_16_000_characters(site: Site) -> None:
    assert len(site.at("/mcp").legacy("tools/list").body.decode()) <= LISTING_CHARS


def test_the_shares_of_the_listed_tools_fit_into_the_listing() -> None:
    assert set(TOOL_CHARS) == {tool.name for tool in PAPERS.listed}
    assert sum(TOOL_CHARS.values()) + ENVELOPE_CHARS <= LISTING_CHARS


@pytest.mark.parametrize("tool", PAPERS.tools, ids=lambda tool: tool.name)
def test_no_tool_grows_beyond_its_share(tool: Tool) -> None:
    chars = len(orjson.dumps(tool.listing(with_app=True)).decode())
    assert chars <= TOOL_CHARS.get(tool.name, UNLISTED_TOOL_CHARS), tool.name


def test_what_is_used_once_is_said_in_its_place_and_what_is_shared_in_definitions() -> None:
    assert SHORT["$defs"] == {
        "Twig": {
            "type": "object",
            "properties": {
                "leaf": {
                    "type": "object",
                    "properties": {"title": {"type": ["string", "null"]}, "default": {"type": "integer"}},
                }
            },
        }
    }


@pytest.mark.parametrize(
    "value",
    [
        Tree(left=Twig(leaf=Leaf())).model_dump(),
        Tree(left=Twig(leaf=Leaf(title="x")), right=Twig(leaf=Leaf()), fruit={"a": [1]}).model_dump(),
        {"left": {"leaf": {"title": 1}}},
        {"left": {"leaf": {}}, "right": 3},
        {"left": {"leaf": {}}, "fruit": {"a": ["b"]}},
    ],
)
def test_the_short_schema_accepts_what_the_long_one_does(value: object) -> None:
    assert Draft202012Validator(SHORT).is_valid(value) == Draft202012Validator(SCHEMA).is_valid(value)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_error_fits_every_answer(tool: Tool) -> None:
    Draft202012Validator(tool.output_schema).validate(
        {"error": "invalid_input", "message": "Say what.", "problems": []}
    )


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_definition_is_used_more_than_once(tool: Tool) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        definitions = schema.get("$defs", {})
        assert isinstance(definitions, dict)
        assert [name for name in definitions if str(schema).count(f"'#/$defs/{name}'") < 2] == []


def test_answers_are_described_in_words() -> None:
    """`decide` answers with the session, as the tool that starts a search, which names every field."""
    start, decide = (PAPERS.tool_by_name[name].listing() for name in ("start_search", "decide"))
    assert all(
        name in str(start["outputSchema"]) for name in ("understood", "checkpoint (kind, checkpoint_id, payload)")
    )
    assert "outputSchema" not in decide
    assert outline(SCHEMA)["description"] == "left (leaf), right, fruit"

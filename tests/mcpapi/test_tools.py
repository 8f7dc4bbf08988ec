"""Each paper tool, the same over a direct call, HTTP and stdio, in both eras."""

import json

import pytest

from mcpapi.listing.servers import PAPERS
from tests.mcpapi.clients import ToolCaller
from tests.snapshot import LONG_SOURCE
from tests.snapshot import PAPERS as SAMPLES


@pytest.mark.scenario("paper-mcp / Search tools / Full-text search")
def test_search_gives_id_title_year_venue_and_snippet_best_first(caller: ToolCaller) -> None:
    page = caller.call("search_papers", query="attention recurrence").payload
    assert page["papers"][0]["paper_id"] == "123"
    assert {"paper_id", "title", "year", "venue", "snippet_markdown"} <= page["papers"][0].keys()
    assert "**" in page["papers"][0]["snippet_markdown"]


@pytest.mark.scenario("paper-mcp / Search tools / Keyword search")
def test_keyword_search_gives_papers_with_that_keyword(caller: ToolCaller) -> None:
    page = caller.call("search_papers_by_keyword", keyword="transformer").payload
    assert [paper["paper_id"] for paper in page["papers"]] == ["789", "123"]


def test_filters_must_all_hold(caller: ToolCaller) -> None:
    page = caller.call("filter_papers", author="shazeer", year_to=2018, limit="1").payload
    assert ([paper["paper_id"] for paper in page["papers"]], page["total"]) == (["123"], 1)


@pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Metadata includes templates")
@pytest.mark.scenario("paper-bibtex / MCP metadata DOI passthrough / DOI returned by MCP metadata")
@pytest.mark.scenario("paper-bibtex / MCP BibTeX availability signal / has_bibtex true")
def test_metadata_names_templates_doi_and_bibtex(caller: ToolCaller) -> None:
    paper = caller.call("get_paper_metadata", paper_id="123").payload
    assert paper["preferred_summary_template"] == "simple"
    assert paper["available_summary_templates"] == ["deep_read", "simple"]
    assert (paper["doi"], paper["has_bibtex"]) == ("10.5555/3295222.3295349", True)


@pytest.mark.scenario("paper-bibtex / MCP metadata DOI passthrough / DOI absent remains null")
@pytest.mark.scenario("paper-bibtex / MCP BibTeX availability signal / has_bibtex false")
def test_metadata_says_what_a_paper_lacks(caller: ToolCaller) -> None:
    paper = caller.call("get_paper_metadata", paper_id="undated").payload
    assert (paper["doi"], paper["has_bibtex"], paper["available_summary_templates"]) == (None, False, [])


def test_a_number_is_taken_as_an_id(caller: ToolCaller) -> None:
    assert caller.call("get_paper_metadata", paper_id=123).payload["paper_id"] == "123"


@pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Summary proxy fetch")
def test_a_summary_comes_as_text_and_not_as_a_url(caller: ToolCaller) -> None:
    summary = caller.call("get_paper_summary", paper_id="123", template="deep_read").payload
    assert json.loads(summary["content"])["summary"] == "## Method\n\nScaled $QK^T$."
    assert "://" not in json.dumps(summary)


def test_without_a_template_the_preferred_summary_comes(caller: ToolCaller) -> None:
    assert caller.call("get_paper_summary", paper_id="123").payload["template"] == "simple"


@pytest.mark.scenario("paper-mcp / Asset fetch errors / Template not available")
def test_a_template_that_is_missing_is_named_with_those_there_are(caller: ToolCaller) -> None:
    outcome = caller.call("get_paper_summary", paper_id="123", template="poster")
    assert outcome.error == "template_not_available"
    assert outcome.payload["available_summary_templates"] == ["deep_read", "simple"]
    assert (outcome.payload["paper_id"], outcome.payload["template"]) == ("123", "poster")
    assert "deep_read" in outcome.payload["message"]


@pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Missing source content")
def test_a_missing_source_is_said_to_be_not_available(caller: ToolCaller) -> None:
    outcome = caller.call("get_paper_source", paper_id="789")
    assert outcome.error == "source_not_available"
    assert "not available" in outcome.payload["message"]


@pytest.mark.scenario("paper-mcp / Content size limits / Tool truncates large content")
def test_a_long_source_is_cut_at_max_chars_and_marked(caller: ToolCaller) -> None:
    source = caller.call("get_paper_source", paper_id="456", max_chars=10_000).payload
    left = len(LONG_SOURCE) - 10_000
    assert source["markdown"] == LONG_SOURCE[:10_000] + f"\n\n[truncated: {left:,} more characters]"
    assert source["truncated"] is True


def test_a_translation_comes_in_its_language(caller: ToolCaller) -> None:
    translation = caller.call("get_paper_translation", paper_id="123", lang="zh").payload
    assert translation["markdown"] == SAMPLES[0].translations["zh"]


@pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / Return BibTeX via MCP tool")
def test_bibtex_comes_verbatim_with_its_key_type_and_doi(caller: ToolCaller) -> None:
    assert caller.call("get_paper_bibtex", paper_id="123").payload == {
        "paper_id": "123",
        "doi": "10.5555/3295222.3295349",
        "bibtex_raw": SAMPLES[0].bibtex,
        "bibtex_key": "vaswani2017attention",
        "entry_type": "inproceedings",
    }


@pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / Paper not found via MCP tool")
@pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / BibTeX missing via MCP tool")
def test_missing_papers_and_missing_bibtex_are_told_apart(caller: ToolCaller) -> None:
    assert caller.call("get_paper_bibtex", paper_id="999").error == "paper_not_found"
    assert caller.call("get_paper_bibtex", paper_id="789").error == "bibtex_not_found"


@pytest.mark.scenario("paper-mcp / Facet discovery tool / Top authors")
def test_top_authors_come_by_number_of_papers(caller: ToolCaller) -> None:
    values = caller.call("list_top_facets", category="author", limit=20).payload["values"]
    assert values[0] == {"value": "Noam Shazeer", "paper_count": 2}
    assert values == sorted(values, key=lambda found: -int(found["paper_count"]))


def test_stats_count_the_library(caller: ToolCaller) -> None:
    assert caller.call("get_database_stats").payload["papers"] == len(SAMPLES)


@pytest.mark.scenario("paper-mcp / Safety limits and read-only access / Excessive query length")
def test_a_query_over_500_characters_is_a_validation_error(caller: ToolCaller) -> None:
    outcome = caller.call("search_papers", query="x" * 501)
    assert outcome.error == "invalid_input"
    assert outcome.payload["problems"][0]["argument"] == "query"


@pytest.mark.scenario("paper-mcp / Safety limits and read-only access / Excessive page size")
@pytest.mark.parametrize("arguments", [{"page_size": 101}, {"limit": 101}, {"offset": 10_001}])
def test_pages_over_100_and_offsets_over_10000_are_validation_errors(
    caller: ToolCaller, arguments: dict[str, object]
) -> None:
    assert caller.call("search_papers", query="x", **arguments).error == "invalid_input"


@pytest.mark.parametrize("tool", [tool.name for tool in PAPERS.tools])
def test_an_argument_that_no_tool_has_is_a_validation_error(caller: ToolCaller, tool: str) -> None:
    # Whoever may not call a tool is told no more: over HTTP without a token that may write.
    errors = {"invalid_input"} | ({"out_of_scope"} if PAPERS.tool_by_name[tool].scope == "write" else set())
    assert caller.call(tool, colour="red").error in errors

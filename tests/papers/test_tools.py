"""The tools that read papers, called as functions."""

import json
from pathlib import Path

import pytest
from django.test import Client

from papercore.errors import InvalidInput, ToolError
from papers import tools
from papers.catalogue.schemas import Category
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import BUILD_ID, LONG_SOURCE, PAPERS


def code(call: pytest.ExceptionInfo[ToolError]) -> str:
    return call.value.code


class TestMetadata:
    @pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Metadata includes templates")
    @pytest.mark.scenario("paper-bibtex / MCP metadata DOI passthrough / DOI returned by MCP metadata")
    @pytest.mark.scenario("paper-bibtex / MCP BibTeX availability signal / has_bibtex true")
    def test_it_names_templates_doi_and_bibtex(self) -> None:
        paper = tools.get_paper_metadata("123")
        assert paper.preferred_summary_template == "simple"
        assert paper.available_summary_templates == ["deep_read", "simple"]
        assert (paper.doi, paper.has_bibtex) == ("10.5555/3295222.3295349", True)

    def test_authors_come_in_true_order_and_spelling(self) -> None:
        assert tools.get_paper_metadata("123").authors == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]

    def test_a_paper_without_summaries_keeps_its_authors_too(self, own_library: Path) -> None:
        document = {"paper_title": "Notes without a Date", "paper_authors": ["Zoë Zhou", "Ada Ames"]}
        (own_library.parent / "static" / "summary" / "undated.json").write_text(json.dumps(document))
        assert tools.get_paper_metadata("undated").authors == ["Zoë Zhou", "Ada Ames"]

    def test_it_names_the_texts_and_ids_of_the_paper(self) -> None:
        paper = tools.get_paper_metadata("123")
        assert (paper.arxiv_id, paper.has_source, paper.available_translations) == ("1706.03762", True, ["de", "zh"])
        assert (paper.keywords, paper.tags) == (["transformer", "self-attention"], ["method"])

    @pytest.mark.scenario("paper-bibtex / MCP metadata DOI passthrough / DOI absent remains null")
    @pytest.mark.scenario("paper-bibtex / MCP BibTeX availability signal / has_bibtex false")
    def test_what_a_paper_lacks_is_null_or_empty(self) -> None:
        paper = tools.get_paper_metadata("undated")
        assert (paper.doi, paper.has_bibtex, paper.year, paper.authors) == (None, False, None, [])
        assert (paper.preferred_summary_template, paper.available_summary_templates) == (None, [])

    def test_an_unknown_paper_is_not_found(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_metadata("999")
        assert caught.value.payload() == {
            "error": "paper_not_found",
            "message": "There is no paper 999. Find ids with search_papers.",
            "paper_id": "999",
        }


class TestTexts:
    @pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Summary proxy fetch")
    def test_a_summary_is_the_whole_json_document(self) -> None:
        summary = tools.get_paper_summary("123", template="deep_read")
        document = json.loads(summary.content)
        assert (document["template_tag"], document["summary"]) == ("deep_read", "## Method\n\nScaled $QK^T$.")
        assert not summary.truncated

    def test_without_a_template_the_preferred_summary_comes(self) -> None:
        assert tools.get_paper_summary("123").template == "simple"

    @pytest.mark.scenario("paper-mcp / Asset fetch errors / Template not available")
    def test_another_template_is_refused_with_those_there_are(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_summary("123", template="poster")
        payload = caught.value.payload()
        assert payload["error"] == "template_not_available"
        assert payload["available_summary_templates"] == ["deep_read", "simple"]
        assert (payload["paper_id"], payload["template"]) == ("123", "poster")

    def test_a_paper_without_any_summary_says_so(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_summary("undated")
        assert code(caught) == "summary_not_available"

    @pytest.mark.scenario("paper-mcp / Content size limits / Tool truncates large content")
    def test_a_source_longer_than_max_chars_is_cut_and_marked(self) -> None:
        source = tools.get_paper_source("456", max_chars=10_000)
        left = len(LONG_SOURCE) - 10_000
        assert source.markdown == LONG_SOURCE[:10_000] + f"\n\n[truncated: {left:,} more characters]"
        assert (source.truncated, source.total_chars) == (True, len(LONG_SOURCE))

    def test_a_text_that_fits_comes_whole(self) -> None:
        source = tools.get_paper_source("456", max_chars=len(LONG_SOURCE))
        assert (source.markdown, source.truncated) == (LONG_SOURCE, False)

    @pytest.mark.parametrize("max_chars", [0, -1])
    def test_max_chars_must_be_positive(self, max_chars: int) -> None:
        with pytest.raises(InvalidInput):
            tools.get_paper_source("456", max_chars=max_chars)

    @pytest.mark.scenario("paper-mcp / Paper detail tools with static asset proxy / Missing source content")
    def test_a_missing_source_is_said_to_be_not_available(self) -> None:
        with pytest.raises(ToolError, match="not available") as caught:
            tools.get_paper_source("789")
        assert code(caught) == "source_not_available"

    def test_a_translation_is_found_in_any_case(self) -> None:
        assert tools.get_paper_translation("123", lang="ZH").markdown == PAPERS[0].translations["zh"]

    def test_a_missing_translation_names_those_there_are(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_translation("123", lang="fr")
        assert caught.value.payload()["available_translations"] == ["de", "zh"]
        assert code(caught) == "translation_not_available"


class TestBibtex:
    @pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / Return BibTeX via MCP tool")
    def test_a_stored_entry_comes_verbatim(self) -> None:
        assert tools.get_paper_bibtex("123").model_dump() == {
            "paper_id": "123",
            "doi": "10.5555/3295222.3295349",
            "bibtex_raw": PAPERS[0].bibtex,
            "bibtex_key": "vaswani2017attention",
            "entry_type": "inproceedings",
        }

    def test_a_stored_entry_with_unbalanced_braces_comes_with_a_note(self, own_library: Path, client: Client) -> None:
        sample.change(own_library, "UPDATE paper_bibtex SET bibtex_raw = replace(bibtex_raw, '},', ',')")
        served.renew()
        found = tools.get_paper_bibtex("123")
        assert "title = {Attention Is All You Need,\n" in found.bibtex_raw
        assert "unbalanced braces" in str(found.note)
        assert client.get("/api/papers/123/bibtex").json() == found.model_dump()

    @pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / Paper not found via MCP tool")
    def test_an_unknown_paper_is_not_found(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_bibtex("999")
        assert code(caught) == "paper_not_found"

    @pytest.mark.scenario("paper-bibtex / MCP BibTeX retrieval tool / BibTeX missing via MCP tool")
    def test_a_paper_without_an_entry_says_so(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_paper_bibtex("789")
        assert code(caught) == "bibtex_not_found"
        assert "generated=true" in str(caught.value)

    def test_an_entry_that_is_not_stored_is_generated_if_asked_for(self) -> None:
        entry = tools.get_paper_bibtex("789", generated=True)
        assert (entry.bibtex_key, entry.entry_type) == ("devlin_2019_bert", "article")
        assert entry.bibtex_raw.startswith("@article{devlin_2019_bert,")
        assert "author = {Devlin, Jacob and Shazeer, Noam}" in entry.bibtex_raw

    def test_a_stored_entry_is_returned_also_when_a_generated_one_would_do(self) -> None:
        assert tools.get_paper_bibtex("123", generated=True).bibtex_raw == PAPERS[0].bibtex


class TestFacets:
    @pytest.mark.scenario("paper-mcp / Facet discovery tool / Top authors")
    def test_top_authors_come_by_number_of_papers(self) -> None:
        values = tools.list_top_facets("author", limit=20).values
        assert (values[0].value, values[0].paper_count) == ("Noam Shazeer", 2)
        counts = [value.paper_count for value in values]
        assert counts == sorted(counts, reverse=True)

    @pytest.mark.parametrize(("category", "first"), [("tag", "method"), ("keyword", "transformer"), ("year", "2024")])
    def test_every_category_has_its_top(self, category: Category, first: str) -> None:
        assert tools.list_top_facets(category, limit=1).values[0].value == first

    def test_another_category_is_refused(self) -> None:
        with pytest.raises(InvalidInput):
            tools.list_top_facets("colour")  # type: ignore[arg-type]

    def test_stats_count_the_library(self) -> None:
        stats = tools.get_database_stats()
        assert (stats.papers, stats.year_from, stats.year_to) == (5, 1997, 2024)
        assert (stats.with_source, stats.with_bibtex, stats.with_doi) == (3, 2, 2)
        assert stats.summary_templates == {"simple": 4, "deep_read": 1}
        assert (stats.translations, stats.build_id) == ({"de": 1, "zh": 1}, BUILD_ID)

"""The tools that find papers, called as functions."""

import pytest

from papercore.errors import InvalidInput
from papers import tools
from papers.catalogue.schemas import PaperPage, SearchPage


def ids(page: PaperPage | SearchPage) -> list[str]:
    return [paper.paper_id for paper in page.papers]


class TestSearch:
    @pytest.mark.scenario("paper-mcp / Search tools / Full-text search")
    def test_the_best_match_comes_first_and_shows_where_it_matched(self) -> None:
        page = tools.search_papers("transformer attention")
        assert ids(page) == ["123", "789"]
        best = page.papers[0]
        assert (best.title, best.year, best.venue) == ("Attention Is All You Need", 2017, "NeurIPS")
        assert "**attention**" in best.snippet_markdown.lower()

    @pytest.mark.parametrize(
        ("query", "paper_id"),
        [
            ("Jürgen", "456"),
            ("jurgen", "456"),
            ("深度学习", "123"),
            ("混合分词", "cjk-1"),
            ("10.1162/neco.1997.9.8.1735", "456"),
            ("https://doi.org/10.1162/NECO.1997.9.8.1735.", "456"),
            ("arXiv:1706.03762v5", "123"),
            ("https://arxiv.org/abs/1706.03762", "123"),
            ('"memory cell"', "456"),
        ],
    )
    def test_names_scripts_phrases_and_identifiers_are_found(self, query: str, paper_id: str) -> None:
        assert paper_id in ids(tools.search_papers(query))

    @pytest.mark.parametrize(
        "query",
        [
            "AND",
            "x AND",
            "NOT",
            "OR OR",
            '"',
            '""',
            "NEAR(a b)",
            "title:x",
            "*",
            "-",
            "(",
            "a\0b",
            "^x",
            "'; DROP TABLE",
            "{}",
        ],
    )
    def test_nothing_a_user_types_is_an_error(self, query: str) -> None:
        assert len(tools.search_papers(query).papers) <= 20

    def test_conditions_that_no_paper_meets_are_not_answered_with_confidence(self) -> None:
        page = tools.search_papers('"cell memory cell"')
        assert (page.papers, page.total, page.confidence) == ([], 0, "none")

    def test_an_empty_query_lists_the_newest_and_undated_papers_last(self) -> None:
        assert ids(tools.search_papers("  ")) == ["cjk-1", "789", "123", "456", "undated"]

    def test_a_snippet_cannot_bring_markup_along(self) -> None:
        snippet = tools.search_papers('"friends"').papers[0].snippet_markdown
        assert "<b>" not in snippet.replace("\\<b\\>", "")

    def test_pages_follow_each_other_without_gap(self) -> None:
        first = tools.search_papers("transformer", limit=1)
        assert (first.total, first.next_offset) == (2, 1)
        second = tools.search_papers("transformer", page=2, page_size=1)
        assert (second.offset, second.next_offset) == (1, None)
        assert ids(first) + ids(second) == ["789", "123"] or ids(first) + ids(second) == ["123", "789"]


class TestLimits:
    @pytest.mark.scenario("paper-mcp / Safety limits and read-only access / Excessive query length")
    def test_a_query_over_500_characters_is_refused(self) -> None:
        assert tools.search_papers("x" * 500).total == 0
        with pytest.raises(InvalidInput, match=r"^query: .*500"):
            tools.search_papers("x" * 501)

    @pytest.mark.scenario("paper-mcp / Safety limits and read-only access / Excessive page size")
    @pytest.mark.parametrize("arguments", [{"page_size": 101}, {"limit": 101}, {"limit": 0}, {"page": 0}])
    def test_a_page_size_outside_1_to_100_is_refused(self, arguments: dict[str, int]) -> None:
        with pytest.raises(InvalidInput):
            tools.search_papers("x", **arguments)  # type: ignore[arg-type]

    @pytest.mark.parametrize("arguments", [{"offset": 10_001}, {"offset": -1}, {"page": 102, "page_size": 100}])
    def test_paging_past_10000_is_refused(self, arguments: dict[str, int]) -> None:
        with pytest.raises(InvalidInput):
            tools.search_papers("x", **arguments)  # type: ignore[arg-type]

    def test_a_number_is_taken_as_an_id(self) -> None:
        assert tools.get_paper_metadata(123).paper_id == "123"  # type: ignore[arg-type]


class TestKeywordSearch:
    @pytest.mark.scenario("paper-mcp / Search tools / Keyword search")
    def test_papers_with_a_matching_keyword_come_newest_first(self) -> None:
        assert ids(tools.search_papers_by_keyword("transformer")) == ["789", "123"]

    @pytest.mark.parametrize(
        ("keyword", "found"),
        [
            ("Survey", ["789"]),
            ("TRANS", ["789", "123"]),
            ("%", []),
            ("_", ["456"]),
            ("检索", ["cjk-1"]),
            ("none such", []),
        ],
    )
    def test_tags_count_case_does_not_and_wildcards_are_plain_characters(self, keyword: str, found: list[str]) -> None:
        assert ids(tools.search_papers_by_keyword(keyword)) == found


class TestFilter:
    @pytest.mark.parametrize(
        ("arguments", "found"),
        [
            ({"author": "Shazeer"}, ["789", "123"]),
            ({"author": "shazeer", "year_to": 2018}, ["123"]),
            ({"venue": "neurips"}, ["123"]),
            ({"keyword": "transformer", "tag": "survey"}, ["789"]),
            ({"institution": "TU"}, ["456"]),
            ({"year_from": 1990, "year_to": 2000}, ["456"]),
            ({"author": "%"}, []),
            ({}, ["cjk-1", "789", "123", "456", "undated"]),
        ],
    )
    def test_all_conditions_must_hold(self, arguments: dict[str, str | int], found: list[str]) -> None:
        assert ids(tools.filter_papers(**arguments)) == found  # type: ignore[arg-type]


class TestHostileQueries:
    @pytest.mark.parametrize("query", ["a " * 250, "all work and no play makes a long paper", "the of and a in to is"])
    def test_common_words_in_a_long_text_are_answered_at_once(self, query: str) -> None:
        found = tools.search_papers(query).papers
        assert "456" in [paper.paper_id for paper in found] or not found
        assert all(len(paper.snippet_markdown) < 1_000 for paper in found)

    def test_a_snippet_of_cjk_text_has_no_blanks_between_the_characters(self) -> None:
        assert "**检索**" in tools.search_papers("检索").papers[0].snippet_markdown

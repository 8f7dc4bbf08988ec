"""The site's library as a source: what pages and tools list, with abstracts from wherever the assets are."""

import asyncio
import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from paper_search.models import RawPaper, SearchConstraints, SearchQuery
from paper_search.sources.interface import SourceError
from papers import tools
from papers.snapshot import base, served
from searches.sessions.library import SiteLibrary


def search(*words: str, **filters: object) -> list[RawPaper]:
    query = SearchQuery(keywords=list(words), boolean_query=" ".join(words))
    return asyncio.run(SiteLibrary().search(query, SearchConstraints.model_validate(filters)))


def test_a_search_finds_what_the_tool_finds_best_match_first() -> None:
    papers = search("transformer", "attention")
    assert [paper.id for paper in papers] == [
        paper.paper_id for paper in tools.search_papers("transformer attention").papers
    ]
    assert papers[0].facts.match == 1
    assert papers[0].authors[0].name == "Ashish Vaswani"


def test_years_narrow_it() -> None:
    assert [paper.id for paper in search("transformer", year_from=2018)] == ["789"]


def test_authors_narrow_it_and_alone_list_their_papers() -> None:
    by_name = {paper.id for paper in search("Vaswani", authors=["Vaswani"])}
    assert by_name
    assert {paper.id for paper in search("transformer", authors=["Vaswani"])} <= by_name
    assert not search("transformer", authors=["Nobody"])


def test_abstracts_come_from_the_store_that_the_settings_name(own_library: Path, settings: Settings) -> None:
    before = {paper.id: paper.abstract for paper in search("transformer")}
    elsewhere = own_library.parent / "moved"
    shutil.move(own_library.parent / "static", elsewhere)
    settings.ASSETS = str(elsewhere)
    assert {paper.id: paper.abstract for paper in search("transformer")} == before
    assert any(before.values())


def test_keywords_are_the_librarys_own() -> None:
    assert "transformer" in SiteLibrary().keywords()


def test_papers_that_mention_phrases_come_with_what_they_say() -> None:
    (paper,) = SiteLibrary().mentions("attention is all you need")
    assert paper.abstract == "What Attention Is All You Need is about."
    assert paper.keywords
    assert SiteLibrary().mentions("attention", "word that nobody has") == []


def test_a_library_that_cannot_be_read_is_a_source_that_failed(own_library: Path) -> None:
    own_library.write_bytes(b"no database")
    base.file_at.cache_clear()
    served.renew()
    with pytest.raises(SourceError):
        search("transformer")
    assert SiteLibrary().keywords() == []
    assert SiteLibrary().mentions("transformer") == []

"""A library searched through its index: scores that mean the same everywhere, and no answer where there is none."""

import asyncio

import pytest

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SearchStrategy
from paper_search.skills.searcher import SourceSearcher
from paper_search.sources.library_search import search_library
from papercore.retrieval import Index
from tests.papercore.retrieval.collection import PAPERS, build

OFF_TOPIC = "learn to cook for the football world cup finals in Brazil"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("library"), PAPERS)


def asked(text: str) -> SearchQuery:
    return SearchQuery(keywords=[text], boolean_query=text)


class IndexedLibrary:
    """A source over an index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        found = search_library(self.index, query, filters)
        return [RawPaper(id=item.paper_id, title=item.paper_id, raw_data=item.raw_data) for item in found]


def test_the_best_paper_keeps_the_score_of_the_engine(index: Index) -> None:
    best, *_ = search_library(index, asked("recurrent networks"), SearchConstraints())
    assert 0.5 <= best.score < 1
    assert not best.only_nearest


def test_a_question_without_an_answer_names_only_what_is_nearest(index: Index) -> None:
    found = search_library(index, asked(OFF_TOPIC), SearchConstraints())
    assert found
    assert all(item.only_nearest for item in found)


def test_a_session_reports_the_nearest_apart_and_has_no_papers(index: Index) -> None:
    searcher = SourceSearcher({"snapshot": IndexedLibrary(index)})
    strategy = SearchStrategy(queries=[asked(OFF_TOPIC)], sources=["snapshot"])
    found = asyncio.run(searcher.search(strategy))
    assert found == []
    assert found.reports["snapshot"].count == 0
    assert 1 <= len(found.reports["snapshot"].nearest) <= 3


def test_another_query_that_finds_papers_makes_them_results(index: Index) -> None:
    searcher = SourceSearcher({"snapshot": IndexedLibrary(index)})
    strategy = SearchStrategy(queries=[asked(OFF_TOPIC), asked("vegetable soup")], sources=["snapshot"])
    found = asyncio.run(searcher.search(strategy))
    assert "soup" in {paper.id for paper in found}
    assert found.reports["snapshot"].nearest == {}

"""A library searched through its index: scores that mean the same everywhere, and no answer where there is none."""

import asyncio

import pytest

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SearchStrategy, SynonymMap
from paper_search.queries import SYNONYM_WEIGHT
from paper_search.skills.searcher import SourceSearcher
from paper_search.sources.interface import Source
from paper_search.sources.library_search import search_library
from papercore.retrieval import Index
from tests.papercore.retrieval.collection import PAPERS, build

OFF_TOPIC = "learn to cook for the football world cup finals in Brazil"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("library"), PAPERS)


def asked(text: str) -> SearchQuery:
    return SearchQuery(keywords=[text], boolean_query=text)


class IndexedLibrary(Source):
    """A source over an index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        found = search_library(self.index, query, filters)
        return [RawPaper(id=item.paper_id, title=item.paper_id, facts=item.facts) for item in found]


def test_the_best_paper_keeps_the_score_of_the_engine(index: Index) -> None:
    best, *_ = search_library(index, asked("recurrent networks"), SearchConstraints())
    assert 0.5 <= best.score < 1
    assert not best.only_nearest


def test_a_synonym_finds_what_the_question_does_not(index: Index) -> None:
    unknown = asked("zzrnn")
    synonyms = [SynonymMap(keyword="zzrnn", synonyms=["recurrent networks"])]
    found = search_library(index, unknown.model_copy(update={"synonym_map": synonyms}), SearchConstraints())
    assert all(item.only_nearest for item in search_library(index, unknown, SearchConstraints()))
    assert [item.paper_id for item in found] == [
        item.paper_id for item in search_library(index, asked("recurrent networks"), SearchConstraints())
    ]


def test_a_paper_counts_by_its_best_wording(index: Index) -> None:
    synonyms = [SynonymMap(keyword="recurrent networks", synonyms=["vegetable soup"])]
    both = asked("recurrent networks").model_copy(update={"synonym_map": synonyms})
    scores = {item.paper_id: item.score for item in search_library(index, both, SearchConstraints())}
    soup, *_ = search_library(index, asked("vegetable soup"), SearchConstraints())
    assert scores[soup.paper_id] == pytest.approx(SYNONYM_WEIGHT * soup.score, rel=0.01)


def test_what_is_like_a_paper_marked_irrelevant_is_not_found_by_that(index: Index) -> None:
    found = [item.paper_id for item in search_library(index, asked("recurrent networks"), SearchConstraints())]
    pushed = search_library(index, asked("recurrent networks"), SearchConstraints(unlike_papers=found[:1]))
    assert {item.paper_id for item in pushed} == set(found[1:])


def test_a_question_without_an_answer_names_only_what_is_nearest(index: Index) -> None:
    found = search_library(index, asked(OFF_TOPIC), SearchConstraints())
    assert found
    assert all(item.only_nearest for item in found)


def test_a_session_reports_the_nearest_apart_and_has_no_papers(index: Index) -> None:
    searcher = SourceSearcher({"snapshot": IndexedLibrary(index)})
    strategy = SearchStrategy(queries=[asked(OFF_TOPIC)], sources=["snapshot"])
    found = asyncio.run(searcher.search(strategy))
    assert found.papers == []
    assert found.reports["snapshot"].count == 0
    assert 1 <= len(found.reports["snapshot"].nearest) <= 3


def test_another_query_that_finds_papers_makes_them_results(index: Index) -> None:
    searcher = SourceSearcher({"snapshot": IndexedLibrary(index)})
    strategy = SearchStrategy(queries=[asked(OFF_TOPIC), asked("vegetable soup")], sources=["snapshot"])
    found = asyncio.run(searcher.search(strategy))
    assert "soup" in {paper.id for paper in found.papers}
    assert found.reports["snapshot"].nearest == {}

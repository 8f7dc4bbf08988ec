"""Searching several sources at once."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from paper_search.config import AppConfig, SearchSourceConfig
from paper_search.models import (
    Paper,
    RawPaper,
    SearchConstraints,
    SearchQuery,
    SearchStrategy,
    SourceFacts,
    SynonymMap,
)
from paper_search.skills import FoundPapers
from paper_search.skills.searcher import SourceSearcher
from paper_search.sources.interface import Source
from paper_search.sources.links import Linked
from paper_search.workflow.assembly import make_source
from tests.paper_search.http_server import Answer, Service, serving
from tests.paper_search.sources.answers import GOOD

QUERY = SearchQuery(keywords=["graph networks"], boolean_query='("graph networks" OR gnn) AND molecules NOT sodium')


YEARS = SearchConstraints(year_from=2010, year_to=2020, max_results=50)


def config(service: Service, name: str) -> SearchSourceConfig:
    return SearchSourceConfig(name=name, api_key="secret-key", rate_limit=1000, base_url=service.address)


def test_a_failing_source_never_hides_the_others() -> None:
    async def scene(good: Service, bad: Service) -> None:
        searcher = SourceSearcher(
            {
                "crossref": make_source(config(good, "crossref"), AppConfig()),
                "openalex": make_source(config(bad, "openalex"), AppConfig()),
            }
        )
        asked = SearchStrategy(queries=[QUERY], sources=["openalex", "crossref", "moon"])
        found = await searcher.search(asked)
        assert [paper.source for paper in found.papers] == ["crossref", "crossref"]
        assert {name: (report.count, report.error) for name, report in found.reports.items()} == {
            "openalex": (0, "access refused (401)"),
            "crossref": (2, None),
            "moon": (0, "not configured; there are crossref, openalex"),
        }

    with serving(GOOD["crossref"]) as good, serving(Answer("", 401)) as bad:
        asyncio.run(scene(good, bad))


def test_a_venue_that_a_library_does_not_have_is_told() -> None:
    class Venues(Source):
        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            return []

        def names(self, facet: str) -> Sequence[str]:
            return ["advances in neural information processing systems", "naacl"]

    filters = SearchConstraints(venues=["NeurIPS", "NAACL", "ACL", "Nowhere"])
    strategy = SearchStrategy(queries=[QUERY], sources=["snapshot"], filters=filters)
    found = asyncio.run(SourceSearcher({"snapshot": Venues()}).search(strategy))
    assert found.notices == ["snapshot has no venue ACL, Nowhere: as a filter this finds nothing there."]


def test_years_and_unwanted_words_are_filtered_whatever_the_source_does() -> None:
    class Sloppy(Source):
        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            return [
                RawPaper(id="old", title="Graphs", year=1999),
                RawPaper(id="good", title="Graphs", year=2015),
                RawPaper(id="undated", title="Graphs"),
                RawPaper(id="unwanted", title="Sodium graphs", year=2015),
            ]

    found = asyncio.run(
        SourceSearcher({"sloppy": Sloppy()}).search(SearchStrategy(queries=[QUERY], sources=["sloppy"], filters=YEARS))
    )
    assert [paper.id for paper in found.papers] == ["good", "undated"]


def test_a_source_may_fail_in_any_way() -> None:
    class Broken(Source):
        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            raise KeyError("surprise")

    class Good(Source):
        unsupported_filters = ("language_codes",)

        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            return [RawPaper(id="good", title="Graphs")]

    strategy = SearchStrategy(queries=[QUERY], sources=["bad", "good"], filters=SearchConstraints(language="de"))
    found = asyncio.run(SourceSearcher({"bad": Broken(), "good": Good()}).search(strategy))
    assert [paper.id for paper in found.papers] == ["good"]
    assert found.reports["bad"].error == "failed unexpectedly"
    assert found.reports["good"].ignored == ["languages"]


def test_a_query_edited_by_hand_is_kept_to() -> None:
    class Loose(Source):
        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            return [RawPaper(id="both", title="Graphs of molecules"), RawPaper(id="one", title="Graphs")]

    query = SearchQuery(keywords=["graphs"], boolean_query="graphs AND molecules", strict=True)
    strategy = SearchStrategy(queries=[query], sources=["loose"])
    found = asyncio.run(SourceSearcher({"loose": Loose()}).search(strategy))
    assert [paper.id for paper in found.papers] == ["both"]


class FewPapers(Source):
    """Finds other wordings itself, as the local library does, and what is near in meaning."""

    takes: ClassVar = "synonyms"

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        titles = {"both": "Dropout in clinical models", "one": "Dropout", "none": "Bread"}
        return [RawPaper(id=name, title=title, facts=SourceFacts(match=0.9)) for name, title in titles.items()]

    async def linked(self, papers: Sequence[Paper]) -> list[Linked]:
        found = {1999: "old", 2015: "new"}
        linked = [RawPaper(id=name, title="Graphs", year=year) for year, name in found.items()]
        return [Linked(paper, cites={papers[0].id}) for paper in linked]


def planned(*concepts: str, max_results: int = 20) -> FoundPapers:
    query = SearchQuery(keywords=list(concepts), boolean_query=" AND ".join(concepts), by_concepts=True)
    filters = SearchConstraints(max_results=max_results)
    strategy = SearchStrategy(queries=[query], sources=["few"], filters=filters)
    return asyncio.run(SourceSearcher({"few": FewPapers()}).search(strategy))


def test_papers_with_all_concepts_come_first_and_the_last_concept_is_given_up_where_they_are_few() -> None:
    found = planned("dropout", "clinical")
    assert [(paper.id, paper.facts.match) for paper in found.papers] == [("both", 0.9), ("one", pytest.approx(0.63))]
    assert found.reports["few"].steps == ["dropout AND clinical: 1", "dropout: 2"]
    assert [paper.id for paper in planned("dropout", "clinical", max_results=1).papers] == ["both"]


def test_the_first_concept_is_never_given_up() -> None:
    found = planned("zebrafish", "dropout")
    assert found.papers == []
    assert found.reports["few"].nearest == {"both": "Dropout in clinical models", "one": "Dropout", "none": "Bread"}


def test_papers_linked_by_citations_that_the_plan_leaves_out_are_told() -> None:
    strategy = SearchStrategy(queries=[], sources=["few"], filters=YEARS)
    found = asyncio.run(SourceSearcher({"few": FewPapers()}).follow([Paper(id="marked", title="Graphs")], strategy))
    assert [paper.id for paper in found.papers] == ["new"]
    assert found.reports["few"].steps == ["papers linked with 1 marked relevant: 2", "left out by year_from: 1"]


def test_a_source_that_takes_operators_is_asked_more_loosely_while_there_is_too_little() -> None:
    class Operators(Source):
        takes = "operators"
        asked: ClassVar[list[str]] = []

        async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
            self.asked.append(query.boolean_query)
            return [RawPaper(id=f"{len(self.asked)}-{number}", title="Graphs") for number in range(5)]

    source = Operators()
    found = asyncio.run(
        SourceSearcher({"operators": source}).search(SearchStrategy(queries=[QUERY], sources=["operators"]))
    )
    assert len(found.papers) == 10
    assert found.reports["operators"].steps == [f"{asked}: 5" for asked in source.asked]
    assert source.asked == [QUERY.boolean_query, "((graph AND networks) OR gnn) AND molecules NOT sodium"]


class Keywords(Source):
    """A source that finds papers by plain words."""

    def __init__(self, found: dict[str, list[str]]) -> None:
        self.found = found

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return [RawPaper(id=title, title=title) for title in self.found.get(" ".join(query.keywords), [])]


def test_a_source_without_operators_is_asked_with_each_synonym_then_with_fewer_words() -> None:
    source = Keywords(
        {
            "wsd of rare verbs": ["a"],
            "word sense disambiguation of rare verbs": ["a", "b"],
            "wsd rare verbs": ["c"],
        }
    )
    synonyms = [SynonymMap(keyword="wsd", synonyms=["word sense disambiguation"])]
    boolean = '(wsd OR "word sense disambiguation") AND "rare verbs" AND greek'
    query = SearchQuery(keywords=["wsd of rare verbs"], synonym_map=synonyms, boolean_query=boolean)
    found = asyncio.run(SourceSearcher({"words": source}).search(SearchStrategy(queries=[query], sources=["words"])))
    assert [paper.id for paper in found.papers] == ["a", "b", "c"]
    assert found.reports["words"].steps == [
        "wsd of rare verbs: 1",
        "word sense disambiguation of rare verbs: 2",
        "wsd rare verbs: 1",
    ]


def test_fewer_words_are_not_asked_for_where_enough_is_found() -> None:
    source = Keywords({"a": [str(number) for number in range(20)]})
    query = SearchQuery(keywords=["a"], boolean_query="a AND b AND c")
    found = asyncio.run(SourceSearcher({"words": source}).search(SearchStrategy(queries=[query], sources=["words"])))
    assert found.reports["words"].steps == ["a: 20"]

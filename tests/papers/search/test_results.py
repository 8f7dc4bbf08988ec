"""The list that fits a query, and its counts, from the index and from the snapshot's own tables alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import Settings

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from papers.search.list_query import ListQuery
from papers.search.results import count, list_page, neighbours
from papers.snapshot import served
from tests import snapshot as sample


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = sample.build(tmp_path_factory.mktemp("indexed"))
    index_build.build(database, FolderStore(str(database.parent / "static")), NoProgress())
    return database


@pytest.fixture(params=["tables", "index"], autouse=True)
def engine(request: pytest.FixtureRequest, indexed: Path, settings: Settings) -> Iterator[str]:
    """Every test runs with and without an index: the pages must not differ."""
    if request.param == "index":
        settings.SNAPSHOT, settings.ASSETS = indexed, str(indexed.parent / "static")
    served.renew()
    yield request.param
    connections["snapshot"].close()


def ids(query: ListQuery) -> list[str]:
    return [paper.paper_id for paper in list_page(query).papers]


def test_without_words_the_newest_come_first_and_undated_last() -> None:
    assert ids(ListQuery()) == ["cjk-1", "789", "123", "456", "undated"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (ListQuery(q="transformer"), {"123", "789"}),
        (ListQuery(q="transformer", has=("source",)), {"123"}),
        (ListQuery(q="transformer", author=("noam shazeer",), venue=("naacl",)), {"789"}),
        (ListQuery(author=("noam shazeer",)), {"123", "789"}),
        (ListQuery(keyword=("self-attention", "pre-training")), {"123", "789"}),
        (ListQuery(keyword=("self-attention", "pre-training"), venue=("naacl", "neural computation")), {"789"}),
        (ListQuery(language=("zh",)), {"123"}),
        (ListQuery(template=("deep_read",)), {"123"}),
        (ListQuery(has=("bibtex", "translation")), {"123", "456"}),
        (ListQuery(year_from=1990, year_to=2017), {"123", "456"}),
        (ListQuery(year_from=2017, year_to=1990), {"123", "456"}),
        (ListQuery(q="10.1162/neco.1997.9.8.1735"), {"456"}),
        (ListQuery(q="10.1162/none"), set()),
        (ListQuery(q="transformer", tag=("classic",)), set()),
        (ListQuery(q='") *'), {"123", "456", "789", "cjk-1", "undated"}),
    ],
)
def test_words_and_filters_combine(query: ListQuery, expected: set[str]) -> None:
    assert set(ids(query)) == expected
    assert list_page(query).total == count(query) == len(expected)


def test_facets_are_counted_over_what_was_found() -> None:
    results = list_page(ListQuery(q="transformer"))
    assert results.facet_counts("keyword")["transformer"] == 2
    assert results.facet_counts("has") == {"source": 1, "translation": 1, "bibtex": 1}
    assert set(results.facet_counts("venue")) == {"neurips", "naacl"}


def test_the_other_values_of_a_facet_in_use_stay_with_their_counts() -> None:
    every = list_page(ListQuery(q="transformer"))
    chosen = list_page(ListQuery(q="transformer", venue=("neurips",)))
    assert chosen.facet_counts("venue") == every.facet_counts("venue") == {"naacl": 1, "neurips": 1}
    assert chosen.facet_counts("author") == {"ashish vaswani": 1, "noam shazeer": 1, "łukasz kaiser": 1}


def test_each_of_two_facets_in_use_is_counted_within_the_other() -> None:
    results = list_page(ListQuery(author=("noam shazeer",), venue=("neurips",)))
    assert results.facet_counts("venue") == {"naacl": 1, "neurips": 1}
    assert results.facet_counts("author")["noam shazeer"] == 1


def test_the_words_of_the_query_are_marked_in_the_title() -> None:
    titles = {paper.paper_id: paper.marked_title for paper in list_page(ListQuery(q="attention transformers")).papers}
    assert titles["123"] == "[[[Attention]]] Is All You Need"
    assert titles["789"] == "BERT & <b>Friends</b>: 100% of _All_ [[[Transformers]]]"


def test_the_histogram_keeps_the_years_outside_the_range() -> None:
    assert list_page(ListQuery(q="transformer", year_from=2019)).years == {2017: 1, 2019: 1}
    assert list_page(ListQuery()).years == {1997: 1, 2017: 1, 2019: 1, 2024: 1}


@pytest.mark.parametrize(("sort", "first"), [("oldest", "456"), ("title", "123"), ("newest", "cjk-1")])
def test_the_order_can_be_chosen(sort: str, first: str) -> None:
    assert ids(ListQuery.model_validate({"sort": sort}))[0] == first


def test_names_are_spelled_as_people_write_them() -> None:
    paper = list_page(ListQuery(author=("łukasz kaiser",))).papers[0]
    assert paper.authors == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]


def test_what_matched_is_marked() -> None:
    assert "[[[" in list_page(ListQuery(q="recurrence")).papers[0].snippet


def test_neighbours_in_a_list() -> None:
    assert neighbours(ListQuery(), 1) == (None, "789")
    assert neighbours(ListQuery(), 3) == ("789", "456")
    assert neighbours(ListQuery(), 5) == ("456", None)
    assert neighbours(ListQuery(), 50) == (None, None)


def test_what_is_nearest_is_apart_from_an_empty_list(engine: str) -> None:
    """Without an index nothing is known of meaning, and the tables list what has the words."""
    page = list_page(ListQuery(q="attention to the football world cup finals in Brazil next summer"))
    if engine == "index":
        assert (page.papers, page.total, page.years) == ([], 0, {})
        assert not any(page.counts.values())
        assert page.nearest

"""Authors and years in plain words are filters that are told; what the library does not know stays words."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from papercore.retrieval import Document, Filters, Index, PassageEntry, PassageRequest, Request
from tests.papercore.retrieval.collection import build, paper


def documents() -> list[Document]:
    """A few authors, one of whom writes the name in two ways."""
    return [
        paper("old", "Parsing by Chart", "A chart.", authors=("Christopher Manning",), year=1999),
        paper("trees", "Parsing of Trees", "Trees.", authors=("Christopher D. Manning", "Ada Smith"), year=2010),
        paper("graphs", "Parsing of Graphs", "Graphs.", authors=("Ada Smith",), year=2016),
        paper("late", "Generation of Graphs", "Graphs.", authors=("Ada Smith",), year=2020),
        *(paper(f"chart{n}", f"A Chart {n}", "By chart and by hand.", year=2000) for n in range(40)),
        paper("person", "Notes", "Nothing.", authors=("Eve Chart",), year=2001),
    ]


@pytest.fixture(scope="module")
def conditioned(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build(tmp_path_factory.mktemp("conditions"), documents())


def test_passages_are_of_papers_that_meet_the_conditions(tmp_path: Path) -> None:
    texts = {key: PassageEntry("Chart parsers.", payload=key.encode()) for key in ("hers", "his")}
    library = [
        replace(paper("hers", "Charts", "Chart.", authors=("Ada Smith",)), passages=(texts["hers"],)),
        replace(paper("his", "Charts, too", "Chart.", authors=("Bob Baker",)), passages=(texts["his"],)),
    ]
    index = build(tmp_path / "index", library)
    query = "chart parsers by Ada Smith"
    assert [found.payload for found in index.passages(PassageRequest(query, 5))] == [b"hers"]
    assert len(index.passages(PassageRequest(query, 5, as_typed=True))) == 2
    assert len(index.passages(PassageRequest(query, 5, documents=("hers", "his")))) == 2


@pytest.mark.parametrize(
    ("typed", "only", "found"),
    [
        ("by Christopher Manning", ("by Christopher Manning",), ["trees", "old"]),
        ("papers by Ada Smith since 2016", ("by Ada Smith", "since 2016"), ["late", "graphs"]),
        ("papers after 2016 by smith", ("by smith", "after 2016"), ["late"]),
        ("parsing by Smith", ("by Smith",), ["trees", "graphs"]),
        ("parsing from 2010 to 2016", ("from 2010 to 2016",), ["graphs", "trees"]),
        ("graphs until 2016", ("until 2016",), ["graphs"]),
        ("parsing before 2010", ("before 2010",), ["old"]),
    ],
)
def test_authors_and_years_in_words_are_conditions(
    conditioned: Index, typed: str, only: tuple[str, ...], found: list[str]
) -> None:
    results = conditioned.search(Request(typed))
    assert results.understood.only == only
    assert sorted(hit.id for hit in results.hits) == sorted(found)
    assert results.total == len(found)


def test_where_nothing_else_is_asked_the_newest_come_first(conditioned: Index) -> None:
    assert [hit.id for hit in conditioned.search(Request("by Ada Smith")).hits] == ["late", "graphs", "trees"]


@pytest.mark.parametrize(
    "typed", ["parsing by chart", "parsing by Nobody Here", "graphs since 1066", '"by Ada Smith"', "Parsing by Chart"]
)
def test_a_method_an_unknown_name_and_a_title_are_words(conditioned: Index, typed: str) -> None:
    assert conditioned.search(Request(typed)).understood.only == ()


@pytest.mark.parametrize(
    ("typed", "only", "nearest"),
    [
        ("by Ada Smith before 1960", ("by Ada Smith", "before 1960"), ["late", "graphs", "trees"]),
        ("chart parsing by Eve Chart since 2002", ("by Eve Chart", "since 2002"), ["person"]),
        ("generation since 2050", ("since 2050",), ["late"]),
    ],
)
def test_where_no_paper_meets_the_conditions_those_of_other_years_are_apart(
    conditioned: Index, typed: str, only: tuple[str, ...], nearest: list[str]
) -> None:
    found = conditioned.search(Request(typed))
    assert (found.understood.only, found.verdict, found.hits, found.total) == (only, "nothing", (), 0)
    assert [hit.id for hit in found.nearest][: len(nearest)] == nearest


def test_years_before_those_of_the_library_may_be_what_is_asked_about(conditioned: Index) -> None:
    assert conditioned.search(Request("charts between 1914 and 1918")).understood.only == ()


@pytest.mark.parametrize(
    ("typed", "is_read"),
    [("by Alan Turing", True), ("by A. Turing", True), ("by Bob Turing", False), ("by Anna Smith", False)],
)
def test_an_author_is_known_by_initials_where_the_name_is_not(tmp_path: Path, typed: str, *, is_read: bool) -> None:
    library = [
        paper("machine", "Computing Machinery", authors=("A. M. Turing",)),
        paper("other", "Charts", authors=("Ada Smith",)),
    ]
    found = build(tmp_path / "index", library).search(Request(typed))
    assert found.understood.only == ((typed,) if is_read else ())


def test_a_filter_that_is_set_stays_and_as_typed_reads_nothing(conditioned: Index) -> None:
    filtered = conditioned.search(Request("parsing by Ada Smith since 2016", filters=Filters(year_to=2010)))
    assert (filtered.understood.only, [hit.id for hit in filtered.hits]) == (("by Ada Smith",), ["trees"])
    assert conditioned.search(Request("by Ada Smith", as_typed=True)).understood.only == ()

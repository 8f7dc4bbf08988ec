"""Authors as hits of their own: which names a query names, and which spellings are one name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers import tools
from papers.library import index_build
from papers.search.authors import named_authors
from papers.search.list_query import ListQuery
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import SamplePaper

AUTHORS = [
    ["Christopher D. Manning", "Hinrich Schütze"],
    ["Christopher D. Manning", "Wei Wang"],
    ["Christopher Manning"],
    ["Emma Manning", "Wei-Ning Wang"],
    ["C. Manning"],
    ["Jane A. Doe"],
    ["Jane B. Doe"],
    ["Jane Doe", "José García"],
    ["Antal van den Bosch", "Jose Garcia"],
    ["A. M. Turing", "Łukasz Kaiser"],
    ["Søren Ægidius Weiß"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    papers = [
        SamplePaper(f"p{n}", f"On long sentences, part {n}", names, year=str(2000 + n))
        for n, names in enumerate([*AUTHORS, *[["Fei Long"]], *[[f"Anon Ymous{n}"] for n in range(30)]])
    ]
    index_build.build(sample.build(folder, papers), FolderStore(str(folder / "static")), NoProgress())
    return folder


@pytest.fixture(autouse=True)
def served_people(folder: Path, settings: Settings) -> Iterator[None]:
    settings.SNAPSHOT, settings.ASSETS = folder / "paper_snapshot.db", str(folder / "static")
    served.renew()
    yield
    connections["snapshot"].close()


def named(words: str, **filters: object) -> list[tuple[tuple[str, ...], int]]:
    found = named_authors(ListQuery.model_validate({"q": words, **filters}), words, listed=40)
    return [(author.spellings, author.papers) for author in found.shown]


MANNING = ("Christopher D. Manning", "Christopher Manning")


@pytest.mark.parametrize(
    "words",
    [
        "Christopher Manning",
        "christopher manning",
        "Manning, Christopher",
        "Christopher D. Manning",
        "by C. D. Manning",
    ],
)
def test_a_middle_initial_may_be_left_out(words: str) -> None:
    assert named(words)[0] == (MANNING, 3)


def test_one_that_could_be_two_peoples_stands_alone() -> None:
    assert named("Jane Doe") == [(("Jane A. Doe",), 1), (("Jane B. Doe",), 1), (("Jane Doe",), 1)]
    assert (("C. Manning",), 1) in named("C. Manning")


def test_another_given_name_is_somebody_else() -> None:
    assert named("Wei Wang") == [(("Wei Wang",), 1)]
    assert named("Wang Wei") == [(("Wei Wang",), 1)]


def test_accents_are_forgiven_and_particles_belong_to_the_family() -> None:
    assert sorted(named("jose garcia")[0][0]) == ["Jose Garcia", "José García"]
    assert named("van den Bosch") == named("Antal van den Bosch") == [(("Antal van den Bosch",), 1)]


def test_letters_without_a_mark_are_forgiven() -> None:
    assert named("Lukasz Kaiser") == [(("Łukasz Kaiser",), 1)]
    assert named("soren aegidius weiss") == [(("Søren Ægidius Weiß",), 1)]


def test_a_name_may_be_known_by_its_initials_alone() -> None:
    assert named("Alan Turing") == [(("A. M. Turing",), 1)]
    assert named("Bob Turing") == []
    assert ("C. Manning",) not in [spellings for spellings, _ in named("Christopher Manning")]


@pytest.mark.parametrize("words", ["long", "Christopher", "Manning 2003", "Manning parsing", "author:Manning", "", "?"])
def test_what_is_not_a_name_or_mostly_something_else_names_nobody(words: str) -> None:
    assert named(words) == []


def test_a_count_is_that_of_the_list_it_leads_to_within_the_filters() -> None:
    query = ListQuery(q="Christopher Manning", year_from=2001)
    [author] = named_authors(query, query.q, 3).shown
    assert author.papers == 2
    page = Client().get(author.query.url).content.decode()
    assert '<span class="num">2</span>' in page
    assert "On long sentences, part 0" not in page


def test_a_results_page_has_the_author_above_the_papers_and_a_name_its_other_spellings() -> None:
    page = Client().get("/papers/?q=Christopher+Manning").content.decode()
    assert page.index("Authors of this name") < page.index('class="hits"')
    assert "also written <bdi>Christopher Manning</bdi>" in page
    value = Client().get("/by/author/christopher%20manning/").content.decode()
    assert "Written in more than one way here" in value
    assert "3 papers together" in " ".join(value.split())


def test_tools_say_how_the_library_writes_the_name() -> None:
    understood = tools.search_papers("Christopher Manning").understood
    assert understood is not None
    assert understood.authors == list(MANNING)
    assert tools.search_papers("long sentences").understood is None

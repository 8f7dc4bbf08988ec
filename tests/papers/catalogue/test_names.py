"""Names as people write them, and counts that agree, whether an index or the snapshot's own tables answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings as django_settings
from django.db import connections
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.entries.report import NoProgress
from papercore.retrieval import Request
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.generation import VERSION
from papercore.snapshot.assets import FolderStore
from papercore.snapshot.file import index_beside
from papers import tools
from papers.catalogue import names
from papers.catalogue.text_kinds import text_name
from papers.library import index_build
from papers.search.list_query import ListQuery
from papers.search.results import list_page, papers_by_id
from papers.search.tables import SnapshotTables
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import SamplePaper

NAMED = ("author", "venue", "keyword", "institution")
people = st.lists(
    st.sampled_from(["Ada McDonald", "Jürgen Groß", "Łukasz Kaiser", "王小明", "J. O'Brien"]), unique=True
)
places = st.lists(st.sampled_from(["TU München", "IBM", "MIT"]), unique=True, max_size=2)
venues = st.sampled_from(["NeurIPS", "ACL", ""])
words = st.lists(st.sampled_from(["BERT", "parsing", "F1 score", "Zipf", "attention"]), unique=True, max_size=4)
papers = st.lists(st.tuples(people, venues, words, places), min_size=1, max_size=8)


@contextmanager
def served_library(library: list[SamplePaper]) -> Iterator[Path]:
    """A library with its index, served until the block ends."""
    before = django_settings.SNAPSHOT, django_settings.ASSETS
    with TemporaryDirectory() as path:
        database = sample.build(Path(path), library)
        assets = str(database.parent / "static")
        index_build.build(database, FolderStore(assets), NoProgress())
        django_settings.SNAPSHOT, django_settings.ASSETS = database, assets
        served.renew()
        try:
            yield database
        finally:
            connections["snapshot"].close()
            django_settings.SNAPSHOT, django_settings.ASSETS = before


@given(papers)
@settings(max_examples=10, deadline=None)
def test_counts_from_the_index_and_from_the_tables_are_the_same(
    drawn: list[tuple[list[str], str, list[str], list[str]]],
) -> None:
    library = [
        SamplePaper(
            f"p{i}", f"Soup {i}", authors, venue=venue, keywords=keywords, institutions=institutions,
            summaries={"simple": "Soup."},
        )
        for i, (authors, venue, keywords, institutions) in enumerate(drawn)
    ]  # fmt: skip
    request = Request("soup", mode="words", facets=(*NAMED, "year", "language", "has", "template"), facet_limit=3)
    with served_library(library):
        built = served.current_index()
        assert built is not None
        assert built.search(request).facets == SnapshotTables().search(request).facets


def test_an_index_spells_names() -> None:
    mine = SamplePaper(
        "p", "Soup", ["Ada McDonald"], institutions=["TU München"], keywords=["BERT"], summaries={"simple": "Soup."}
    )
    with served_library([mine]):
        assert names.display_name("institution", "tu münchen") == "TU München"
        assert tools.list_top_facets("keyword").values[0].value == "BERT"
        assert tools.suggest("tu", kinds=("author", "keyword")).suggestions == []
        assert tools.suggest("ada", kinds=("author",)).suggestions[0].value == "Ada McDonald"
        assert tools.filter_papers(author="ada mcdonald").papers[0].authors == ["Ada McDonald"]
        assert list(list_page(ListQuery(q="soup")).facet_counts("institution")) == ["tu münchen"]


def test_an_index_of_an_older_version_is_not_used_and_asked_to_be_rebuilt() -> None:
    with served_library([SamplePaper("p", "Soup", ["Ada McDonald"], summaries={"simple": "Soup."})]) as database:
        manifest = folder.generations(index_beside(database))[0] / folder.MANIFEST
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": VERSION - 1}))
        assert served.current_index() is None
        assert "build-index" in served.index_state().message
        assert tools.search_papers("soup", facets=("author",)).facets["author"][0].value == "Ada McDonald"


def test_a_name_that_no_paper_writes_is_told_as_it_is_and_shown_with_capitals() -> None:
    """Programs get no guess; people do."""
    assert names.as_written("author", ["jane van dyke"]) == ["jane van dyke"]
    assert names.display_name("author", "jane van dyke") == "Jane Van Dyke"
    assert names.as_written("author", ["noam shazeer"]) == ["Noam Shazeer"]
    assert names.display_name("author", "noam shazeer") == "Noam Shazeer"


# Alphabetical order and capitals by guessing would make "Anna Zu Berg", "Frank De Charro", "Wiredtiger" of them.
UNSUMMARISED = SamplePaper(
    "p", "Soup", ["WiredTiger", "Frank de Charro", "Anna zu Berg", "bell hooks"], keywords=["mRNA"],
    institutions=["ETH Zürich"], venue="eLife",
)  # fmt: skip


def test_a_paper_without_summary_has_its_authors_in_order_as_written_with_an_index() -> None:
    with served_library([UNSUMMARISED]):
        assert served.current_index() is not None
        _assert_names_are_as_written()


def test_a_paper_without_summary_has_its_authors_in_order_as_written_without_an_index(own_library: Path) -> None:
    sample.build(own_library.parent, [UNSUMMARISED])
    served.renew()
    assert served.current_index() is None
    _assert_names_are_as_written()


def _assert_names_are_as_written() -> None:
    written = UNSUMMARISED.authors
    assert tools.search_papers("soup").papers[0].authors == written
    assert tools.search_papers_by_keyword("mrna").papers[0].authors == written
    assert tools.filter_papers(author="de charro").papers[0].authors == written
    assert list_page(ListQuery()).papers[0].authors == written
    assert papers_by_id(["p"])[0].authors == written
    facets = tools.search_papers("soup", facets=("author", "venue", "keyword", "institution")).facets
    assert sorted(value.value for value in facets["author"]) == sorted(written)
    assert [facets[name][0].value for name in ("venue", "keyword", "institution")] == ["eLife", "mRNA", "ETH Zürich"]
    assert names.display_name("author", "bell hooks") == "bell hooks"
    page = Client().get("/papers/?q=soup").content.decode()
    assert "WiredTiger, Frank de Charro" in page
    assert "Wiredtiger" not in page
    assert "De Charro" not in page


def test_a_list_without_index_reads_each_shown_paper_once(own_library: Path) -> None:
    library = [SamplePaper(f"p{i}", f"Soup {i}", [f"Ada McDonald {i}"], venue="") for i in range(40)]
    sample.build(own_library.parent, library)
    served.renew()
    before = names._stored_authors.cache_info().misses
    assert tools.filter_papers(limit=5).papers[0].authors == ["Ada McDonald 0"]
    assert names._stored_authors.cache_info().misses == before + 5
    tools.filter_papers(limit=5)
    assert names._stored_authors.cache_info().misses == before + 5


def test_authors_are_read_again_once_their_store_answers(own_library: Path) -> None:
    sample.build(own_library.parent, [UNSUMMARISED], build_id="f" * 32)
    served.renew()
    folder_of_summaries = own_library.parent / "static" / "summary"
    away = folder_of_summaries.rename(own_library.parent / "away")
    guessed = ["Anna Zu Berg", "Bell Hooks", "Frank De Charro", "Wiredtiger"]
    assert sorted(tools.filter_papers().papers[0].authors) == guessed
    assert names.display_name("author", "wiredtiger") == "Wiredtiger"
    away.rename(folder_of_summaries)
    assert tools.filter_papers().papers[0].authors == UNSUMMARISED.authors
    assert names.display_name("author", "wiredtiger") == "WiredTiger"


def test_texts_are_named_as_readers_know_them() -> None:
    named = ["abstract", "source", "summary:deep_read", "translation:zh"]
    assert [text_name(text) for text in named] == ["Abstract", "Source", "Deep read", "Chinese"]

"""Names as people write them, and counts that agree, whether an index or the snapshot's own tables answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import settings as django_settings
from django.db import connections
from hypothesis import given, settings
from hypothesis import strategies as st

from papercore import limits
from papercore.retrieval import Request, folder
from papercore.snapshot_layout import index_beside
from papers import tools
from papers.catalogue import names
from papers.progress import NoProgress
from papers.search import index, index_build
from papers.search.fallback.tables import Tables
from papers.search.list_query import ListQuery
from papers.search.results import list_page
from papers.snapshot import served
from papers.texts.asset_store import FolderStore
from tests import snapshot as sample
from tests.snapshot import PAPERS, SamplePaper

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
        built = index.current()
        assert built is not None
        assert built.search(request).facets == Tables().search(request).facets


def test_an_index_spells_names_in_a_library_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papercore.limits.SPELLING_PAPERS", 0)
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
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": folder.VERSION - 1}))
        assert index.current() is None
        assert "build_index" in index.index_state().message
        assert tools.search_papers("soup", facets=("author",)).facets["author"][0].value == "Ada McDonald"


def test_a_name_that_no_paper_writes_is_told_as_it_is_and_shown_with_capitals() -> None:
    """Programs get no guess; people do."""
    assert names.as_written("author", "jane van dyke") == "jane van dyke"
    assert names.display_name("author", "jane van dyke") == "Jane Van Dyke"
    assert names.as_written("author", "noam shazeer") == names.display_name("author", "noam shazeer") == "Noam Shazeer"


def test_in_a_large_library_without_index_only_venues_have_their_spelling(
    own_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SPELLING_PAPERS", 1)
    sample.build(own_library.parent, [replace(PAPERS[0], authors=[]), PAPERS[1]], build_id="e" * 32)
    served.renew()
    assert names._read_summaries("e" * 32).authors == {}
    monkeypatch.setattr(limits, "SPELLING_PAPERS", 10)
    assert list(names._read_summaries("d" * 32).authors) == ["456"]

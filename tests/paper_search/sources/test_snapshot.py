"""The local library as a source: by its index, by its own tables, old and broken files."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ingest.entries.report import NoProgress
from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources.interface import SourceError
from paper_search.sources.snapshot import Snapshot
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from tests import snapshot as sample


def search(path: Path, words: str, **filters: int | list[str]) -> list[RawPaper]:
    query = SearchQuery(keywords=[words], boolean_query=words)
    return asyncio.run(Snapshot(path).search(query, SearchConstraints.model_validate(filters)))


def test_a_paper_comes_with_everything_the_library_knows(library: Path) -> None:
    (paper,) = search(library, "self-attention transformer", year_to=2018)
    assert (paper.id, paper.doi, paper.year, paper.venue) == ("123", "10.5555/3295222.3295349", 2017, "NeurIPS")
    assert [author.name for author in paper.authors] == ["Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser"]
    assert paper.abstract == "What Attention Is All You Need is about."
    assert paper.bibtex is not None
    assert paper.bibtex.startswith("@inproceedings{vaswani2017attention")
    assert paper.facts == SourceFacts(match=1.0)


def test_the_index_finds_other_forms_of_a_word_and_the_tables_do_not(tmp_path: Path) -> None:
    path = sample.build(tmp_path)
    assert "456" not in [paper.id for paper in search(path, "errors flowed")]
    index_build.build(path, FolderStore(str(tmp_path / "static")), NoProgress())
    assert "456" in [paper.id for paper in search(path, "errors flowed")]
    assert [paper.id for paper in search(path, "memory", year_from=1990, year_to=1999)] == ["456"]


def test_an_old_snapshot_serves_without_doi_and_bibtex(tmp_path: Path) -> None:
    (paper,) = search(sample.build(tmp_path, legacy=True), "memory cell", year_to=2000)
    assert (paper.id, paper.doi, paper.bibtex) == ("456", None, None)


def test_other_scripts_and_hostile_words_are_searched_as_they_are(library: Path) -> None:
    assert [paper.id for paper in search(library, "分词")] == ["cjk-1"]
    for words in ('"', "AND", 'x" OR "y', "title:*", "(", "\0", "NEAR(a b)"):
        search(library, words)


def test_papers_of_unknown_year_are_kept(library: Path) -> None:
    assert [paper.id for paper in search(library, "notes", year_from=2020)] == ["undated"]


@pytest.mark.parametrize("venue", ["NeurIPS", "NIPS", "Neural Information Processing Systems"])
def test_a_venue_is_found_by_its_acronym_and_by_its_name(tmp_path: Path, venue: str) -> None:
    path = sample.build(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE venue SET value = 'advances in neural information processing systems' WHERE value = 'neurips'"
        )
        connection.execute(
            "UPDATE paper SET venue = 'Advances in Neural Information Processing Systems' WHERE paper_id = '123'"
        )
    for indexed in (False, True):
        if indexed:
            index_build.build(path, FolderStore(str(tmp_path / "static")), NoProgress())
        assert [paper.id for paper in search(path, "attention", venues=[venue])] == ["123"]
        assert search(path, "attention", venues=["Nowhere"]) == []


def test_the_librarys_keywords_are_known(library: Path, tmp_path: Path) -> None:
    assert Snapshot(library).keywords()[0] == "transformer"
    assert Snapshot(tmp_path / "none.db").keywords() == []


def test_papers_that_mention_phrases_are_read_by_the_index_and_by_the_tables(library: Path, tmp_path: Path) -> None:
    for path in (library, sample.build(tmp_path)):
        (paper,) = Snapshot(path).mentions("attention is all you need")
        assert (paper.title, paper.abstract) == (
            "Attention Is All You Need",
            "What Attention Is All You Need is about.",
        )
        assert "transformer" in paper.keywords
        assert Snapshot(path).mentions("attention", "word that nobody has") == []
    assert Snapshot(tmp_path / "none.db").mentions("attention") == []


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no snapshot"):
        search(tmp_path / "none.db", "x")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a database at all" * 100)
    with pytest.raises(SourceError, match="cannot be read"):
        search(broken, "x")

"""The snapshot file: read-only in fact, replaced without restart, refused when bad."""

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import DatabaseError, connections

from papercore import limits
from papercore.errors import ToolError
from papers import tools
from papers.snapshot import served
from papers.snapshot.models import Paper, PaperAuthor
from tests import snapshot as sample
from tests.snapshot import SamplePaper

NEW = [SamplePaper("new", "A Newer Library", ["Nobody"], summaries={"simple": "Fresh."})]


def replace(path: Path, data: bytes) -> None:
    aside = path.with_suffix(".aside")
    aside.write_bytes(data)
    aside.replace(path)


def flip_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 64] = bytes(byte ^ 0xFF for byte in data[start : start + 64])
    replace(path, bytes(data))


def leave_wal(path: Path) -> None:
    sample.build(path.parent, NEW)
    path.with_name(path.name + "-wal").write_bytes(b"unfinished")


def drop_table(path: Path) -> None:
    aside = path.with_suffix(".aside")
    aside.write_bytes(path.read_bytes())
    database = sqlite3.connect(aside)
    database.execute("DROP TABLE paper_summary")
    database.close()
    aside.replace(path)


BAD: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "empty": lambda path: replace(path, b""),
    "junk": lambda path: replace(path, b"no database at all " * 999),
    "truncated": lambda path: replace(path, path.read_bytes()[: path.stat().st_size // 2]),
    "flipped bytes": flip_pages,
    "with a -wal": leave_wal,
    "another schema": drop_table,
}


class TestReadOnly:
    def test_a_write_through_a_model_is_refused(self) -> None:
        with pytest.raises(DatabaseError, match="readonly"):
            Paper.objects.filter(pk="123").update(title="changed")

    @pytest.mark.parametrize(
        "statement", ["CREATE TABLE x (y)", "DELETE FROM paper", "CREATE TEMP TABLE x (y)", "PRAGMA user_version = 5"]
    )
    def test_a_write_by_sql_is_refused(self, statement: str) -> None:
        with pytest.raises(DatabaseError), connections["snapshot"].cursor() as cursor:
            cursor.execute(statement)

    def test_no_file_can_be_created_through_it(self, tmp_path: Path) -> None:
        with pytest.raises(DatabaseError), connections["snapshot"].cursor() as cursor:
            cursor.execute("ATTACH %s AS other", [str(tmp_path / "other.db")])
        assert not (tmp_path / "other.db").exists()

    def test_it_serves_from_a_folder_that_nobody_may_write(self, own_library: Path) -> None:
        own_library.chmod(0o444)
        own_library.parent.chmod(0o555)
        try:
            served.renew()
            assert tools.get_database_stats().papers == 5
            assert sorted(path.name for path in own_library.parent.iterdir()) == ["paper_snapshot.db", "static"]
        finally:
            own_library.parent.chmod(0o755)

    def test_a_query_without_end_is_stopped_with_a_clear_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "QUERY_SECONDS", 0.05)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        with pytest.raises(ToolError) as caught, served.reading(), connections["snapshot"].cursor() as cursor:
            cursor.execute(endless)
        assert caught.value.code == "query_timeout"
        with pytest.raises(ToolError) as caught, served.reading():
            served.connection().execute(endless, [])
        assert caught.value.code == "query_timeout"

    def test_a_query_that_fails_after_its_first_rows_is_a_clear_error(self) -> None:
        rows = "SELECT json_extract(value, '$') FROM json_each(?)"
        with pytest.raises(ToolError) as caught, served.reading():
            served.connection().execute(rows, ['["1", "2", "{"]'])
        assert caught.value.code == "snapshot_unavailable"

    def test_link_tables_have_their_composite_keys(self) -> None:
        link = PaperAuthor.objects.order_by("paper_id", "author_id")[0]
        assert link.pk == (link.paper_id, link.author_id)
        assert PaperAuthor.objects.get(pk=link.pk).author.value


class TestLegacy:
    @pytest.mark.scenario(
        "paper-bibtex / MCP metadata DOI passthrough / Legacy snapshot fallback for DOI/BibTeX metadata"
    )
    def test_an_older_file_serves_with_null_doi_and_no_bibtex(self, own_library: Path) -> None:
        sample.build(own_library.parent, legacy=True)
        served.renew()
        assert (served.facts().has_doi, served.facts().has_bibtex) == (False, False)
        paper = tools.get_paper_metadata("123")
        assert (paper.doi, paper.has_bibtex, paper.arxiv_id) == (None, False, "1706.03762")
        assert tools.search_papers("10.1162/neco.1997.9.8.1735").papers[0].paper_id == "456"
        with pytest.raises(ToolError) as caught:
            tools.get_paper_bibtex("123")
        assert caught.value.code == "bibtex_not_found"


class TestReplacement:
    def test_a_new_file_is_served_at_the_next_request_and_not_before(self, own_library: Path) -> None:
        assert tools.get_database_stats().papers == 5
        sample.build(own_library.parent, NEW, build_id="new")
        assert tools.get_database_stats().papers == 5
        served.renew()
        assert tools.get_database_stats().papers == 1
        assert tools.list_top_facets("author").values[0].value == "Nobody"
        assert served.served_file().problem is None

    @pytest.mark.parametrize("kind", BAD)
    def test_a_bad_replacement_is_refused_and_the_last_good_one_goes_on(self, own_library: Path, kind: str) -> None:
        served.facts()
        BAD[kind](own_library)
        served.renew()
        assert tools.get_paper_metadata("123").title == "Attention Is All You Need"
        problem = served.served_file().problem or ""
        assert problem
        assert str(own_library.parent) not in problem

    def test_a_thread_that_never_read_before_gets_the_last_good_one_too(self, own_library: Path) -> None:
        served.facts()
        own_library.unlink()
        titles: list[str] = []

        def read() -> None:
            served.renew()
            titles.append(tools.get_paper_metadata("123").title)
            connections.close_all()

        for _ in range(3):
            thread = threading.Thread(target=read)
            thread.start()
            thread.join(timeout=10)
        assert titles == ["Attention Is All You Need"] * 3
        assert tools.get_paper_metadata("456").year == 1997

    def test_a_good_file_after_a_bad_one_is_taken_over(self, own_library: Path) -> None:
        served.facts()
        replace(own_library, b"junk")
        served.renew()
        sample.build(own_library.parent, NEW, build_id="newer")
        served.renew()
        assert (tools.get_database_stats().papers, served.served_file().problem) == (1, None)

    @pytest.mark.parametrize("kind", BAD)
    def test_a_file_that_was_never_good_is_a_structured_error(self, own_library: Path, kind: str) -> None:
        connections["snapshot"].close()
        BAD[kind](own_library)
        served.served_file().good = None
        served.renew()
        with pytest.raises(ToolError) as caught:
            tools.search_papers("anything")
        assert caught.value.code == "snapshot_unavailable"
        assert os.sep not in caught.value.message

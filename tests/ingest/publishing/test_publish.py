"""A snapshot is published completely or not at all, and an old one is replaced without a gap."""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from ingest import BuildError, BuildFolders, build_snapshot
from tests.ingest.library import ATTENTION, LSTM, build, write_lines, write_summaries

T = TypeVar("T")


class PowerCut(Exception):
    pass


class FailsWhileWriting:
    """Progress that ends the build after the first paper has been written."""

    def say(self, message: str) -> None:
        pass

    stage = say

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for number, item in enumerate(items):
            if label == "Writing" and number:
                raise PowerCut
            yield item


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_failed_build_leaves_nothing_behind(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "a.jsonl", LSTM, {"title": "Two"})
    with pytest.raises(PowerCut):
        build_snapshot([lines], tmp_path / "out", progress=FailsWhileWriting())
    assert not (tmp_path / "out").exists()


def test_a_failed_build_leaves_the_old_snapshot_as_it_was(tmp_path: Path) -> None:
    build(tmp_path / "out", write_summaries(tmp_path / "a.json", ATTENTION))
    before = files_in(tmp_path / "out")
    lines = write_lines(tmp_path / "a.jsonl", LSTM, {"title": "Two"})
    with pytest.raises(PowerCut):
        build_snapshot([lines], tmp_path / "out", progress=FailsWhileWriting())
    assert files_in(tmp_path / "out") == before


def test_leftovers_of_a_killed_build_are_removed(tmp_path: Path) -> None:
    (tmp_path / "out" / ".building").mkdir(parents=True)
    (tmp_path / "out" / ".building" / "entries.db").write_bytes(b"half")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM))
    assert sorted(path.name for path in built.out.iterdir()) == ["paper_snapshot.db", "static"]


def test_the_database_needs_no_log_and_is_replaced_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(out, write_lines(tmp_path / "a.jsonl", LSTM))
    with closing(sqlite3.connect(f"file:{out / 'paper_snapshot.db'}?mode=ro&immutable=1", uri=True)) as reader:
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        build(out, write_summaries(tmp_path / "a.json", ATTENTION))
        assert reader.execute("SELECT title FROM paper").fetchall() == [(LSTM["title"],)]
    assert build(out, write_lines(tmp_path / "a.jsonl", LSTM)).column("SELECT title FROM paper") == [LSTM["title"]]
    assert not list(out.glob("paper_snapshot.db-*"))


def test_assets_of_the_replaced_snapshot_stay_for_one_more_build(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "vaswani-2017.md").write_text("The source.\n")
    papers = write_summaries(tmp_path / "a.json", ATTENTION)
    build(tmp_path / "out", papers, folders=BuildFolders(tmp_path / "md"))
    (source,) = (tmp_path / "out" / "static" / "md").iterdir()
    build(tmp_path / "out", papers)
    assert source.exists()
    build(tmp_path / "out", papers)
    assert not source.exists()
    assert not (tmp_path / "out" / ".stale-assets").exists()


def test_an_asset_that_is_used_again_is_kept(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "vaswani-2017.md").write_text("The source.\n")
    papers, folders = write_summaries(tmp_path / "a.json", ATTENTION), BuildFolders(tmp_path / "md")
    build(tmp_path / "out", papers, folders=folders)
    build(tmp_path / "out", papers)
    build(tmp_path / "out", papers, folders=folders)
    build(tmp_path / "out", papers, folders=folders)
    assert len(list((tmp_path / "out" / "static" / "md").iterdir())) == 1


def test_a_folder_with_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    with pytest.raises(BuildError, match="holds other files"):
        build(tmp_path / "home", write_lines(tmp_path / "a.jsonl", LSTM))
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["letter.txt"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "a.jsonl", LSTM)
    before = lines.read_bytes()
    with pytest.raises(BuildError, match="is not a folder"):
        build(lines, lines)
    assert lines.read_bytes() == before


def test_a_second_build_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    folder = os.open(tmp_path / "out", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with pytest.raises(BuildError, match="Another build"):
            build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM))
    finally:
        os.close(folder)


def test_a_snapshot_that_somebody_writes_to_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(out, write_lines(tmp_path / "a.jsonl", LSTM))
    with closing(sqlite3.connect(out / "paper_snapshot.db")) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("INSERT INTO snapshot_meta VALUES ('note', 'x')")
        writer.commit()
        with pytest.raises(BuildError, match="another program is writing"):
            build(out, write_lines(tmp_path / "a.jsonl", LSTM))


@pytest.mark.parametrize("name", ["missing.bib", "papers.txt"])
def test_an_input_that_cannot_be_read_at_all_stops_the_build(tmp_path: Path, name: str) -> None:
    (tmp_path / "papers.txt").write_text("x")
    with pytest.raises(BuildError, match=name):
        build(tmp_path / "out", tmp_path / name)


def test_a_missing_previous_snapshot_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="previous snapshot"):
        build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM), previous=tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.bib", "Nothing but prose.\n", "empty.bib: no paper found"),
        ("empty.ris", "", "empty.ris: no paper found"),
        ("empty.json", "[]", "empty.json: no paper found"),
        ("broken.bib", "@article{a, title={A", "broken.bib:1: a: not BibTeX"),
        ("broken.jsonl", "{", "broken.jsonl:1: not JSON"),
    ],
)
def test_an_input_without_any_paper_is_an_error_and_the_full_library_stays(
    tmp_path: Path, name: str, content: str, reason: str
) -> None:
    out = tmp_path / "out"
    build(out, write_lines(tmp_path / "a.jsonl", LSTM))
    before = files_in(out)
    (tmp_path / name).write_text(content)
    with pytest.raises(BuildError, match=reason):
        build(out, tmp_path / name, previous=out)
    assert files_in(out) == before

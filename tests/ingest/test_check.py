"""check_snapshot finds what a server could not serve."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ingest import BuildFolders
from ingest.checking import check_snapshot
from tests.ingest.library import ATTENTION, build, write_summaries


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A snapshot with one asset of each kind."""
    for name in ("md", "tr", "pdf"):
        (tmp_path / name).mkdir()
    (tmp_path / "md" / "fig.png").write_bytes(b"\x89PNG")
    (tmp_path / "md" / "vaswani-2017.md").write_text("![figure](fig.png) ![gone](gone.png)\n")
    (tmp_path / "tr" / "vaswani-2017.de.md").write_text("Aufmerksamkeit.\n")
    (tmp_path / "pdf" / "vaswani-2017.pdf").write_bytes(b"%PDF-1.4")
    folders = BuildFolders(tmp_path / "md", tmp_path / "tr", tmp_path / "pdf")
    return build(tmp_path / "out", write_summaries(tmp_path / "a.json", ATTENTION), folders=folders).out


def problems_of(out: Path) -> list[str]:
    return check_snapshot(out / "paper_snapshot.db", out / "static").problems


def test_a_complete_snapshot_has_no_problems(out: Path) -> None:
    report = check_snapshot(out / "paper_snapshot.db", out / "static")
    assert report.problems == []
    assert (report.counts["papers"], report.counts["PDFs"], report.counts["translations"]) == (1, 1, 1)
    assert "no index" in report.index


def overwrite(content: bytes) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_bytes(content)

    return change


def replace_by_link(path: Path) -> None:
    target = path.rename(path.with_name("elsewhere"))
    path.symlink_to(target)


@pytest.mark.parametrize("pattern", ["summary/*.json", "summary/*/simple.json", "md/*", "md_translate/de/*"])
@pytest.mark.parametrize("change", [Path.unlink, replace_by_link, overwrite(b"\xff"), overwrite(b"{}")])
def test_a_missing_or_broken_text_is_found(out: Path, pattern: str, change: Callable[[Path], None]) -> None:
    (path,) = (out / "static").glob(pattern)
    change(path)
    (problem,) = problems_of(out)
    assert problem.startswith(f"{path.relative_to(out / 'static')}: ")


@pytest.mark.parametrize("pattern", ["pdf/*", "images/*", "manifest/*"])
@pytest.mark.parametrize("change", [Path.unlink, replace_by_link])
def test_a_missing_pdf_image_or_manifest_is_found(out: Path, pattern: str, change: Callable[[Path], None]) -> None:
    (path,) = (out / "static").glob(pattern)
    change(path)
    (problem,) = problems_of(out)
    assert problem.startswith(f"{path.relative_to(out / 'static')}: ")


def test_rows_that_belong_to_no_paper_are_found(out: Path) -> None:
    with closing(sqlite3.connect(out / "paper_snapshot.db")) as database:
        database.execute("INSERT INTO paper_bibtex VALUES ('nobody', '@misc{x}', 'x', 'misc')")
        database.execute("DELETE FROM paper_fts")
        database.commit()
    assert problems_of(out) == ["paper_bibtex: 1 rows belong to no paper", "paper_fts: 0 rows for 1 papers"]


def test_a_missing_asset_folder_is_one_problem(out: Path) -> None:
    (problem,) = check_snapshot(out / "paper_snapshot.db", out / "nowhere").problems
    assert "is missing" in problem


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00 and then nothing"])
def test_a_broken_database_is_one_problem(out: Path, content: bytes) -> None:
    (out / "paper_snapshot.db").write_bytes(content)
    assert len(problems_of(out)) == 1


def test_a_missing_database_is_one_problem(tmp_path: Path) -> None:
    assert len(problems_of(tmp_path)) == 1


def test_a_snapshot_without_a_build_id_is_a_problem(out: Path) -> None:
    with closing(sqlite3.connect(out / "paper_snapshot.db")) as database:
        database.execute("DELETE FROM snapshot_meta WHERE key = 'snapshot_build_id'")
        database.commit()
    assert problems_of(out) == ["snapshot_meta has no snapshot_build_id"]

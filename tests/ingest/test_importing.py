"""An import publishes while it reads, goes on where it was ended, and waits for others."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from ingest import BuildError, ChangeSettings, LibraryBusy, edit_paper, history, merge_papers, undo, update_library
from ingest.ledger.readings import READINGS
from ingest.matching.corrections import corrections_of
from ingest.publishing.publish import build_folder
from papercore.snapshot.file import DATABASE
from tests.ingest.library_content import content
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.server import wait_for

T = TypeVar("T")
PDFS = 30
WORDS = "Rivers carry sand to the sea, where the tide sorts it by the size of its grains. " * 4


@pytest.fixture(scope="module")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pdfs")
    for number in range(PDFS):
        first = [Text(f"On Tides and Their Traces, Part {number}", size=18), Text("Ada Fluvius", top=100)]
        write_pdf(folder / f"{number:02}.pdf", [[*first, *paragraph(WORDS, 72, 140, 80)]])
    return folder


def papers(library: Path) -> int:
    if not (library / DATABASE).exists():
        return 0
    with closing(sqlite3.connect(library / DATABASE)) as database:
        return int(database.execute("SELECT count(*) FROM paper").fetchone()[0])


class Watching:
    """Notes what is said and how many papers there are then; ends the work when it has read so many files."""

    def __init__(self, library: Path, end_after: int = 1_000) -> None:
        self._library = library
        self._end_after = end_after
        self.said: list[tuple[str, int]] = []

    def say(self, message: str) -> None:
        self.said.append((message, papers(self._library)))

    stage = say

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for number, item in enumerate(items):
            if label == "Reading PDFs" and number == self._end_after:
                raise BuildError("ended")
            yield item


def test_papers_are_there_while_others_are_read_and_are_one_operation(pdfs: Path, tmp_path: Path) -> None:
    watching = Watching(tmp_path / "library")
    report = update_library(tmp_path / "library", [pdfs], settings=ChangeSettings(progress=watching))
    assert ("25 papers added so far.", 25) in watching.said
    assert (report.count("added"), len(report.changes), papers(tmp_path / "library")) == (PDFS, PDFS, PDFS)
    (operation,) = history(tmp_path / "library")
    assert len(operation.changes) == PDFS
    undo(tmp_path / "library")
    assert papers(tmp_path / "library") == 0


def test_an_import_that_was_ended_keeps_what_it_published_and_goes_on(pdfs: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    with pytest.raises(BuildError, match="ended"):
        update_library(library, [pdfs], settings=ChangeSettings(progress=Watching(library, end_after=28)))
    assert papers(library) == 25
    sql = "SELECT rowid, name FROM reading ORDER BY rowid"
    with closing(sqlite3.connect(library / READINGS)) as readings:
        read = readings.execute(sql).fetchall()
    assert update_library(library, [pdfs]).count("added") == PDFS - 25
    with closing(sqlite3.connect(library / READINGS)) as readings:
        assert len(read) >= 28
        assert readings.execute(sql).fetchall()[: len(read)] == read
    update_library(tmp_path / "at-once", [pdfs])
    assert content(library)["paper"] == content(tmp_path / "at-once")["paper"]


def test_who_waits_says_for_whom(tmp_path: Path) -> None:
    library = tmp_path / "library"
    (bib := tmp_path / "a.bib").write_text("@article{a, title={On tides}, author={Fluvius, Ada}, year={2001}}")
    watching = Watching(library)
    waiting = ChangeSettings(wait_seconds=60, progress=watching)
    with build_folder(library, writer="'add zotero' of ada"):
        with pytest.raises(LibraryBusy, match=r"'add zotero' of ada, since .*: wait until it is done"):
            update_library(library, [bib], settings=ChangeSettings(wait_seconds=0.2))
        other = threading.Thread(target=update_library, args=(library, [bib]), kwargs={"settings": waiting})
        other.start()
        wait_for(
            lambda: any(said.startswith("Waiting for 'add zotero' of ada") for said, _ in watching.said),
            "who is waited for",
        )
        assert papers(library) == 0
    other.join(60)
    assert papers(library) == 1


def test_what_a_person_said_holds_when_the_source_says_something_else(tmp_path: Path) -> None:
    library, bib = tmp_path / "library", tmp_path / "a.bib"
    entry = "@article{{{1}, title={{{0}}}, author={{Fluvius, Ada}}, year={{2001}}}}\n"
    bib.write_text(entry.format("On rivers", "r") + entry.format("On seas", "s"))
    update_library(library, [bib])
    first, second = (change[1] for change in history(library)[0].changes)
    edit_paper(library, first, corrections_of({"venue": "Nature"}))
    merge_papers(library, [first, second])
    bib.write_text(entry.format("On streams", "r") + entry.format("On oceans", "s"))
    update_library(library, [bib])
    with closing(sqlite3.connect(library / DATABASE)) as database:
        assert database.execute("SELECT paper_id, venue FROM paper").fetchall() == [(first, "Nature")]


def test_papers_of_a_bibliography_appear_while_the_rest_is_read(tmp_path: Path) -> None:
    entries = (f"@misc{{k{number}, title={{On Tides, Part {number}}}, year=2001}}\n" for number in range(250))
    (tmp_path / "a.bib").write_text("".join(entries))
    library = tmp_path / "library"
    watching = Watching(library)
    update_library(library, [tmp_path / "a.bib"], settings=ChangeSettings(progress=watching))
    assert ("200 papers added so far.", 200) in watching.said
    assert papers(library) == 250
    assert len(history(library)) == 1

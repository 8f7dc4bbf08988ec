"""A library follows its folders: what appears, changes and goes there, and nothing else."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest

from ingest import ChangeSettings, UpdateReport, build_snapshot, update_library
from ingest.entries.report import NoProgress, TaskProgress
from ingest.publishing.publish import build_folder
from ingest.watching.scan import WatchMemory
from ingest.watching.watcher import Watcher
from tests.ingest.library import LSTM, write_lines
from tests.ingest.library_content import content
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.ingest.reading.made_zotero import MadeZotero

SAND = "@article{sand, title = {Sand in rivers}, author = {Ada Fluvius}, year = {2020}, doi = {10.1000/sand}}\n"
TIDE = "@article{tide, title = {Tides of estuaries}, author = {Bert Estuary}, year = {2021}, doi = {10.1000/tide}}\n"
ABSTRACT = "We measure how sediment settles in channels that the tide floods twice a day, over seven years."


class Listener:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.reports: list[UpdateReport] = []
        self.messages: list[str] = []

    def updated(self, report: UpdateReport) -> None:
        self.reports.append(report)

    def say(self, message: str) -> None:
        self.messages.append(message)


class Watched:
    """A library with one paper, and a folder that is watched."""

    def __init__(self, place: Path) -> None:
        self.library = build_snapshot([write_lines(place / "lstm.jsonl", LSTM)], place / "library").out
        self.folder = place / "watched"
        self.folder.mkdir()
        self.restart()

    def restart(self) -> None:
        self.listener = Listener()
        self.watcher = Watcher(self.library, [self.folder], _update_at_once, self.listener, NoProgress(), Event())

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def pdf(self, name: str, title: str) -> Path:
        page = [Text(title, size=18), Text("Ada Fluvius", top=100), *paragraph(ABSTRACT, 72, 140, 80)]
        return write_pdf(self.folder / name, [page])

    def look(self) -> None:
        """Twice, so that files have settled."""
        self.watcher.look()
        self.watcher.look()

    @property
    def titles(self) -> set[object]:
        return {row[4] for row in content(self.library)["paper"]} - {LSTM["title"]}


def _update_at_once(
    library: Path, add: Sequence[Path], gone: Sequence[Path], *, progress: TaskProgress
) -> UpdateReport:
    settings = ChangeSettings(wait_seconds=0, progress=progress)
    return update_library(library, add, gone=gone, follow=True, settings=settings)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_a_file_is_read_when_two_looks_saw_it_alike(watched: Watched) -> None:
    path = watched.write("new.bib", SAND)
    watched.watcher.look()
    path.write_text(SAND + TIDE)
    watched.watcher.look()
    assert watched.titles == set()
    watched.watcher.look()
    assert watched.titles == {"Sand in rivers", "Tides of estuaries"}
    assert len(watched.listener.reports) == 1


def test_files_wait_for_others_that_are_written_but_not_for_ever(watched: Watched) -> None:
    watched.write("done.bib", SAND)
    growing = watched.write("growing.bib", TIDE)
    for number in range(10):
        watched.watcher.look()
        growing.write_text(TIDE + "%" * number)
        assert watched.titles == set()
    watched.watcher.look()
    assert watched.titles == {"Sand in rivers"}


def test_a_file_that_goes_takes_its_papers_along(watched: Watched) -> None:
    before = content(watched.library)
    path = watched.write("new.bib", SAND)
    watched.look()
    path.unlink()
    watched.watcher.look()
    assert watched.titles == {"Sand in rivers"}  # an editor may be about to write it again
    watched.watcher.look()
    assert content(watched.library) == before


def test_a_paper_that_another_file_has_stays_with_what_that_file_says(watched: Watched) -> None:
    watched.write("one.bib", SAND)
    watched.look()
    alone = content(watched.library)
    other = watched.write("two.bib", SAND.replace("year =", "keywords = {dunes}, year ="))
    watched.look()
    assert ("dunes",) in {row[1:2] for row in content(watched.library)["keyword"]}
    other.unlink()
    watched.look()
    assert content(watched.library) == alone


def test_a_changed_file_replaces_what_it_said_and_other_papers_are_not_written_again(watched: Watched) -> None:
    path = watched.write("new.bib", SAND + TIDE)
    watched.look()
    sand = next(row[0] for row in content(watched.library)["paper"] if row[4] == "Sand in rivers")
    path.write_text(SAND.replace("Sand in rivers", "Gravel in rivers") + TIDE)
    watched.look()
    assert watched.titles == {"Gravel in rivers", "Tides of estuaries"}
    changed = [change for change in watched.listener.reports[-1].changes if change.kind != "unchanged"]
    assert [(change.paper_id, change.kind) for change in changed] == [(sand, "changed")]
    path.write_text(TIDE)
    watched.look()
    assert watched.titles == {"Tides of estuaries"}


def test_a_moved_file_changes_nothing(watched: Watched) -> None:
    path = watched.write("new.bib", SAND)
    watched.look()
    build = watched.listener.reports[-1].build_id
    (watched.folder / "deeper").mkdir()
    path.rename(watched.folder / "deeper" / "renamed.bib")
    watched.look()
    assert watched.listener.reports[-1].build_id == build
    (watched.folder / "deeper" / "renamed.bib").unlink()
    watched.look()
    assert watched.titles == set()


def test_a_restarted_watcher_continues(watched: Watched) -> None:
    path = watched.write("new.bib", SAND)
    watched.look()
    watched.restart()
    watched.look()
    assert watched.listener.reports == []
    path.unlink()
    watched.write("other.bib", TIDE)
    watched.restart()
    watched.look()
    assert watched.titles == {"Tides of estuaries"}


def test_a_watcher_that_ended_before_it_could_remember_reads_again_and_knows_its_papers(watched: Watched) -> None:
    path = watched.write("new.bib", SAND)
    watched.look()
    (watched.library / ".watched.json").unlink()
    watched.restart()
    watched.look()
    assert [change.kind for change in watched.listener.reports[-1].changes] == ["unchanged"]
    path.unlink()
    watched.look()
    assert watched.titles == set()


def test_papers_of_which_the_library_knows_more_stay_when_the_file_goes(watched: Watched, tmp_path: Path) -> None:
    told = {"title": "Sand in rivers", "authors": ["Ada Fluvius"], "year": 2020, "doi": "10.1000/sand"}
    update_library(watched.library, [write_lines(tmp_path / "told.jsonl", {**told, "tags": ["read"]})])
    path = watched.write("new.bib", SAND)
    watched.look()
    path.unlink()
    watched.look()
    assert watched.titles == {"Sand in rivers"}


def test_what_somebody_else_added_to_a_paper_outlives_its_file(watched: Watched, tmp_path: Path) -> None:
    path = watched.write("new.bib", SAND)
    watched.look()
    told = {"title": "Sand in rivers", "authors": ["Ada Fluvius"], "doi": "10.1000/sand", "tags": ["read"]}
    update_library(watched.library, [write_lines(tmp_path / "told.jsonl", told)])
    path.write_text(SAND.replace("2020", "2019"))
    watched.look()
    assert [row[1] for row in content(watched.library)["tag"]] == ["read"]
    path.unlink()
    watched.look()
    assert watched.titles == {"Sand in rivers"}


def test_a_file_that_cannot_be_used_is_told_once_and_tried_again_when_it_changes(watched: Watched) -> None:
    bad = watched.write("bad.bib", "")
    watched.write("good.bib", SAND)
    watched.look()
    watched.look()
    assert watched.titles == {"Sand in rivers"}
    assert watched.listener.messages == [f"{bad}: no paper found. Nothing was built."]
    bad.write_text(TIDE)
    watched.look()
    assert watched.titles == {"Sand in rivers", "Tides of estuaries"}


def test_a_file_that_is_truncated_keeps_its_papers_until_it_is_whole(watched: Watched) -> None:
    path = watched.write("new.bib", SAND)
    watched.look()
    path.write_text("")
    watched.look()
    assert watched.titles == {"Sand in rivers"}
    path.write_text(TIDE)
    watched.look()
    assert watched.titles == {"Tides of estuaries"}


def test_pdfs_come_and_go(watched: Watched) -> None:
    path = watched.pdf("Fluvius - 2022 - Settling sediment.pdf", "Settling sediment")
    watched.look()
    assert watched.titles == {"Settling sediment"}
    path.unlink()
    watched.look()
    assert watched.titles == set()


def test_a_pdf_that_is_overwritten_slowly_keeps_its_paper(watched: Watched) -> None:
    path = watched.pdf("settling.pdf", "Settling sediment")
    whole = path.read_bytes()
    watched.look()
    path.write_bytes(whole[:300])
    watched.look()
    assert watched.titles == {"Settling sediment"}
    assert "its text cannot be read" in watched.listener.messages[0]
    path.write_bytes(whole)
    watched.look()
    assert watched.titles == {"Settling sediment"}


def test_a_pdf_named_after_an_entry_is_the_file_of_that_paper_as_long_as_it_is_there(watched: Watched) -> None:
    watched.write("new.bib", SAND)
    watched.look()
    alone = content(watched.library)
    pdf = watched.pdf("sand.pdf", "Whatever it says")
    watched.look()
    assert watched.titles == {"Sand in rivers"}
    assert content(watched.library)["paper"] != alone["paper"]
    pdf.unlink()
    watched.look()
    assert content(watched.library) == alone


@pytest.mark.parametrize(
    "name", [".new.bib", "~new.bib", "#new.bib#", "new.bib~", "new.bib.part", ".new.bib.swp", ".git/new.bib", "new.txt"]
)
def test_temporary_and_hidden_files_are_not_read(watched: Watched, name: str) -> None:
    watched.write(name, SAND)
    watched.look()
    assert (watched.titles, watched.listener.messages) == (set(), [])


def test_links_are_not_followed(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "secret.bib").write_text(SAND)
    (watched.folder / "link.bib").symlink_to(tmp_path / "secret.bib")
    (watched.folder / "folder").symlink_to(tmp_path)
    watched.look()
    assert watched.titles == set()


def test_the_library_inside_of_a_watched_folder_is_not_read(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.folder = tmp_path
    watched.restart()
    (tmp_path / "lstm.jsonl").unlink()
    watched.pdf("settling.pdf", "Settling sediment")
    watched.look()
    watched.look()
    assert list(WatchMemory.read(watched.library).files) == [tmp_path / "settling.pdf"]


@pytest.mark.parametrize("unmount", [lambda folder: None, Path.mkdir], ids=["missing", "empty"])
def test_a_disk_that_is_not_mounted_takes_no_papers_along(watched: Watched, unmount: Callable[[Path], None]) -> None:
    watched.write("new.bib", SAND)
    watched.look()
    elsewhere = watched.folder.with_name("elsewhere")
    watched.folder.rename(elsewhere)
    unmount(watched.folder)
    watched.look()
    assert watched.titles == {"Sand in rivers"}
    assert len(watched.listener.messages) == 1
    shutil.rmtree(watched.folder, ignore_errors=True)
    elsewhere.rename(watched.folder)
    (watched.folder / "new.bib").unlink()
    watched.look()
    assert watched.titles == set()


def test_while_another_update_is_at_work_it_tries_again_and_says_so_once(watched: Watched) -> None:
    watched.write("new.bib", SAND)
    with build_folder(watched.library):
        watched.look()
        watched.look()
    assert watched.titles == set()
    assert len(watched.listener.messages) == 1
    watched.look()
    assert watched.titles == {"Sand in rivers"}


def test_after_a_build_into_the_library_every_file_is_read_again(watched: Watched, tmp_path: Path) -> None:
    watched.write("new.bib", SAND)
    watched.look()
    build_snapshot([tmp_path / "lstm.jsonl"], watched.library)
    assert watched.titles == set()
    watched.look()
    assert watched.titles == {"Sand in rivers"}


def test_a_zotero_folder_counts_as_one_file(watched: Watched) -> None:
    zotero = MadeZotero(watched.folder / "Zotero")
    item = zotero.item("journalArticle", title="Sand in rivers", DOI="10.1000/sand", date="2020-01-01")
    zotero.creator(item, "author", "Ada", "Fluvius")
    watched.look()
    assert watched.titles == {"Sand in rivers"}
    zotero.database.execute("INSERT INTO deletedItems VALUES (?)", (item,))
    zotero.item("journalArticle", title="Tides of estuaries", DOI="10.1000/tide", date="2021-01-01")
    watched.look()
    assert watched.titles == {"Tides of estuaries"}


def test_many_files_are_brought_in_by_several_updates(watched: Watched) -> None:
    for number in range(201):
        paper = {"title": f"Paper number {number}", "authors": ["Ada Fluvius"], "doi": f"10.1000/{number}"}
        watched.write(f"{number}.jsonl", json.dumps(paper) + "\n")
    watched.look()
    assert len(watched.titles) == 201
    assert len(watched.listener.reports) == 2

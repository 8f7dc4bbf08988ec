"""manage.py watch_library as a process: it updates the library while it runs, and ends when it is told to."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.library import LSTM, build, write_lines
from tests.ingest.library_content import content
from tests.server import ROOT, environment, manage, wait_for

SAND = "@article{sand, title = {Sand in rivers}, author = {Ada Fluvius}, year = {2020}, doi = {10.1000/sand}}\n"


class Watching:
    """The command at work, with its output in a file."""

    def __init__(self, place: Path) -> None:
        self.data, self.folder, self.library = place, place / "watched", place / "library"
        self.folder.mkdir()
        build(self.library, write_lines(place / "lstm.jsonl", LSTM))
        self._log = place / "log"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "manage.py", "watch_library", str(self.folder), "--library", str(self.library)]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--seconds", "0.1"], cwd=ROOT, env=environment(self.data), stdout=log, stderr=log
            )
        wait_for(lambda: "Watching" in self.output or self.process.poll() is not None, "the start")

    @property
    def output(self) -> str:
        return self._log.read_text()

    @property
    def titles(self) -> set[object]:
        return {row[4] for row in content(self.library)["paper"]}

    def end(self, number: int = signal.SIGTERM) -> int:
        os.kill(self.process.pid, number)
        return self.process.wait(60)


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    watching = Watching(tmp_path)
    yield watching
    if watching.process.poll() is None:
        watching.process.kill()
        watching.process.wait(60)


def test_files_are_followed_and_term_ends_it(watching: Watching) -> None:
    path = watching.folder / "new.bib"
    path.write_text(SAND)
    wait_for(lambda: "Sand in rivers" in watching.titles, "the paper")
    wait_for(lambda: "papers added: 1" in watching.output, "the report")
    path.unlink()
    wait_for(lambda: "Sand in rivers" not in watching.titles, "the end of the paper")
    assert watching.end() == 0
    assert watching.output.endswith("Ended.\n")


def test_a_watcher_that_was_killed_leaves_nothing_in_the_way_of_the_next(watching: Watching) -> None:
    (watching.folder / "new.bib").write_text(SAND)
    watching.end(signal.SIGKILL)
    watching.start()
    wait_for(lambda: "Sand in rivers" in watching.titles, "the paper")
    assert watching.end(signal.SIGINT) == 0


def test_a_second_watcher_is_told_so(watching: Watching) -> None:
    done = manage(watching.data, "watch_library", str(watching.folder), "--library", str(watching.library))
    assert done.returncode == 1
    assert "is watched already" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["nowhere"], "nowhere is not a folder"), ([".", "--seconds", "0"], "name seconds from 0.1 to 60")],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = manage(tmp_path, "watch_library", *arguments, "--library", str(tmp_path))
    assert done.returncode != 0
    assert message in done.stderr

"""kill -9 at any moment of imports and corrections: nothing that was read or said is lost."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from ingest import known_paper, update_library
from ingest.checking import check_snapshot
from ingest.entries.report import NoProgress
from ingest.ledger.readings import READINGS
from papercore.snapshot.file import ASSETS, DATABASE
from tests.ingest.library_content import content
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf

PDFS = 30
WORDS = "Rivers carry sand to the sea, where the tide sorts it by the size of its grains. " * 4
# Says each thing that is safely kept, line by line: what is said must be there whenever the process ends.
CHANGES = """
import sys
from pathlib import Path
from ingest import edit_paper, history, update_library
from ingest.matching.corrections import corrections_of
library, pdfs, bib, number = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
update_library(library, [bib])
print("begun", flush=True)
for step in range(1000):
    edit_paper(library, "fluvius", corrections_of({"venue": f"Venue {number}.{step}"}))
    print(f"Venue {number}.{step}", flush=True)
    update_library(library, [pdfs])
    print("imported", flush=True)
"""
BIB = "@article{fluvius, title={On the grains of sand}, author={Fluvius, Ada}, year={2001}}\n"


def run_killed(library: Path, pdfs: Path, bib: Path, number: int, seconds: float) -> list[str]:
    """What it had said when it was killed."""
    command = [sys.executable, "-c", CHANGES, str(library), str(pdfs), str(bib), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = [process.stdout.readline().strip()]
        time.sleep(seconds)  # the moment is what is tried, whatever it hits
        process.send_signal(signal.SIGKILL)
        said += process.stdout.read().split("\n")
    return [line for line in said if line]


def readings(library: Path) -> set[object]:
    with closing(sqlite3.connect(library / READINGS)) as database:
        return {row[0] for row in database.execute("SELECT name FROM reading")}


def try_kills(tmp_path: Path, kills: int) -> None:
    pdfs, library, bib = tmp_path / "pdfs", tmp_path / "library", tmp_path / "a.bib"
    pdfs.mkdir()
    bib.write_text(BIB)
    for number in range(PDFS):
        first = [Text(f"On Tides and Their Traces, Part {number}", size=18), Text("Ada Fluvius", top=100)]
        write_pdf(pdfs / f"{number:02}.pdf", [[*first, *paragraph(WORDS, 72, 140, 80)]])
    chance, kept, last = random.Random(9), set[object](), ""
    for number in range(kills):
        said = run_killed(library, pdfs, bib, number, chance.uniform(0, 1.5))
        assert said[0] == "begun"
        assert readings(library) >= kept
        kept = readings(library)
        last = max((line for line in [last, *said] if line.startswith("Venue")), key=_order, default="")
        update_library(library, [bib])  # what was not published is published by whoever comes next
        with closing(sqlite3.connect(library / DATABASE)) as database:
            ((paper_id, venue),) = database.execute(
                "SELECT paper_id, venue FROM paper WHERE doi IS NULL AND title LIKE '%grains%'"
            )
        paper = known_paper(library, paper_id)
        assert paper
        # The correction that was said last, or the next one, which was kept before it could be said.
        assert paper.values["venue"] == ("" if venue == "unknown" else venue)
        assert _order(venue) >= _order(last)
        last = venue if _order(venue) else last
        report = check_snapshot(library / DATABASE, library / ASSETS, "", NoProgress())
        assert [problem for problem in report.problems if "index" not in problem] == []
    update_library(library, [pdfs])
    update_library(tmp_path / "whole", [bib, pdfs])
    kept_papers = {row[4] for row in content(library)["paper"]}
    assert kept_papers == {row[4] for row in content(tmp_path / "whole")["paper"]}


def _order(venue: str) -> tuple[int, ...]:
    return tuple(int(part) for part in venue.removeprefix("Venue ").split(".")) if venue.startswith("Venue") else ()


def test_a_dozen_kills_lose_nothing(tmp_path: Path) -> None:
    try_kills(tmp_path, 12)


@pytest.mark.long
def test_two_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    try_kills(tmp_path, 200)

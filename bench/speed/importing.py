"""A large Zotero library and its PDFs: brought in, brought in again, and after one tag was edited.

    python -m bench.speed.importing [--items 3000] [--pdfs 3000] [--pages 2]

The library and the files are made. Each step is a command of its own, from its start until the papers are found; the
last is told by a running `papersite watch`. Goals for 3,000 and 3,000: 30 s and 500 MB for the second time; the tag
found within 5 s, one paper changed, no PDF read.
"""

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.speed.build import ROOT, Run, manage
from tests.ingest.pdf.made_pdf import Text, paragraph, write_pdf
from tests.ingest.reading.made_zotero import MadeZotero

WORDS = ("river", "sand", "delta", "flood", "sediment", "channel", "estuary", "tide", "measure", "model", "grain")
NAMES = ("Fluvius", "Estuary", "Ames", "Bell", "Coe", "Dunn", "Eddy", "Fen", "Gill", "Hythe")
TAG = "dredged"
LONGEST_SECONDS = 600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--pdfs", type=int, default=3_000)
    parser.add_argument("--pages", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch, library = Path(name), Path(name) / "library"
        zotero = made_zotero(scratch / "Zotero", arguments.items)
        pdfs = made_pdfs(scratch / "pdfs", arguments.pdfs, arguments.pages)
        print(f"{'step':<24} {'wall s':>8} {'CPU s':>8} {'peak MB':>8} {'PDFs read':>10} {'papers':>8}")
        for step in ("first import", "second import"):
            before = readings(library)
            run = manage("add_papers", zotero.folder, pdfs, "--library", library)
            show(step, run, readings(library) - before, library)
        show_tag(zotero, library)


def show(step: str, run: Run, read: int, library: Path) -> None:
    cost = f"{run.wall:>8.1f} {run.cpu:>8.1f} {run.peak_mb:>8,}"
    print(f"{step:<24} {cost} {read:>10,} {count(library / 'paper_snapshot.db', 'paper'):>8,}")


def show_tag(zotero: MadeZotero, library: Path) -> None:
    """While a watcher follows the folder: from the edit until the snapshot has it."""
    command = [sys.executable, str(ROOT / "manage.py"), "watch", str(zotero.folder), "--library", str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as watcher:
        assert watcher.stdout
        for line in watcher.stdout:
            if "Entries read" in line:
                break  # it has looked through all of it once
        before = readings(library)
        zotero.tag(17, TAG)
        edited = time.monotonic()
        changed = next((line for line in watcher.stdout if "Entries read" in line), "")
        found = count(library / "paper_snapshot.db", f"tag WHERE value = '{TAG}'")
        took = time.monotonic() - edited
        watcher.terminate()
    print(f"{'one tag, watched':<24} {took:>8.1f} {'':>8} {'':>8} {readings(library) - before:>10,} {found:>8,}")
    print(changed.strip())


def made_zotero(folder: Path, items: int) -> MadeZotero:
    zotero, chance = MadeZotero(folder), random.Random(7)
    zotero.database.execute("PRAGMA synchronous=OFF")
    for number in range(items):
        title = " ".join(chance.choices(WORDS, k=6)).capitalize() + f" {number}"
        item = zotero.item(
            "journalArticle", title=title, DOI=f"10.5555/river.{number}", date=f"{1990 + number % 30}",
            publicationTitle="Journal of Rivers", abstractNote=" ".join(chance.choices(WORDS, k=80)),
        )  # fmt: skip
        for name in chance.sample(NAMES, 3):
            zotero.creator(item, "author", "Ada", name)
        zotero.tag(item, chance.choice(WORDS))
    return zotero


def made_pdfs(folder: Path, count_of_files: int, pages: int) -> Path:
    folder.mkdir()
    chance = random.Random(8)
    for number in range(count_of_files):
        title = Text(" ".join(chance.choices(WORDS, k=5)).capitalize() + f" {number}", size=18)
        first = [title, Text(f"Ada {chance.choice(NAMES)}", top=100)]
        texts = [paragraph(" ".join(chance.choices(WORDS, k=300)), 60, 140, 80) for _ in range(pages)]
        write_pdf(folder / f"{number}.pdf", [[*first, *texts[0]], *(list(text) for text in texts[1:])])
    return folder


def readings(library: Path) -> int:
    return count(library / "readings.db", "reading WHERE kind = 'pdf'")


def count(database: Path, table: str) -> int:
    if not database.exists():
        return 0
    with closing(sqlite3.connect(database)) as rows:
        return int(rows.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


if __name__ == "__main__":
    os.nice(5)
    main()

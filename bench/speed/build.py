"""Build a library from a file of papers, on one core and on all; add ten papers to it; read the text of PDFs.

    python -m bench.speed.build [PAPERS.jsonl.gz] [--no-index]      (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz)

Prints papers per second, CPU time, memory, size and growth, and ratios against the build on one core of the same run.
With its index, the library is updated as well: ten papers are added, removed again, and that is undone. The goals for
110,486 papers are 5 s and 300 MB, from the start of the command until the papers are found.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.data.libraries import papers_file
from bench.speed.pdf import made_papers, read_rate

ROOT = Path(__file__).resolve().parents[2]
ADDED = 10


@dataclass(frozen=True)
class Run:
    """Of one command: `peak_mb` is the memory of its largest process."""

    wall: float
    cpu: float
    peak_mb: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "papers", type=Path, nargs="?", default=papers_file(), help="a .jsonl.gz file, one paper a line"
    )
    parser.add_argument("--no-index", action="store_true", help="build the snapshot alone, and update nothing")
    arguments = parser.parse_args()
    if not arguments.papers.is_file():
        sys.exit("Name a .jsonl.gz file with one paper a line: python -m bench.speed.build papers.jsonl.gz")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        measure_builds(arguments.papers, scratch)
        if not arguments.no_index:
            measure_updates(scratch / "whole", scratch)
        measure_pdfs(scratch)


def measure_builds(papers: Path, scratch: Path) -> None:
    total = count_lines(papers)
    half_file = first_lines(papers, total // 2, scratch)
    small = build(half_file, scratch / "small", ("taskset", "-c", "0"))
    half, whole = build(half_file, scratch / "half"), build(papers, scratch / "whole")
    print(f"{'build':<16} {'papers':>9} {'wall s':>8} {'CPU s':>8} {'papers/s':>9} {'peak MB':>8}")
    rows = (("half, one core", total // 2, small), ("half", total // 2, half), ("whole", total, whole))
    for name, count, run in rows:
        print(f"{name:<16} {count:>9,} {run.wall:>8.1f} {run.cpu:>8.1f} {count / run.wall:>9,.0f} {run.peak_mb:>8,}")
    size = (scratch / "whole" / "paper_snapshot.db").stat().st_size / 1e6
    print(f"Database: {size:,.0f} MB. All cores against one: {small.wall / half.wall:.2f} x as fast")
    print(f"CPU per paper, whole against half: {whole.cpu / total / (half.cpu / (total // 2)):.2f} x")


def measure_updates(library: Path, scratch: Path) -> None:
    baseline = manage("build_index", library)
    added = scratch / "added.jsonl"
    added.write_text("".join(json.dumps(made_paper(number)) + "\n" for number in range(ADDED)))
    print(f"{'index and update':<16} {'papers':>9} {'wall s':>8} {'CPU s':>8} {'peak MB':>9} {'of a new index':>15}")
    print(f"{'new index':<16} {'':>9} {baseline.wall:>8.1f} {baseline.cpu:>8.1f} {baseline.peak_mb:>9,}")
    dois = [made_paper(number)["doi"] for number in range(ADDED)]
    commands: dict[str, Sequence[str | Path]] = {
        "add": ("add_papers", added, "--library", library),
        "remove": ("remove_papers", *dois, "--library", library),
        "undo": ("undo_update", "--library", library),
    }
    for name, command in commands.items():
        run = manage(*command)
        cost = f"{run.wall:>8.1f} {run.cpu:>8.1f} {run.peak_mb:>9,} {run.cpu / baseline.cpu:>15.3f}"
        print(f"{name:<16} {ADDED:>9} {cost}")


def measure_pdfs(scratch: Path) -> None:
    paths = made_papers(scratch)
    one, all_cores = read_rate(paths, 1), read_rate(paths, os.cpu_count() or 1)
    print(f"PDFs: {one:,.0f} pages/s on one core, {all_cores:,.0f} on {os.cpu_count()}: {all_cores / one:.2f} x")


def made_paper(number: int) -> dict[str, str]:
    return {
        "title": f"Sediment transport under tidal forcing, part {number}",
        "authors": f"Ada Fluvius{number}; Bert Estuary",
        "year": "2025",
        "abstract": f"We measure suspended sediment number {number} in an estuary and model its transport.",
        "doi": f"10.5555/tide.{number}",
    }


def count_lines(path: Path) -> int:
    with gzip.open(path) as lines:
        return sum(1 for _ in lines)


def first_lines(path: Path, count: int, folder: Path) -> Path:
    part = folder / "half.jsonl.gz"
    with gzip.open(path) as source, gzip.open(part, "wb", compresslevel=1) as target:
        target.writelines(islice(source, count))
    return part


def build(papers: Path, out: Path, wrapper: Sequence[str] = ()) -> Run:
    return manage("build_snapshot", papers, "--out", out, "--no-index", wrapper=wrapper)


def manage(*arguments: str | Path, wrapper: Sequence[str] = ()) -> Run:
    """In a process of its own, so that its memory can be measured."""
    command = [*wrapper, sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{arguments[0]} failed: {output.read().decode()[-500:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)


if __name__ == "__main__":
    main()

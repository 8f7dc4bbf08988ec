"""Build a snapshot from a file of papers, and from half of it: papers per second, memory, size, growth."""

import argparse
import gzip
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Run:
    papers: int
    wall: float
    cpu: float
    peak_mb: int
    database_mb: float
    assets: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, nargs="?", help="a .jsonl.gz file, one paper a line")
    arguments = parser.parse_args()
    if arguments.papers is None or not arguments.papers.is_file():
        sys.exit("Name a .jsonl.gz file with one paper a line, for example: python -m bench.build papers.jsonl.gz")
    with tempfile.TemporaryDirectory() as scratch:
        total = count_lines(arguments.papers)
        half = build(first_lines(arguments.papers, total // 2, Path(scratch)), Path(scratch) / "half")
        whole = build(arguments.papers, Path(scratch) / "whole")
    print(f"{'papers':>9} {'wall s':>8} {'CPU s':>8} {'papers/s':>9} {'peak MB':>8} {'db MB':>7} {'assets':>8}")
    for run in (half, whole):
        rate = run.papers / run.wall
        row = (
            f"{run.papers:>9,} {run.wall:>8.1f} {run.cpu:>8.1f} {rate:>9,.0f} {run.peak_mb:>8,} {run.database_mb:>7.0f}"
        )
        print(f"{row} {run.assets:>8,}")
    print(f"CPU per paper, whole against half: {whole.cpu / whole.papers / (half.cpu / half.papers):.2f} x")


def count_lines(path: Path) -> int:
    with gzip.open(path) as lines:
        return sum(1 for _ in lines)


def first_lines(path: Path, count: int, folder: Path) -> Path:
    part = folder / "half.jsonl.gz"
    with gzip.open(path) as source, gzip.open(part, "wb", compresslevel=1) as target:
        target.writelines(islice(source, count))
    return part


def build(papers: Path, out: Path) -> Run:
    """In a process of its own, so that its memory can be measured."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    command = [sys.executable, str(ROOT / "manage.py"), "build_snapshot", str(papers), "--out", str(out), "--no-index"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    wall = time.monotonic() - start
    if not (out / "paper_snapshot.db").exists():
        sys.exit(f"The build failed: {ended.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(
        papers=count_lines(papers),
        wall=wall,
        cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        peak_mb=after.ru_maxrss // 1024,
        database_mb=(out / "paper_snapshot.db").stat().st_size / 1e6,
        assets=sum(1 for path in (out / "static").rglob("*") if path.is_file()),
    )


if __name__ == "__main__":
    main()

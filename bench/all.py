"""Run every benchmark that the data allow, and keep what each prints in bench/figures/.

    python -m bench.all [--quick] [--only NAME ...] [--list]

Each runs in a process of its own; bench/figures/NAME.md is what it printed last, with the date, the commit and the
machine. --quick takes less than two minutes, prints rough figures and keeps nothing.
PAPERSITE_BENCH_DATA names the folder of collections, PAPERSITE_BENCH_LIBRARIES one where built libraries are kept.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.data.libraries import FOLDER_SETTING, ROOT

FIGURES = ROOT / "bench" / "figures"
LONGEST_SECONDS = 3_600


@dataclass(frozen=True)
class Benchmark:
    """A module that prints its figures. `quick` are its arguments where all have two minutes; None leaves it out."""

    name: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = None
    # What it needs below the folder of collections.
    data: str = ""

    @property
    def command(self) -> str:
        return " ".join(["python -m", f"bench.{self.name}", *self.arguments])


PAPERS = "acl/papers.jsonl.gz"
BENCHMARKS = (
    Benchmark("quality", data="queries"),
    Benchmark("quality.relevance", data="relevance", quick=()),
    Benchmark("quality.relevance_held_out", data="relevance"),
    Benchmark("quality.calibration", data=PAPERS),
    Benchmark("quality.spelled_right", data="queries"),
    Benchmark("quality.across_languages"),
    Benchmark("speed.importing", quick=None),
    Benchmark("quality.long_texts", data=PAPERS),
    Benchmark("speed.meaning", data=PAPERS),
    Benchmark("speed.search", ("--sizes", "10000", "110486"), data=PAPERS),
    Benchmark("speed.search_http", data=PAPERS),
    Benchmark("quality.evidence", data="evidence"),
    Benchmark("quality.passages", data="evidence"),
    Benchmark("quality.claims", data="evidence"),
    Benchmark("quality.quotes"),
    Benchmark("speed.passages", data=PAPERS),
    Benchmark("quality.agent_budget"),
    Benchmark("quality.references"),
    Benchmark("quality.bibliography", data=PAPERS),
    Benchmark("quality.feedback", data="relevance"),
    Benchmark("quality.sessions", data="relevance"),
    Benchmark("quality.agent_tasks"),
    Benchmark("quality.specs", data="openspec"),
    Benchmark("speed.draft", data=PAPERS),
    Benchmark("speed.growth", ("--chart", "docs/growth.svg"), ("--sizes", "1000", "--rounds", "3"), data=PAPERS),
    Benchmark("speed.build", data=PAPERS),
    Benchmark("speed.startup", quick=("--sizes",)),
    Benchmark("speed.mcp", quick=("--requests", "40", "--rounds", "2")),
    Benchmark("speed.pages", quick=("--sizes", "--rounds", "8")),
    Benchmark("speed.first_visit", quick=("--texts", "3")),
    Benchmark("speed.concurrency", quick=("--requests", "96")),
    Benchmark("quality.alignment", quick=()),
    Benchmark("walk", quick=()),
)


def as_markdown(output: str) -> str:
    """What a benchmark printed: its tables as they are, text that is aligned by blanks as it was printed."""
    return output.strip() if "\n|" in f"\n{output}" else f"```text\n{output.strip()}\n```"


def run(benchmark: Benchmark, arguments: tuple[str, ...], folder: Path) -> str | None:
    """Its output, or None if it failed."""
    environment = {**os.environ, FOLDER_SETTING: os.environ.get(FOLDER_SETTING, str(folder))}
    command = [sys.executable, "-m", f"bench.{benchmark.name}", *arguments]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"bench.{benchmark.name} took longer than {LONGEST_SECONDS} s.", file=sys.stderr)
        return None
    if done.returncode:
        print(f"bench.{benchmark.name} failed:\n{done.stderr[-2000:]}", file=sys.stderr)
        return None
    return done.stdout


def circumstances(load: float) -> str:
    """When, from which commit and on what the figures were measured."""
    today = datetime.now(UTC)
    return f"{today.day} {today:%B %Y}, commit {commit()}, {machine()}, load {load:.1f} before it"


def commit() -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs", ":!bench/figures")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if changed else "")


def machine() -> str:
    models = re.findall(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    kilobytes = re.search(r"^MemTotal:\s+(\d+)", _read("/proc/meminfo"), re.MULTILINE)
    memory = f", {int(kilobytes[1]) / 1e6:.0f} GB" if kilobytes else ""
    name = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores of {name}{memory}, Python {platform.python_version()}"


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def selected(only: list[str], *, quick: bool) -> list[Benchmark]:
    """The benchmarks that were asked for and whose data are there."""
    known = {benchmark.name for benchmark in BENCHMARKS}
    if unknown := sorted(set(only) - known):
        raise SystemExit(f"There is no bench.{unknown[0]} among {', '.join(sorted(known))}.")
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    wanted = [benchmark for benchmark in BENCHMARKS if not only or benchmark.name in only]
    for benchmark in wanted:
        if benchmark.data and not (data / benchmark.data).exists():
            print(f"bench.{benchmark.name} is left out: {benchmark.data} is missing.", file=sys.stderr)
    there = [benchmark for benchmark in wanted if not benchmark.data or (data / benchmark.data).exists()]
    return [benchmark for benchmark in there if not quick or benchmark.quick is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="rough figures in two minutes, printed only")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="name the benchmarks that would run, and their arguments")
    options = parser.parse_args()
    benchmarks = selected(options.only, quick=options.quick)
    if options.list:
        print("\n".join(benchmark.command for benchmark in benchmarks))
        return
    failed = []
    with tempfile.TemporaryDirectory(prefix="papersite-bench-") as folder:
        for benchmark in benchmarks:
            arguments = (benchmark.quick or ()) if options.quick else benchmark.arguments
            load, began = os.getloadavg()[0], time.monotonic()
            print(f"bench.{benchmark.name} ...", file=sys.stderr, flush=True)
            output = run(benchmark, arguments, Path(folder))
            print(f"  {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            if output is None:
                failed.append(benchmark.name)
                continue
            result = f"`{benchmark.command}`, {circumstances(load)}:\n\n{as_markdown(output)}"
            if options.quick:
                print(f"## bench.{benchmark.name}\n\n{as_markdown(output)}\n", flush=True)
            else:
                (FIGURES / f"{benchmark.name}.md").write_text(f"{result}\n", encoding="utf-8")
    if failed:
        raise SystemExit(f"These failed: {', '.join(failed)}.")


if __name__ == "__main__":
    main()

"""How fast the search is: CPU per query at growing sizes, beside plain tantivy and SQLite's FTS5 in the same run.

    python -m bench.speed.search [PAPERS] [--sizes 10000 110486 1000000] [--fts5-up-to 110486]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). Beyond its length
the papers are repeated with other papers' abstracts.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bench.data.papers import FACETS, PaperFile
from bench.speed.search_baselines import BareTantivy, Fts5
from papercore.retrieval import Filters, Index, IndexFolder, Request, build_index

QUERIES = {
    "commonest word": "model",
    "common word": "translation",
    "rare word": "zulu",
    "2 words": "neural translation",
    "3 words": "named entity recognition",
    "4 words": "low resource speech recognition",
    "question": "how can we detect hate speech in social media posts",
    "phrase": '"machine translation"',
}
# In each round every engine answers every query TIMES times; the median of the rounds counts.
ROUNDS, TIMES = 5, 6


@dataclass(frozen=True)
class IndexBuild:
    """An index, and what building it took."""

    index: Index
    documents: int
    wall: float
    cpu: float
    words_bytes: int
    vectors_bytes: int
    peak_mb: float
    # Seconds until it can be asked, and until all its files are compared with their checksums.
    opened: float
    verified: float


def main() -> None:
    arguments = _arguments()
    if not arguments.papers.is_file():
        sys.exit(f"{arguments.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    medians: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
        papers = PaperFile(arguments.papers, Path(scratch))
        for size in arguments.sizes:
            folder = Path(scratch) / str(size)
            folder.mkdir()
            medians[size] = _measure(papers, size, folder, fts5=size <= arguments.fts5_up_to)
    for before, after in pairwise(medians):
        _print_growth(before, after, medians)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 110_486, 1_000_000])
    parser.add_argument(
        "--fts5-up-to", type=int, default=110_486, help="beyond this size its table takes too long to build"
    )
    parser.add_argument("--scratch", type=Path, help="where the indexes are built; removed afterwards")
    return parser.parse_args()


def _measure(papers: PaperFile, size: int, scratch: Path, *, fts5: bool) -> dict[str, float]:
    built = _built(papers, size, scratch / "index")
    _print_build(built)
    bare = BareTantivy.build(scratch / "bare", papers.first(size))
    table = Fts5(scratch / "fts5.db", papers.first(size)) if fts5 else None
    engines = _engines(built.index, bare, table)
    print(f"{'CPU ms per query':18} {'hits':>9}" + "".join(f"{name:>15}" for name in engines))
    rows = {name: _row(name, text, built.index, engines) for name, text in QUERIES.items()}
    means = {engine: sum(row[engine] for row in rows.values()) / len(rows) for engine in engines}
    print(f"{'mean':28}" + "".join(f"{means[engine]:>15.2f}" for engine in engines))
    return means


def _built(papers: PaperFile, size: int, path: Path) -> IndexBuild:
    reset_peak()
    wall, cpu = time.perf_counter(), time.process_time()
    build_index(path, papers.first(size), facets=FACETS, build_id="bench")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = peak_mb()
    began, indexes = time.perf_counter(), IndexFolder(path)
    index = indexes.open("bench")
    opened = time.perf_counter() - began
    while not indexes.verified("bench"):
        time.sleep(0.001)
    verified = time.perf_counter() - began
    assert index is not None
    vectors = sum(file.stat().st_size for file in path.glob("generation-*/*.npy"))
    whole = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return IndexBuild(index, size, wall, cpu, whole - vectors, vectors, peak, opened, verified)


def reset_peak() -> None:
    """Reset the peak that the kernel keeps."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_mb() -> float:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def _print_build(built: IndexBuild) -> None:
    print(
        f"\n{built.documents:,} papers: built in {built.wall:.0f} s ({built.documents / built.wall:,.0f}/s), "
        f"{built.cpu:.0f} s CPU ({built.documents / built.cpu:,.0f} papers per CPU second); "
        f"words {built.words_bytes / built.documents:.0f} and vectors {built.vectors_bytes / built.documents:.0f} "
        f"bytes a paper; peak memory {built.peak_mb:,.0f} MB; "
        f"opened in {built.opened:.2f} s, verified after {built.verified:.2f} s"
    )


SearchFunction = Callable[[str], object]


def _engines(index: Index, bare: BareTantivy, table: Fts5 | None) -> dict[str, SearchFunction]:
    def ours(**wanted: object) -> SearchFunction:
        return lambda text: index.search(Request(text, limit=10, **wanted))  # type: ignore[arg-type]

    recent = Filters(year_from=2020)
    engines: dict[str, SearchFunction] = {
        "bare tantivy": bare.search,
        "words": ours(mode="words"),
        "+ venue, year": ours(mode="words", facets=("venue", "year")),
        "+ author": ours(mode="words", facets=("author",)),
        "filtered": ours(mode="words", filters=recent),
        "hybrid": ours(mode="hybrid"),
    }
    return engines | ({"FTS5": table.search, "FTS5 at once": table.search_at_once} if table else {})


def _row(name: str, text: str, index: Index, engines: dict[str, SearchFunction]) -> dict[str, float]:
    rounds: dict[str, list[float]] = {engine: [] for engine in engines}
    for _ in range(ROUNDS):
        for engine, ask in engines.items():
            rounds[engine].append(cpu_ms(ask, text))
    medians = {engine: sorted(found)[ROUNDS // 2] for engine, found in rounds.items()}
    total = index.search(Request(text, mode="words")).total
    print(f"{name:18} {total:>9,}" + "".join(f"{medians[engine]:>15.2f}" for engine in engines))
    return medians


def cpu_ms(ask: SearchFunction, text: str) -> float:
    ask(text)
    start = time.process_time()
    for _ in range(TIMES):
        ask(text)
    return (time.process_time() - start) / TIMES * 1000


def _print_growth(before: int, after: int, medians: dict[int, dict[str, float]]) -> None:
    print(f"\nCPU at {after:,} papers against {before:,}:")
    for engine in medians[after]:
        print(f"  {engine:16} {medians[after][engine] / medians[before][engine]:.1f} x")


if __name__ == "__main__":
    main()

"""How fast the search is: CPU per query at growing sizes, beside bare tantivy and two-phase FTS5 in the same run.

    python -m bench.search [PAPERS] [--sizes 10000 110486] [--fts5-up-to 110486]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). Beyond its length
the papers are repeated with other papers' abstracts.
"""

import argparse
import gzip
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bench.data import FACETS, Paper
from bench.search_baselines import BareTantivy, Fts5
from paper_search.retrieval import Document, Filters, Index, IndexFolder, Request, build_index

QUERIES = {
    "common word": "translation",
    "rare word": "zulu",
    "2 words": "neural translation",
    "3 words": "named entity recognition",
    "4 words": "low resource speech recognition",
    "question": "how can we detect hate speech in social media posts",
    "phrase": '"machine translation"',
}
# Each query is asked so often, in rounds in which the sides take turns; the median of the rounds counts.
ROUNDS, TIMES = 5, 6


@dataclass(frozen=True)
class Built:
    """What building one index took."""

    index: Index
    documents: int
    wall: float
    cpu: float
    words_bytes: int
    vectors_bytes: int


def main() -> None:
    arguments = _arguments()
    if not arguments.papers.is_file():
        sys.exit(f"{arguments.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    papers = list(read(arguments.papers))
    medians: dict[int, dict[str, float]] = {}
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
            medians[size] = _measure(papers, size, Path(scratch), fts5=size <= arguments.fts5_up_to)
    if len(medians) > 1:
        _print_growth(medians)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 110_486])
    parser.add_argument("--fts5-up-to", type=int, default=110_486, help="building its table takes long beyond")
    parser.add_argument("--scratch", type=Path, help="where the indexes are built; removed afterwards")
    return parser.parse_args()


def read(path: Path) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Paper.model_validate_json(line).document()


def _documents(papers: list[Document], size: int) -> Iterator[Document]:
    """As many papers as asked for; after the first round each has the abstract of another."""
    chance = random.Random(1)
    for number in range(size):
        paper = papers[number % len(papers)]
        if number >= len(papers):
            paper = replace(paper, id=f"{paper.id}-{number}", text=chance.choice(papers).text)
        yield paper


def _measure(papers: list[Document], size: int, scratch: Path, *, fts5: bool) -> dict[str, float]:
    built = _built(papers, size, scratch / "index")
    _print_build(built)
    bare = BareTantivy(scratch / "bare", _documents(papers, size))
    table = Fts5(scratch / "fts5.db", _documents(papers, size)) if fts5 else None
    sides = _sides(built.index, bare, table)
    print(f"{'CPU ms per query':18} {'hits':>9}" + "".join(f"{name:>15}" for name in sides))
    rows = {name: _row(name, text, built.index, sides) for name, text in QUERIES.items()}
    return {f"{side}": sum(row[side] for row in rows.values()) / len(rows) for side in sides}


def _built(papers: list[Document], size: int, path: Path) -> Built:
    wall, cpu = time.perf_counter(), time.process_time()
    build_index(path, _documents(papers, size), facets=FACETS, build_id="bench")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    index = IndexFolder(path).open("bench")
    assert index is not None
    vectors = sum(file.stat().st_size for file in path.glob("generation-*/*.npy"))
    whole = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return Built(index, size, wall, cpu, whole - vectors, vectors)


def _print_build(built: Built) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{built.documents:,} papers: built in {built.wall:.0f} s ({built.documents / built.wall:,.0f}/s), "
        f"{built.cpu:.0f} s CPU ({built.documents / built.cpu:,.0f} papers per CPU second); "
        f"words {built.words_bytes / built.documents:.0f} and vectors {built.vectors_bytes / built.documents:.0f} "
        f"bytes a paper; peak memory {peak:,.0f} MB"
    )


Side = Callable[[str], object]


def _sides(index: Index, bare: BareTantivy, table: Fts5 | None) -> dict[str, Side]:
    def ours(**wanted: object) -> Side:
        return lambda text: index.search(Request(text, limit=10, **wanted))  # type: ignore[arg-type]

    recent = Filters(year_from=2020)
    sides: dict[str, Side] = {
        "bare tantivy": bare.search,
        "words": ours(mode="words"),
        "+ venue, year": ours(mode="words", facets=("venue", "year")),
        "+ author": ours(mode="words", facets=("author",)),
        "filtered": ours(mode="words", filters=recent),
        "hybrid": ours(mode="hybrid"),
    }
    return sides | ({"FTS5": table.search} if table else {})


def _row(name: str, text: str, index: Index, sides: dict[str, Side]) -> dict[str, float]:
    rounds: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, ask in sides.items():
            rounds[side].append(cpu_ms(ask, text))
    medians = {side: sorted(found)[ROUNDS // 2] for side, found in rounds.items()}
    total = index.search(Request(text, mode="words")).total
    print(f"{name:18} {total:>9,}" + "".join(f"{medians[side]:>15.2f}" for side in sides))
    return medians


def cpu_ms(ask: Side, text: str) -> float:
    ask(text)
    start = time.process_time()
    for _ in range(TIMES):
        ask(text)
    return (time.process_time() - start) / TIMES * 1000


def _print_growth(medians: dict[int, dict[str, float]]) -> None:
    first, *_, last = medians
    print(f"\nCPU at {last:,} papers against {first:,}:")
    for side in medians[last]:
        print(f"  {side:16} {medians[last][side] / medians[first][side]:.1f} x")


if __name__ == "__main__":
    main()

"""How many of the nearest papers the search by sketches finds, and what it costs, beside comparing all vectors.

    python -m bench.speed.meaning [PAPERS] [--sizes 110486] [--questions 200] [--index FOLDER ...]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). Questions are some
words of their titles; what is compared is the vector that a hybrid search of each asks for. With --index, indexes that
are there (build id "bench") are measured instead of new ones.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import mean, median

import numpy as np

from bench.data.papers import FACETS, PaperFile, read
from papercore.retrieval import Index, IndexFolder, Request, build_index
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector
from papercore.retrieval.vectors.meaning import ScoredRows, VectorEngine

COUNTS = (10, 100, 1_000)
CHUNK = 50_000


class Recorder:
    """Vectors of an index that note what they are asked."""

    def __init__(self, vectors: VectorEngine) -> None:
        self.vectors = vectors
        self.asked: list[Vector] = []

    def of(self, rows: Rows) -> Matrix:
        return self.vectors.of(rows)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        self.asked.append(vector)
        return self.vectors.nearest(vector, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--sizes", nargs="+", type=int, default=[110_486])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--index", nargs="+", type=Path, default=[])
    options = parser.parse_args()
    if not options.papers.is_file():
        sys.exit(f"{options.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    questions = list(_questions(options.papers, options.questions))
    print(
        f"{'papers':>10}"
        + "".join(f"{f'recall@{count}':>14}" for count in COUNTS)
        + f"{'CPU ms':>10}{'all vectors':>14}"
    )
    with tempfile.TemporaryDirectory() as scratch:
        for folder in options.index or _built(options.papers, options.sizes, Path(scratch)):
            index = IndexFolder(folder).open("bench")
            assert index is not None
            _measure(index, questions)


def _questions(papers: Path, count: int) -> Iterator[str]:
    """Some words of every so many-th title."""
    chance = random.Random(1)
    for paper in islice(read(papers), 0, None, 500):
        words = paper.title.split()
        if count and len(words) > 1:
            count -= 1
            yield " ".join(chance.sample(words, min(len(words), chance.randint(2, 5))))


def _built(papers: Path, sizes: list[int], scratch: Path) -> Iterator[Path]:
    file = PaperFile(papers, scratch)
    for size in sizes:
        build_index(scratch / str(size), file.first(size), facets=FACETS, build_id="bench")
        yield scratch / str(size)


def _measure(index: Index, questions: list[str]) -> None:
    meaning, documents = index.generation.meaning, index.manifest.documents
    assert meaning is not None
    vectors, recorder = meaning.vectors, Recorder(meaning.vectors)
    meaning.vectors = recorder
    for question in questions:
        index.search(Request(question, limit=10))
    everything = np.concatenate(
        [vectors.of(np.arange(start, min(start + CHUNK, documents))) for start in range(0, documents, CHUNK)]
    )
    columns = np.ascontiguousarray(everything.T)
    recalls: dict[int, list[float]] = {count: [] for count in COUNTS}
    for vector in recorder.asked:
        order = np.argsort(-(everything @ vector), kind="stable")
        for count, found in recalls.items():
            found.append(float(np.isin(order[:count], vectors.nearest(vector, count).rows).mean()))
    sketched = median(_cpu_ms(lambda v=vector: vectors.nearest(v, 100)) for vector in recorder.asked)  # type: ignore[misc]
    scanned = median(_cpu_ms(lambda v=vector: v @ columns) for vector in recorder.asked)  # type: ignore[misc]
    shares = "".join(f"{mean(found):>14.4f}" for found in recalls.values())
    print(f"{documents:>10,}{shares}{sketched:>10.2f}{scanned:>14.2f}", flush=True)


def _cpu_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    main()

"""What an index of passages costs: its size beside the index of papers, CPU per search, and building it.

    python -m bench.speed.passages [PAPERS] [--size 110486]

PAPERS is a .jsonl.gz file, one paper with its abstract a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz).
A search is timed as the site does it: candidates from the index, read from their abstracts, and ranked. "By words" is
the same with papers ranked by their words alone.
"""

import argparse
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import orjson
from msgspec.structs import replace

from bench.data.papers import FACETS, CollectionPaper
from bench.speed.search import QUERIES
from papercore.passages import cut_once
from papercore.passages.ranking import PASSAGES_RANKED, Candidate, rank_by_words
from papercore.retrieval import (
    Document,
    Filters,
    Index,
    IndexFolder,
    PassageEntry,
    PassageRequest,
    Request,
    build_index,
)

# Of so many runs the lower quartile, after some that fill the caches.
ROUNDS, FIRST_ROUNDS = 25, 3
LONG_PAPERS, LONG_CHARS = 40, 80_000
GOAL_MS, GOAL_MEANING_MS, GOAL_SIZE, GOAL_SECONDS = 15, 3, 1.5, 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")) / "acl" / "papers.jsonl.gz"
    parser.add_argument("papers", nargs="?", type=Path, default=data)
    parser.add_argument("--size", type=int, default=110_486)
    options = parser.parse_args()
    if not options.papers.is_file():
        sys.exit(f"{options.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    with tempfile.TemporaryDirectory() as scratch:
        texts = [paper.text for paper in islice(_papers(options.papers), options.size)]
        _measure_builds(options.papers, options.size, Path(scratch))
        _measure_searches(_verified(Path(scratch) / "with"), texts)
        _measure_long_papers(texts, Path(scratch))


def _verified(folder: Path) -> Index:
    """The index, once its files have been read through, which a thread does beside the first searches."""
    indexes = IndexFolder(folder)
    index = indexes.open("bench")
    assert index is not None
    while not indexes.verified("bench"):
        time.sleep(0.01)
    return index


def _papers(path: Path) -> Iterator[CollectionPaper]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield CollectionPaper.model_validate_json(line)


def _documents(path: Path, size: int, *, passages: bool) -> Iterator[Document]:
    for number, paper in enumerate(islice(_papers(path), size)):
        document = paper.document()
        yield replace(document, passages=entries_of(number, paper.text)) if passages else document


def entries_of(number: int, text: str) -> list[PassageEntry]:
    """The passages of a text, with their place in it."""
    found = cut_once(text)
    return [
        PassageEntry(
            found.quote(passage),
            " ".join(found.path(passage)),
            orjson.dumps([number, "abstract", passage.number, passage.block, passage.start, passage.end, None]),
        )
        for passage in found.passages
    ]


def _measure_builds(path: Path, size: int, scratch: Path) -> None:
    sizes, seconds = {}, {}
    for name in ("without", "with"):
        began = time.process_time()
        documents = _documents(path, size, passages=name == "with")
        build_index(scratch / name, documents, facets=FACETS, build_id="bench")
        seconds[name] = time.process_time() - began
        sizes[name] = sum(file.stat().st_size for file in (scratch / name).rglob("*") if file.is_file())
    for name in sizes:
        print(f"{name:8} passages: {sizes[name] / size:,.0f} bytes a paper, {seconds[name]:.0f} s CPU")
    share = sizes["with"] / sizes["without"]
    print(f"size: {share:.2f} x (goal {GOAL_SIZE}), CPU of the build: {seconds['with'] / seconds['without']:.2f} x")


def _measure_searches(index: Index, texts: list[str]) -> None:
    columns = ("papers", "by words", "passages", "meaning adds", "filtered")
    print(
        f"{'CPU ms':18}"
        + "".join(f"{name:>14}" for name in columns)
        + f"   (goal {GOAL_MS}, meaning {GOAL_MEANING_MS})"
    )
    recent = Filters(year_from=2020)
    by_words = replace(index, generation=replace(index.generation, meaning=None))
    for name, query in QUERIES.items():
        times = [
            _cpu_ms(lambda query=query: index.search(Request(query, 10))),  # type: ignore[misc]
            _cpu_ms(lambda query=query: _search(by_words, texts, PassageRequest(query, PASSAGES_RANKED))),  # type: ignore[misc]
            _cpu_ms(lambda query=query: _search(index, texts, PassageRequest(query, PASSAGES_RANKED))),  # type: ignore[misc]
            _cpu_ms(lambda query=query: _search(index, texts, PassageRequest(query, PASSAGES_RANKED, recent))),  # type: ignore[misc]
        ]
        papers, words, passages, filtered = times
        print(f"{name:18}" + "".join(f"{ms:>14.1f}" for ms in (papers, words, passages, passages - words, filtered)))


def _search(index: Index, texts: list[str], request: PassageRequest) -> object:
    found = index.passages(request)
    candidates = []
    for item in found:
        number, _, _, _, start, end, _ = orjson.loads(item.payload)
        candidates.append(Candidate(texts[number][start:end], "", item.fit))
    return rank_by_words(request.query, candidates)


def _cpu_ms(search: Callable[[], object]) -> float:
    times = []
    for _ in range(FIRST_ROUNDS + ROUNDS):
        began = time.process_time()
        search()
        times.append(1000 * (time.process_time() - began))
    return sorted(times[FIRST_ROUNDS:])[ROUNDS // 4]


def _measure_long_papers(texts: Iterable[str], scratch: Path) -> None:
    long = list(_long_texts(texts))
    for name, passages in (("short", False), ("long", True)):
        began, wall = time.process_time(), time.perf_counter()
        documents = (
            Document(str(number), f"Paper {number}", body=text, passages=entries_of(number, text) if passages else ())
            for number, text in enumerate(long)
        )
        build_index(scratch / name, documents, facets=(), build_id="bench")
        spent = f"{time.process_time() - began:.1f} s CPU, {time.perf_counter() - wall:.1f} s"
        print(f"{LONG_PAPERS} papers of {LONG_CHARS:,} characters {'with' if passages else 'without'}: {spent}")
    print(f"(goal {GOAL_SECONDS} s)")


def _long_texts(texts: Iterable[str]) -> Iterator[str]:
    """Texts of that length: abstracts one after the other, with headings."""
    abstracts = (text for text in texts if text)
    for _ in range(LONG_PAPERS):
        parts: list[str] = []
        while sum(map(len, parts)) < LONG_CHARS:
            parts.append(f"## Section {len(parts)}\n\n{next(abstracts)}\n\n")
        yield "".join(parts)[:LONG_CHARS]


if __name__ == "__main__":
    main()

"""Search on an OpenSearch cluster beside the embedded engine in one run: the same answers, and what they cost.

    python -m bench.cluster --hosts http://127.0.0.1:9201 ... [--papers 110486] [--queries 500] [--shards 3]

Judged collections: nDCG@10 of both. Papers of $PAPERSITE_BENCH_DATA/acl: how far the first ten agree by words, whether
facet counts are equal, build rate, bytes a paper, and latency and CPU of this process per query.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median

from bench import judged
from bench.data import FACETS, PaperFile, read
from bench.judged import Collection, search_ids
from papercore.retrieval import (
    ClusterAddress,
    Index,
    IndexFolder,
    Mode,
    Request,
    build_index,
    build_index_on_cluster,
    open_cluster,
)

BUILD = "bench"
COUNTED = ("author", "venue", "year")
MODES: tuple[Mode, ...] = ("words", "hybrid")


@dataclass(frozen=True)
class Pair:
    """The same documents in both engines."""

    embedded: Index
    cluster: Index


def main() -> None:
    arguments = _arguments()
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    address = ClusterAddress(tuple(arguments.hosts), prefix="bench", shards=arguments.shards)
    if not arguments.skip_judged:
        _measure_judged(data / "relevance", address)
    with tempfile.TemporaryDirectory() as scratch:
        papers = PaperFile(data / "acl" / "papers.jsonl.gz", Path(scratch))
        pair = _build(papers, arguments.papers, address, Path(scratch) / "index")
        questions = list(islice(_questions(data / "acl" / "papers.jsonl.gz"), arguments.queries))
        _compare(pair, questions)
        for mode in MODES:
            _time(pair, questions[:100], mode, ())
        _time(pair, questions[:100], "words", COUNTED)


def _measure_judged(folder: Path, address: ClusterAddress) -> None:
    with judged.collections(folder, None) as collections:
        for collection in collections:
            remote = replace(collection, index=_on_cluster(collection, address))
            for mode in MODES:
                here, there = (each.quality(_method(mode)).ndcg_at_10 for each in (collection, remote))
                label = f"{collection.name:10} {mode:7} nDCG@10"
                print(f"{label} embedded {here:.4f}  cluster {there:.4f}  {there - here:+.4f}")


def _method(mode: Mode) -> Callable[[Index, str], list[str]]:
    return lambda index, text: search_ids(index, text, mode)


def _on_cluster(collection: Collection, address: ClusterAddress) -> Index:
    own = replace(address, prefix=f"bench-{collection.name}")
    documents = (paper.document() for paper in collection.papers())
    build_index_on_cluster(own, documents, facets=FACETS, build_id=BUILD)
    return _opened(own)


def _opened(address: ClusterAddress) -> Index:
    index = open_cluster(address).open(BUILD)
    assert index is not None
    return index


def _build(papers: PaperFile, size: int, address: ClusterAddress, folder: Path) -> Pair:
    started = time.perf_counter()
    build_index(folder, papers.first(size), facets=FACETS, build_id=BUILD)
    here = time.perf_counter() - started
    started = time.perf_counter()
    build_index_on_cluster(address, papers.first(size), facets=FACETS, build_id=BUILD)
    there = time.perf_counter() - started
    print(f"{size:,} papers: built at {size / here:,.0f} a second embedded, {size / there:,.0f} on the cluster")
    bytes_here = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"bytes a paper: {bytes_here / size:,.0f} embedded")
    embedded = IndexFolder(folder).open(BUILD)
    assert embedded is not None
    return Pair(embedded, _opened(address))


def _questions(path: Path) -> Iterator[str]:
    """Two to four words of a title, or an author's name: what people type."""
    chance = random.Random(7)
    for paper in read(path):
        if chance.random() < 0.03:
            words = [word for word in paper.title.split() if word.isalpha()]
            if len(words) > 4:
                start = chance.randrange(len(words) - 3)
                yield " ".join(words[start : start + chance.randint(2, 4)])


def _compare(pair: Pair, questions: list[str]) -> None:
    overlaps, same_counts, same_totals = [], 0, 0
    for question in questions:
        request = Request(question, limit=10, mode="words", facets=COUNTED)
        here, there = pair.embedded.search(request), pair.cluster.search(request)
        first, second = ({hit.id for hit in found.hits} for found in (here, there))
        overlaps.append(len(first & second) / max(1, len(first)))
        same_totals += here.total == there.total
        same_counts += here.facets == there.facets
    agreeing = sum(overlap >= 0.95 for overlap in overlaps) / len(overlaps)
    print(f"{len(questions)} queries by words: overlap at 10 {sum(overlaps) / len(overlaps):.4f}, ", end="")
    print(f"the first ten agree for {agreeing:.1%}; totals equal {same_totals}, facet counts equal {same_counts}")


def _time(pair: Pair, questions: list[str], mode: Mode, facets: tuple[str, ...]) -> None:
    for name, index in (("embedded", pair.embedded), ("cluster", pair.cluster)):
        taken, cpu = [], time.process_time()
        for question in questions:
            started = time.perf_counter()
            index.search(Request(question, limit=10, mode=mode, facets=facets))
            taken.append(time.perf_counter() - started)
        spent = (time.process_time() - cpu) / len(questions)
        label = f"{mode}{' + facets' if facets else ''}"
        print(f"{label:16} {name:9} median {1000 * median(taken):6.1f} ms, own CPU {1000 * spent:5.1f} ms a query")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", nargs="+", required=True)
    parser.add_argument("--papers", type=int, default=110_486)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--shards", type=int, default=3)
    parser.add_argument("--skip-judged", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Search on an OpenSearch cluster beside the embedded engine in one run: the same answers, and what they cost.

    python -m bench.faults.cluster [--hosts http://127.0.0.1:9201 ...] [--papers 110486] [--queries 500] [--shards 3]

Without --hosts it starts three nodes of its own. Judged collections: nDCG@10 of both. Papers of
$PAPERSITE_BENCH_DATA/acl, repeated with other abstracts if more are asked for: how far the first ten agree by words,
whether facet counts are equal and the best passages the same, build rate, bytes a paper, and per query the latency,
and the CPU time of this process and of the nodes.
"""

import argparse
import dataclasses
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from msgspec.structs import replace
from opensearchpy import OpenSearch

from bench.data.papers import FACETS, PaperFile, read
from bench.quality import judged
from bench.quality.judged import Collection, search_ids
from bench.speed.passages import entries_of
from papercore.passages.ranking import PASSAGES_RANKED
from papercore.retrieval import (
    ClusterAddress,
    Count,
    Document,
    Index,
    IndexFolder,
    Mode,
    PassageRequest,
    Request,
    build_index,
    build_index_on_cluster,
)
from papercore.retrieval.cluster_indexes import ClusterIndexes
from papercore.retrieval.engines.opensearch.cluster import BUILD_SECONDS, Cluster, connect
from tests.cluster.nodes import three_nodes

BUILD = "bench"
# Questions for passages, each of which costs as much as three by words.
COMPARED_PASSAGES = 100
COUNTED = ("author", "venue", "year")
OTHER_WORDS = ("analysis", "learning", "corpus", "evaluation", "model", "language", "semantic")
MODES: tuple[Mode, ...] = ("words", "hybrid")
# What is timed, by name.
SEARCHES: dict[str, Callable[[Index, str], object]] = {
    "words": lambda index, text: index.search(Request(text, limit=10, mode="words")),
    "words + facets": lambda index, text: index.search(Request(text, limit=10, mode="words", facets=COUNTED)),
    "hybrid": lambda index, text: index.search(Request(text, limit=10)),
    "passages": lambda index, text: index.passages(PassageRequest(text, PASSAGES_RANKED)),
}


@dataclass(frozen=True)
class Pair:
    """The same documents in both engines."""

    embedded: Index
    cluster: Index


def main() -> None:
    arguments = _arguments()
    with _hosts(arguments.hosts, arguments.heap) as hosts:
        _measure(ClusterAddress(hosts, prefix="bench", shards=arguments.shards, replicas=arguments.replicas), arguments)


@contextmanager
def _hosts(named: list[str], heap_mb: int) -> Iterator[tuple[str, ...]]:
    """The nodes named, or three of our own."""
    if named:
        yield tuple(named)
        return
    with tempfile.TemporaryDirectory(prefix="papersite-cluster-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        nodes = three_nodes(Path(folder), heap_mb, lasting=True)
        try:
            yield nodes.urls
        finally:
            nodes.stop()


def _measure(address: ClusterAddress, arguments: argparse.Namespace) -> None:
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    if not arguments.skip_judged:
        _measure_judged(data / "relevance", address)
    with tempfile.TemporaryDirectory() as scratch:
        papers = PaperFile(data / "acl" / "papers.jsonl.gz", Path(scratch))
        pair = _build(papers, arguments.papers, address, Path(scratch) / "index")
        questions = list(islice(_questions(data / "acl" / "papers.jsonl.gz"), arguments.queries))
        _compare(pair, questions)
        _compare_passages(pair, questions[:COMPARED_PASSAGES])
        # Other questions than those just compared, whose answers a process keeps; of each kind others.
        fresh = [f"{question} {word}" for question, word in zip(questions, cycle(OTHER_WORDS), strict=False)]
        timed = len(fresh) // len(SEARCHES)
        for number, name in enumerate(SEARCHES):
            _time(address, pair, fresh[number * timed : (number + 1) * timed], name)


def _measure_judged(folder: Path, address: ClusterAddress) -> None:
    with judged.collections(folder, None) as collections:
        for collection in collections:
            remote = dataclasses.replace(collection, index=_on_cluster(collection, address))
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
    # A busy machine may take longer than a reader would wait.
    index = ClusterIndexes(Cluster(address, BUILD_SECONDS)).open(BUILD)
    assert index is not None
    return index


def _build(papers: PaperFile, size: int, address: ClusterAddress, folder: Path) -> Pair:
    client = connect(address, BUILD_SECONDS)
    started, cpu = time.perf_counter(), time.process_time()
    build_index(folder, _documents(papers, size), facets=FACETS, build_id=BUILD)
    here, cpu_here = time.perf_counter() - started, time.process_time() - cpu
    started, cpu, nodes = time.perf_counter(), time.process_time(), _nodes_cpu(client)
    build_index_on_cluster(address, _documents(papers, size), facets=FACETS, build_id=BUILD)
    there, cpu_there, nodes = time.perf_counter() - started, time.process_time() - cpu, _nodes_cpu(client) - nodes
    print(f"{size:,} papers: built at {size / here:,.0f} a second embedded, {size / there:,.0f} on the cluster")
    costs = [1e6 * cost / size for cost in (cpu_here, cpu_there, nodes)]
    print("CPU a paper: {:,.0f} us embedded; {:,.0f} us here and {:,.0f} us on the nodes".format(*costs))
    bytes_here = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    client.indices.refresh(index=f"{address.prefix}-{BUILD}-*")
    stats = client.indices.stats(index=f"{address.prefix}-{BUILD}-*", metric="store")
    sizes = {name: found["primaries"]["store"]["size_in_bytes"] / size for name, found in stats["indices"].items()}
    total, passages = sum(sizes.values()), sum(sizes[name] for name in sizes if name.endswith("-passages"))
    print(f"bytes a paper: {bytes_here / size:,.0f} embedded, {total:,.0f} on the cluster for each copy, ", end="")
    print(f"{passages:,.0f} of them for passages", flush=True)
    embedded = IndexFolder(folder).open(BUILD)
    assert embedded is not None
    return Pair(embedded, _opened(address))


def _documents(papers: PaperFile, size: int) -> Iterator[Document]:
    for number, document in enumerate(papers.first(size)):
        yield replace(document, passages=entries_of(number, document.text))


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
        if here.facets != there.facets:
            print(f"facet counts of {question!r} differ: {_difference(here.facets, there.facets)}")
    agreeing = sum(overlap >= 0.95 for overlap in overlaps) / len(overlaps)
    print(f"{len(questions)} queries by words: overlap at 10 {sum(overlaps) / len(overlaps):.4f}, ", end="")
    print(f"the first ten agree for {agreeing:.1%}; totals equal {same_totals}, facet counts equal {same_counts}")


def _difference(here: Mapping[str, tuple[Count, ...]], there: Mapping[str, tuple[Count, ...]]) -> str:
    """What one of the engines counts and the other does not."""
    parts = ((name, set(here[name]) - set(there[name]), set(there[name]) - set(here[name])) for name in COUNTED)
    return "; ".join(f"{name}: {first} or {second}" for name, first, second in parts if first or second)


def _compare_passages(pair: Pair, questions: list[str]) -> None:
    overlaps = []
    for question in questions:
        asked = PassageRequest(question, PASSAGES_RANKED)
        here, there = ([item.payload for item in index.passages(asked)] for index in (pair.embedded, pair.cluster))
        overlaps.append(len({*here[:10]} & {*there[:10]}) / max(1, len(here[:10])))
    print(f"{len(questions)} queries for passages: overlap at 10 {sum(overlaps) / len(overlaps):.4f}", flush=True)


def _nodes_cpu(client: OpenSearch) -> float:
    """Seconds of processor time that the nodes have used."""
    nodes = client.nodes.stats(metric="process")["nodes"].values()
    return sum(float(node["process"]["cpu"]["total_in_millis"]) for node in nodes) / 1000


def _time(address: ClusterAddress, pair: Pair, questions: list[str], label: str) -> None:
    client = connect(address, BUILD_SECONDS)
    for name, index in (("embedded", pair.embedded), ("cluster", pair.cluster)):
        taken, cpu, nodes = [], time.process_time(), _nodes_cpu(client)
        for question in questions:
            started = time.perf_counter()
            SEARCHES[label](index, question)
            taken.append(time.perf_counter() - started)
        spent = (time.process_time() - cpu) / len(questions)
        on_nodes = (_nodes_cpu(client) - nodes) / len(questions) if name == "cluster" else 0.0
        print(f"{label:16} {name:9} median {1000 * median(taken):6.1f} ms, ", end="")
        print(f"CPU {1000 * spent:5.1f} ms here, {1000 * on_nodes:5.1f} ms on the nodes a query", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", nargs="*", default=[])
    parser.add_argument("--heap", type=int, default=1024, help="MB for each node that is started here")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--papers", type=int, default=110_486)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--shards", type=int, default=3)
    parser.add_argument("--skip-judged", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

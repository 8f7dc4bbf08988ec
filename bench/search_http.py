"""What search_papers costs through HTTP: CPU per request beside the bare engine and a ping, in the same run.

    python -m bench.search_http [PAPERS] [--size 110486]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). The snapshot is the
tests' small one; only its index holds the papers, because a search asks nothing else.
"""

import argparse
import os
import statistics
import sys
import tempfile
from itertools import islice
from pathlib import Path

from bench.data import FACETS, read
from bench.mcp import ROOT, Case, Side, running
from bench.search import QUERIES, cpu_ms
from bench.search_baselines import BareTantivy
from paper_search.retrieval import build_index
from tests import snapshot

# The requests of one case in one round: enough for the kernel's clock, which counts in hundredths of a second.
REQUESTS, ROUNDS = 100, 5
GUNICORN = ["-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", "1", "--bind", "127.0.0.1:{port}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--size", type=int, default=110_486)
    arguments = parser.parse_args()
    if not arguments.papers.is_file():
        sys.exit(f"{arguments.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    with tempfile.TemporaryDirectory() as scratch:
        run(arguments.papers, arguments.size, Path(scratch))


def run(papers: Path, size: int, scratch: Path) -> None:
    database = snapshot.build(scratch / "library")
    documents = list(islice(read(papers), size))
    build_index(scratch / "library" / "index", documents, facets=FACETS, build_id=snapshot.BUILD_ID)
    bare = BareTantivy(scratch / "bare", documents)
    site = Side("papersite", [sys.executable, *GUNICORN], "/mcp")
    environment = {**os.environ, "PAPERSITE_SNAPSHOT": str(database), "PYTHONPATH": str(ROOT)}
    print(f"{len(documents):,} papers. CPU ms per request through HTTP, and of bare tantivy with its snippets")
    print(f"{'':18} {'bare':>8} {'words':>8} {'hybrid':>8}   words - ping as a multiple of bare; hybrid - words")
    with running(site, environment):
        ping = measured(site, Case("ping", "legacy", "ping", {}))
        print(f"{'ping':18} {'':>8} {ping:>8.2f}")
        for name, text in QUERIES.items():
            floor = statistics.median(cpu_ms(bare.search, text) for _ in range(ROUNDS))
            words, hybrid = (measured(site, search(text, mode)) for mode in ("words", "hybrid"))
            ratio = f"{(words - ping) / floor:>8.1f} x; {hybrid - words:+.2f} ms"
            print(f"{name:18} {floor:>8.2f} {words:>8.2f} {hybrid:>8.2f}   {ratio}")


def search(text: str, mode: str) -> Case:
    call: dict[str, object] = {"name": "search_papers", "arguments": {"query": text, "limit": 10, "mode": mode}}
    return Case(f"{mode}: {text}", "legacy", "tools/call", call)


def measured(site: Side, case: Case) -> float:
    for _ in range(ROUNDS):
        site.measure(case, REQUESTS)
    return statistics.median(site.cpu[case]) * 1000


if __name__ == "__main__":
    main()

"""What search_papers costs over HTTP: CPU per request, beside the bare engine and a ping in the same run.

    python -m bench.search_http [PAPERS] [--size 110486] [--turns 300]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). The snapshot is the
tests' small one; only its index holds the papers, because a search reads nothing else. The bare engine runs in its own
process and takes turns with the server, one query at a time: in a tight loop its data would never leave the caches.
"""

import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median

from bench.data import FACETS, read
from bench.mcp import ROOT, McpRequest, ServerUnderTest, ask, children, running
from bench.search import QUERIES
from bench.search_baselines import BareTantivy
from papercore.retrieval import build_index
from tests import snapshot

# The server still works for a moment after it has answered.
SETTLED_SECONDS = 0.002
GUNICORN = ["-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", "1", "--bind", "127.0.0.1:{port}"]


PING = McpRequest("ping", "legacy", "ping", {})


@dataclass(frozen=True)
class Costs:
    """Median CPU ms of a query: bare engine, over HTTP by words and hybrid, and a ping."""

    bare: float
    words: float
    hybrid: float
    ping: float

    def __str__(self) -> str:
        over = (self.words - self.ping) / self.bare
        return (
            f"{self.ping:>8.2f} {self.bare:>8.2f} {self.words:>8.2f} {self.hybrid:>8.2f} {over:>10.2f} x "
            f"{self.hybrid - self.words:>+8.2f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--size", type=int, default=110_486)
    parser.add_argument("--turns", type=int, default=300, help="how often each query is asked in each way")
    arguments = parser.parse_args()
    if not arguments.papers.is_file():
        sys.exit(f"{arguments.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    with tempfile.TemporaryDirectory() as scratch:
        run(arguments.papers, arguments.size, arguments.turns, Path(scratch))


def run(papers: Path, size: int, turns: int, scratch: Path) -> None:
    database = snapshot.build(scratch / "library")
    index = scratch / "library" / "index"
    report = build_index(index, islice(read(papers), size), facets=FACETS, build_id=snapshot.BUILD_ID)
    BareTantivy.build(scratch / "bare", islice(read(papers), size))
    site = ServerUnderTest("papersite", [sys.executable, *GUNICORN], "/mcp")
    environment = {**os.environ, "PAPERSITE_SNAPSHOT": str(database), "PYTHONPATH": str(ROOT)}
    print(f"{report.documents:,} papers, {turns} turns. CPU ms: a ping, bare tantivy with its snippets, through HTTP")
    print(f"{'':18} {'ping':>8} {'bare':>8} {'words':>8} {'hybrid':>8}   (words - ping) / bare, hybrid - words")
    with running(site, environment), bare_process(scratch / "bare") as bare:
        rows = {name: measured(site, bare, text, turns) for name, text in QUERIES.items()}
    for name, costs in rows.items():
        print(f"{name:18} {costs}")
    print(f"{'all together':18} {together(list(rows.values()))}")


@contextmanager
def bare_process(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    answering = "import sys; from bench.search_baselines import answer_lines; answer_lines(sys.argv[1])"
    command = [sys.executable, "-c", answering, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        if process.stdin:
            process.stdin.close()


def measured(site: ServerUnderTest, bare: "subprocess.Popen[str]", text: str, turns: int) -> Costs:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    words, hybrid = search(text, "words"), search(text, "hybrid")
    taken = [
        (
            bare_ms(bare, text),
            request_ms(site, connection, words),
            request_ms(site, connection, hybrid),
            request_ms(site, connection, PING),
        )
        for _ in range(turns)
    ]
    connection.close()
    return Costs(*(median(column) for column in zip(*taken, strict=True)))


def together(rows: list[Costs]) -> Costs:
    """Sums over all queries."""
    return Costs(*(sum(getattr(row, name) for row in rows) for name in ("bare", "words", "hybrid", "ping")))


def search(text: str, mode: str) -> McpRequest:
    call: dict[str, object] = {"name": "search_papers", "arguments": {"query": text, "limit": 10, "mode": mode}}
    return McpRequest(f"{mode}: {text}", "legacy", "tools/call", call)


def bare_ms(bare: "subprocess.Popen[str]", text: str) -> float:
    if not bare.stdin or not bare.stdout:
        raise SystemExit("The bare engine has no pipes.")
    bare.stdin.write(f"{text}\n")
    bare.stdin.flush()
    return float(bare.stdout.readline())


def request_ms(site: ServerUnderTest, connection: http.client.HTTPConnection, case: McpRequest) -> float:
    before = run_ms(site.pid)
    ask(connection, site.path, case)
    time.sleep(SETTLED_SECONDS)
    return run_ms(site.pid) - before


def run_ms(pid: int) -> float:
    """CPU time of a process and its children so far, with a resolution of nanoseconds."""
    threads = (thread for member in (pid, *children(pid)) for thread in Path(f"/proc/{member}/task").iterdir())
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


if __name__ == "__main__":
    main()

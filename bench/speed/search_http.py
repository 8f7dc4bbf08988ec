"""What search_papers costs over HTTP: CPU per request, beside the bare engine and a ping in the same run.

    python -m bench.speed.search_http [PAPERS] [--size 110486] [--turns 300]
    python -m bench.speed.search_http [PAPERS] --beside http://127.0.0.1:9000/mcp [--beside-pid 4711]

PAPERS is a .jsonl.gz file, one paper a line (default: $PAPERSITE_BENCH_DATA/acl/papers.jsonl.gz). The snapshot is the
tests' small one; only its index holds the papers, because a search reads nothing else. The bare engine runs in its own
process and takes turns with the server, one query at a time: in a tight loop its data would never leave the caches.

--beside names another MCP server that offers `search_papers(query, limit)`: both are asked the same questions in turns,
and their times stand side by side, with the CPU time of the other one if its process is named. It serves its own data:
give it the same papers. It is asked in its legacy era, initialized first, with its session if it gives one.
"""

import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from bench.data.papers import FACETS, read
from bench.speed.mcp import ROOT, McpRequest, ServerUnderTest, ask, run_ms, running
from bench.speed.other_server import OtherServer
from bench.speed.search import QUERIES
from bench.speed.search_baselines import BareTantivy
from bench.table import figure, table
from papercore.retrieval import build_index
from tests import snapshot

# The server still works for a moment after it has answered.
SETTLED_SECONDS = 0.002
GUNICORN = ["-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", "1", "--bind", "127.0.0.1:{port}"]


PING = McpRequest("ping", "legacy", "ping", {})
HEAD = ("query", "ping", "bare", "words", "hybrid", "(words - ping) / bare", "hybrid - words")


@dataclass(frozen=True)
class Costs:
    """Median CPU ms of a query: bare engine, over HTTP by words and hybrid, and a ping."""

    bare: float
    words: float
    hybrid: float
    ping: float

    def row(self) -> list[str]:
        over = f"{(self.words - self.ping) / self.bare:.1f} x"
        return [*map(figure, (self.ping, self.bare, self.words, self.hybrid)), over, f"{self.hybrid - self.words:+.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("papers", nargs="?", type=Path, default=data / "acl" / "papers.jsonl.gz")
    parser.add_argument("--size", type=int, default=110_486)
    parser.add_argument("--turns", type=int, default=300, help="how often each query is asked in each way")
    parser.add_argument("--beside", metavar="URL", help="another MCP server with the tool search_papers")
    parser.add_argument("--beside-pid", type=int, default=0, help="its process, if it runs on this machine")
    arguments = parser.parse_args()
    if not arguments.papers.is_file():
        sys.exit(f"{arguments.papers} is missing: name a .jsonl.gz file of papers, or set PAPERSITE_BENCH_DATA.")
    with tempfile.TemporaryDirectory() as scratch:
        beside = OtherServer(arguments.beside, arguments.beside_pid) if arguments.beside else None
        run(arguments.papers, arguments.size, arguments.turns, Path(scratch), beside)


def run(papers: Path, size: int, turns: int, scratch: Path, beside: OtherServer | None) -> None:
    database = snapshot.build(scratch / "library")
    index = scratch / "library" / "index"
    report = build_index(index, islice(read(papers), size), facets=FACETS, build_id=snapshot.BUILD_ID)
    BareTantivy.build(scratch / "bare", islice(read(papers), size))
    site = ServerUnderTest("papersite", [sys.executable, *GUNICORN], "/mcp")
    environment = {**os.environ, "PAPERSITE_SNAPSHOT": str(database), "PYTHONPATH": str(ROOT)}
    with running(site, environment), bare_process(scratch / "bare") as bare:
        if beside:
            print(f"{report.documents:,} papers here, {turns} turns; ms from question to answer, and of CPU:\n")
            print(side_by_side(site, beside, turns))
            return
        rows = {name: measured(site, bare, text, turns) for name, text in QUERIES.items()}
    print(
        f"{report.documents:,} papers, {turns} turns. CPU ms: a ping, bare tantivy with its snippets, through HTTP:\n"
    )
    rows["sum"] = together(list(rows.values()))
    print(table(HEAD, [[name, *costs.row()] for name, costs in rows.items()]))


def side_by_side(site: ServerUnderTest, other: OtherServer, turns: int) -> str:
    """A row for each query: the medians of this server and of the other one."""
    rows = []
    other.initialize()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    for name, text in QUERIES.items():
        case = search(text, "hybrid")
        asked: list[Callable[[], None]] = [partial(ask, connection, site.path, case), partial(other.search, text)]
        pids = (site.pid, other.pid)
        taken = [[timed(work, pid) for work, pid in zip(asked, pids, strict=True)] for _ in range(turns)]
        figures = [median(values) for side in zip(*taken, strict=True) for values in zip(*side, strict=True)]
        ours, our_cpu, theirs, their_cpu = figures
        cpu = [figure(our_cpu), figure(their_cpu) if other.pid else ""]
        rows.append([name, figure(ours), figure(theirs), f"{theirs / ours:.1f} x", *cpu])
    connection.close()
    return table(["query", "papersite", other.name, "ratio", "CPU, papersite", f"CPU, {other.name}"], rows)


def timed(work: Callable[[], None], pid: int) -> tuple[float, float]:
    """Milliseconds until the answer, and of CPU in that process; 0 without one."""
    cpu, began = run_ms(pid) if pid else 0.0, time.perf_counter()
    work()
    elapsed = (time.perf_counter() - began) * 1000
    time.sleep(SETTLED_SECONDS)
    return elapsed, run_ms(pid) - cpu if pid else 0.0


@contextmanager
def bare_process(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    answering = "import sys; from bench.speed.search_baselines import answer_lines; answer_lines(sys.argv[1])"
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


if __name__ == "__main__":
    main()

"""How long the site takes from start to its first answers, and what a worker adds in memory, beside an empty app.

    python -m bench.speed.startup [--sizes 110486 1000000] [SNAPSHOT ...]

On the demo library, on so many papers of the collection where they are there or can be built, and on other
snapshots that are named, each with its index.
"""

import argparse
import compileall
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.data import libraries
from bench.speed.mcp import ROOT, McpRequest, children
from papersite.logs import OUR_PACKAGES

WORKERS = 2
WAIT_SECONDS = 120
SEARCH = McpRequest("search", "legacy", "tools/call", {"name": "search_papers", "arguments": {"query": "learning"}})
# Connections are spread over the workers as they come: enough for each of them to get one.
REQUESTS = 20


@dataclass
class Start:
    """What was measured of one start."""

    listening: float = 0
    first: float = 0
    answers: list[float] = field(default_factory=list)
    private_mb: float = 0


@contextmanager
def gunicorn(application: str, environment: dict[str, str]) -> Iterator[tuple[int, int]]:
    """The port and the process id of a server that has just been started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", str(WORKERS)]
    process = subprocess.Popen(
        [*command, "--bind", f"127.0.0.1:{port}", application],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(30)


def measure(application: str, environment: dict[str, str]) -> Start:
    found, began = Start(), time.perf_counter()
    with gunicorn(application, environment) as (port, pid):
        wait_until_listening(port)
        found.listening = time.perf_counter() - began
        for _ in range(REQUESTS):
            asked = time.perf_counter()
            search(port)
            found.answers.append(time.perf_counter() - asked)
            found.first = found.first or time.perf_counter() - began
        found.private_mb = sum(map(private_mb, children(pid))) / WORKERS
    return found


def wait_until_listening(port: int) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise SystemExit("The server did not start.")


def search(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/mcp", SEARCH.body(), SEARCH.headers())
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200 or b'"isError":true' in body:
        raise SystemExit(f"The search failed: {answer.status} {body[:300]!r}")


def private_mb(pid: int) -> float:
    """The memory that a worker does not share with the others; nothing for a process that has ended meanwhile."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshot", type=Path, nargs="*")
    parser.add_argument("--sizes", type=int, nargs="*", default=[110_486, 1_000_000])
    options = parser.parse_args()
    print(
        f"{'':28}{'listening':>10}{'first answer':>14}{'slowest of next':>17}{'median':>9}{'private MB a worker':>21}"
    )
    with tempfile.TemporaryDirectory() as data, libraries.libraries_folder() as folder:
        built = [libraries.demo(folder), *(libraries.first_papers(folder, size) for size in options.sizes)]
        snapshots = [*filter(None, built), *options.snapshot]
        environment = {**os.environ, "PAPERSITE_DATA": data, "PAPERSITE_DEBUG": "on", "PYTHONPATH": str(ROOT)}
        compile_code()
        report("empty application", measure("bench.speed.apps.bare_wsgi:application", environment))
        for path in snapshots:
            served = measure("papersite.wsgi:application", {**environment, "PAPERSITE_SNAPSHOT": str(path.resolve())})
            report(path.parent.name, served)


def compile_code() -> None:
    """As an installed package is: some environments forbid Python to write what it compiles, and would do it again."""
    for package in OUR_PACKAGES:
        compileall.compile_dir(str(ROOT / package), quiet=1)


def report(name: str, start: Start) -> None:
    later = sorted(start.answers[1:])
    print(
        f"{name:28}{start.listening:9.2f}s{start.first:13.2f}s{later[-1]:16.3f}s{later[len(later) // 2]:8.3f}s"
        f"{start.private_mb:21.0f}"
    )


if __name__ == "__main__":
    main()

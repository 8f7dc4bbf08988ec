"""CPU and requests per second of /mcp against the MCP SDK's own servers on uvicorn, with the same tools, in one run."""

import argparse
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.table import figure, table

ROOT = Path(__file__).resolve().parents[2]

MODERN = "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
STARTUP_SECONDS = 60


@dataclass(frozen=True, eq=False)
class McpRequest:
    """One request, in one era of the protocol."""

    name: str
    era: str
    method: str
    params: dict[str, object]

    def headers(self) -> dict[str, str]:
        plain = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.era == "legacy":
            return {**plain, "MCP-Protocol-Version": "2025-11-25"}
        named = {"Mcp-Name": str(self.params["name"])} if "name" in self.params else {}
        return {**plain, "MCP-Protocol-Version": MODERN, "Mcp-Method": self.method, **named}

    def body(self) -> bytes:
        params = self.params if self.era == "legacy" else {**self.params, "_meta": ENVELOPE}
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": self.method, "params": params}).encode()


@dataclass
class ServerUnderTest:
    """A server, its process tree, and what each request cost it."""

    name: str
    command: list[str]
    path: str
    port: int = 0
    pid: int = 0
    cpu: dict[McpRequest, list[float]] = field(default_factory=dict)
    rate: dict[McpRequest, list[float]] = field(default_factory=dict)

    def measure(self, case: McpRequest, requests: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        ask(connection, self.path, case)
        cpu, start = run_ms(self.pid), time.perf_counter()
        for _ in range(requests):
            ask(connection, self.path, case)
        elapsed = time.perf_counter() - start
        self.cpu.setdefault(case, []).append((run_ms(self.pid) - cpu) / requests)
        self.rate.setdefault(case, []).append(requests / elapsed)
        connection.close()


def ask(connection: http.client.HTTPConnection, path: str, case: McpRequest) -> None:
    connection.request("POST", path, case.body(), case.headers())
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200 or b'"error":{' in body[:60] or b'"isError":true' in body:
        raise SystemExit(f"{case.name} ({case.era}) failed: {answer.status} {body[:300]!r}")


def run_ms(pid: int) -> float:
    """CPU time of a process and its children so far, with a resolution of nanoseconds."""
    threads = (thread for member in (pid, *children(pid)) for thread in Path(f"/proc/{member}/task").iterdir())
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    direct = [int(word) for word in text.split()]
    return direct + [below for child in direct for below in children(child)]


@contextmanager
def running(side: ServerUnderTest, environment: dict[str, str]) -> Iterator[None]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        side.port = probe.getsockname()[1]
    command = [part.format(port=side.port) for part in side.command]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        side.pid = process.pid
        wait_until_served(side)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def wait_until_served(side: ServerUnderTest) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", side.port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{side.name} did not start")


def servers(logs: bool) -> list[ServerUnderTest]:
    quiet = [] if logs else ["--log-level", "critical", "--no-access-log"]
    gunicorn = ["-m", "gunicorn", "--config", "gunicorn.conf.py", "--workers", "1", "--bind", "127.0.0.1:{port}"]
    uvicorn = ["-m", "uvicorn", *quiet, "--port", "{port}"]
    return [
        ServerUnderTest(
            "papersite", [sys.executable, *gunicorn, "bench.speed.apps.mcp_ours:application"], "/mcp/bench"
        ),
        ServerUnderTest("MCPServer", [sys.executable, *uvicorn, "bench.speed.apps.mcp_sdk:mcpserver"], "/mcp"),
        ServerUnderTest("low-level", [sys.executable, *uvicorn, "bench.speed.apps.mcp_sdk:lowlevel"], "/mcp"),
    ]


def cases(paper_id: str) -> list[McpRequest]:
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "ping": ("ping", {}),
        "tools/list": ("tools/list", {}),
        "constant tool": ("tools/call", {"name": "constant", "arguments": {"question": "?"}}),
        "get_paper_metadata": ("tools/call", {"name": "get_paper_metadata", "arguments": {"paper_id": paper_id}}),
    }
    return [
        McpRequest(name, era, *call)
        for era in ("legacy", "modern")
        for name, call in calls.items()
        if (name, era) != ("ping", "modern")
    ]


def row(ours: ServerUnderTest, others: list[ServerUnderTest], case: McpRequest) -> list[str]:
    def cpu(side: ServerUnderTest) -> float:
        return statistics.median(side.cpu[case])

    ratios = [text for other in others for text in (figure(cpu(other)), f"{cpu(ours) / cpu(other):.2f}")]
    rates = [f"{statistics.median(side.rate[case]):.0f}" for side in (ours, *others)]
    return [f"{case.name}, {case.era}", figure(cpu(ours)), *ratios, *rates]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, help="default: the small one that the tests build")
    parser.add_argument("--paper", default="123", help="whose metadata to ask for (default: 123)")
    parser.add_argument("--requests", type=int, default=200, help="per case and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--logs", action="store_true", help="let every server write its log, instead of none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        snapshot = options.snapshot or build_sample(Path(folder))
        run(snapshot, options.paper, options.requests, options.rounds, logs=options.logs)


def listing_bytes() -> int:
    """What an agent reads before its first call."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    import django

    django.setup()
    from mcpapi.listing.servers import PAPERS

    tools = [tool.listing() for tool in PAPERS.tools]
    return len(json.dumps({"tools": tools}, separators=(",", ":"), ensure_ascii=False).encode())


def build_sample(folder: Path) -> Path:
    from tests.snapshot import build

    return build(folder)


def run(snapshot: Path, paper_id: str, requests: int, rounds: int, *, logs: bool) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "papersite.settings",
        "PAPERSITE_SNAPSHOT": str(snapshot),
        "PYTHONPATH": str(ROOT),
        "BENCH_LOGS": "1" if logs else "",
    }
    ours, high, low = servers(logs)
    measured = cases(paper_id)
    with running(ours, environment), running(high, environment), running(low, environment):
        for _ in range(rounds):
            for case in measured:
                for side in (ours, high, low):
                    side.measure(case, requests)
    print("CPU ms a request, its ratio to each server of the SDK on uvicorn, and requests a second on one connection;")
    print(f"tools/list of /mcp has {listing_bytes():,} bytes.\n")
    columns = ["request", "papersite", "MCPServer", "ratio", "low-level", "ratio"]
    print(
        table(
            [*columns, *(f"{side.name}/s" for side in (ours, high, low))],
            [row(ours, [high, low], case) for case in measured],
        )
    )


if __name__ == "__main__":
    main()

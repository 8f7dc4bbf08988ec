"""The site as it runs in production: gunicorn in processes of its own, with its own library and database."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any  # JSON as it comes: the tests look into it freely

import httpx

ROOT = Path(__file__).resolve().parent.parent
KEY = "a-secret-key-of-the-tests-which-must-never-be-seen-anywhere-0123456789"

# Passes the listening socket on, as systemd does for a service with a socket unit.
PASS_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


def environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of a server: without the settings of this process, and without a model that it would fetch."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAPERSITE_", "PROMETHEUS_"))}
    own = {"PAPERSITE_DATA": str(data), "PAPERSITE_SECRET_KEY": KEY, "PAPERSITE_SEARCH_MODEL": "off"}
    return kept | own | more


def manage(data: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Check again until the condition holds, within a time limit."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)  # between two checks


class SiteServer:
    """A running site. It listens from the start, so early requests wait for the workers instead of failing."""

    def __init__(self, data: Path, *, wrapper: tuple[str, ...] = (), by_systemd: bool = False, **settings: str) -> None:
        self.data = data
        self._wrapper, self._by_systemd = wrapper, by_systemd
        self.log_path = data / "server.log"
        self._settings = settings
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = int(self._listener.getsockname()[1])
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        descriptor = self._listener.fileno()
        command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--bind", f"fd://{descriptor}"]
        if self._by_systemd:
            command = [sys.executable, "-c", PASS_SOCKET, str(descriptor), sys.executable, "manage.py", "serve"]
        with self.log_path.open("ab") as log:
            return subprocess.Popen(
                [*self._wrapper, *command],
                cwd=ROOT,
                env=environment(self.data, **self._settings),
                stderr=log,
                stdout=log,
                pass_fds=[descriptor],
            )

    def wait_until_up(self) -> None:
        """The first request waits until there is a worker to answer it."""
        httpx.get(f"{self.address}/healthz", trust_env=False, timeout=120).raise_for_status()

    def restart(self) -> None:
        self.stop()
        self.process = self._start()
        self.wait_until_up()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(60)

    def release_socket(self) -> None:
        """Leave the socket to the server alone: when it ends, connections are refused."""
        self._listener.close()

    def close(self) -> None:
        self.stop()
        self._listener.close()

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return sorted(map(int, children.read_text().split()))

    def busiest_worker(self) -> int:
        """The worker that holds the most connections."""
        return max(self.workers(), key=_open_sockets)

    def replace_worker(self) -> None:
        """Kill a worker, and wait for its successor, which remembers nothing."""
        before = self.workers()
        os.kill(before[0], signal.SIGKILL)
        wait_for(lambda: self.workers() and before[0] not in self.workers(), "a new worker")

    def memory(self) -> int:
        """Private bytes of the workers."""
        return sum(_private_bytes(pid) for pid in self.workers())

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(self.address + path, headers=headers, trust_env=False, timeout=60)

    def call(self, tool: str, **arguments: object) -> Any:
        """The structured content of a tool's answer over MCP, or of its error."""
        message = rpc("tools/call", {"name": tool, "arguments": arguments})
        answer = httpx.post(f"{self.address}/mcp", json=message, trust_env=False, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]["structuredContent"]

    def parts(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/readyz").json()["parts"]
        return found

    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def lines(self, event: str) -> list[dict[str, Any]]:
        """The log lines of one kind."""
        # The address that is printed at the start is for people, and no line of the log.
        found = [json.loads(line) for line in self.log().splitlines() if line.startswith("{")]
        return [line for line in found if line["event"] == event]


def rpc(method: str, params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def _open_sockets(pid: int) -> int:
    return sum(_is_socket(descriptor) for descriptor in Path(f"/proc/{pid}/fd").iterdir())


def _is_socket(descriptor: Path) -> bool:
    try:
        return str(descriptor.readlink()).startswith("socket:")
    except FileNotFoundError:  # closed since it was listed
        return False


def _private_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))

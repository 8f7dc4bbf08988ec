"""The faults that a server must survive, at full length: what failed, and for how long."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any  # JSON as it comes from the server

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")

import django

django.setup()

from bench.data.demo_server import demo_server, paper_ids  # noqa: E402
from bench.faults.corruption import random_changes  # noqa: E402
from bench.faults.hostile_texts import hostile_texts  # noqa: E402
from papercore import limits  # noqa: E402
from papercore.rendering import RendererBusy, render  # noqa: E402
from tests.faults.replaced_snapshots import of_one_snapshot, switch, two_snapshots  # noqa: E402
from tests.faults.sessions import claim  # noqa: E402
from tests.load import Ask, KeepAliveClient, Load, LoadResult, load  # noqa: E402
from tests.server import SiteServer, wait_for  # noqa: E402

CLIENTS = 8
SECONDS = 20.0
SESSIONS = 100
HOSTILE_SECONDS = 40
HONEST_ADDRESSES = [f"127.0.0.{number}" for number in range(2, 2 + CLIENTS)]


def main() -> None:
    """All rows, or those whose name contains the argument."""
    wanted = {name: measure for name, measure in ROWS.items() if "".join(sys.argv[1:]) in name}
    with demo_server() as server:
        ids = paper_ids(server)

        def ask(client: KeepAliveClient, number: int) -> None:
            paper_id = ids[number % len(ids)]
            assert client.call("get_paper_metadata", paper_id=paper_id)["paper_id"] == paper_id, "crossed"

        for name, measure in wanted.items():
            print(f"{name:<47}{measure(server, ask)}", flush=True)


def slow_clients(server: SiteServer, ask: Ask) -> str:
    with fifty_slow(server.port) as slow, load(server.port, CLIENTS, ask) as outcome:
        for _ in every(0.5):
            for client in slow[::3]:
                client.send(b"x")
    return served(outcome)


@contextmanager
def fifty_slow(port: int) -> Iterator[list[socket.socket]]:
    """Clients that stop in the header or in the body, or never read the answers."""
    post = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
    beginnings = [b"GET / HTTP/1.1\r\nHost: local", post, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50]
    opened = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for number, client in enumerate(opened):
        client.sendall(beginnings[number % 3])
    yield opened
    for client in opened:
        client.close()


def every(pause: float) -> Iterator[float]:
    """The seconds since the start, after each pause, until SECONDS have passed."""
    began = time.monotonic()
    while (passed := time.monotonic() - began) < SECONDS:
        yield passed
        time.sleep(pause)


def hostile_clients(server: SiteServer, ask: Ask) -> str:
    """Honest clients ask for papers, pages and health, each from an address of its own."""
    with demo_server(limits.SESSION_CALLS) as limited:
        return among_hostile_clients(limited, ask)


def among_hostile_clients(server: SiteServer, ask: Ask) -> str:
    session_id = server.call("start_search", query="attention")["session_id"]
    claim(server.data, session_id, HOSTILE_SECONDS + 15)
    command = [sys.executable, "-m", "bench.faults.hostile_clients", str(server.port), session_id, str(HOSTILE_SECONDS)]
    hostile = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def honest(client: KeepAliveClient, number: int) -> None:
        if number % 4 == 0:
            client.page(["/", "/papers/", "/healthz", "/readyz"][number // 4 % 4])
        else:
            ask(client, number)

    time.sleep(HOSTILE_SECONDS / 10)  # until all of them are there
    with load(server.port, CLIENTS, honest, HONEST_ADDRESSES) as outcome:
        time.sleep(HOSTILE_SECONDS * 0.8)
    held = [int(number) for number in hostile.communicate()[0].split()]
    return f"{served(outcome)}, {held[len(held) // 2]} hostile connections held on the median second"


def served(outcome: LoadResult) -> str:
    share = len(outcome.seconds) / outcome.count
    return f"{share:.2%} of {outcome.count} served, p95 {outcome.percentile(0.95) * 1000:.0f} ms"


def killed_worker(server: SiteServer, ask: Ask) -> str:
    with load(server.port, CLIENTS, ask) as outcome:
        wait_for(lambda: outcome.count > 100, "load")
        before, victim = server.workers(), server.busiest_worker()
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        wait_for(lambda: len(set(server.workers()) - {victim}) == len(before), "a new worker")
        back = time.monotonic() - killed
        wait_for_more(outcome)
    later = sum(failure.asked > killed for failure in outcome.errors)
    return f"{error_count(outcome)} requests, {later} of them asked after it, worker back in {back * 1000:.0f} ms"


def error_count(outcome: LoadResult) -> str:
    return f"{len(outcome.errors)} errors in {outcome.count}"


def wait_for_more(outcome: LoadResult) -> None:
    count = outcome.count
    wait_for(lambda: outcome.count > count + 100, "load goes on", 60)


def reload(server: SiteServer, ask: Ask) -> str:
    return under_load(server, ask, lambda: server.signal(signal.SIGHUP))


def restart(server: SiteServer, ask: Ask) -> str:
    return under_load(server, ask, server.restart)


def under_load(server: SiteServer, ask: Ask, act: Callable[[], None]) -> str:
    before = set(server.workers())
    with load(server.port, CLIENTS, ask) as outcome:
        wait_for(lambda: outcome.count > 100, "load")
        act()
        wait_for(lambda: server.workers() and not before & set(server.workers()), "new workers", 60)
        wait_for_more(outcome)
    return f"{error_count(outcome)} requests"


def replaced(server: SiteServer, ask: Ask) -> str:
    """Switch between two libraries, each with its index."""
    folder, turns = server.data / "demo", 0
    with two_snapshots(folder):
        switch(folder, turns)
        with load(server.port, CLIENTS, of_one_snapshot) as outcome:
            for _ in every(0.5):
                turns += 1
                switch(folder, turns)
    mixed = sum(kind.startswith("mixed") for kind in outcome.kinds)
    return f"{error_count(outcome)} rounds of four, {mixed} mixed, {turns} replacements"


def sessions(server: SiteServer, ask: Ask) -> str:
    found: list[dict[str, Any]] = []
    lock = threading.Lock()

    def start(client: KeepAliveClient, number: int) -> None:
        session = client.call("start_search", query=f"attention in model {number}")
        with lock:
            found.append(session)

    def decide(client: KeepAliveClient, number: int) -> None:
        before = found[number - 1]
        after = client.call("decide", session_id=before["session_id"], action="approve")
        assert after["query"] == before["query"], "crossed"

    Load(server.port, CLIENTS, start, count=SESSIONS).start().join()
    server.restart()
    outcome = Load(server.port, CLIENTS, decide, count=len(found)).start().join()
    return f"{len(outcome.seconds)} of {SESSIONS} went on {sorted(set(outcome.kinds))}"


def slow_texts(server: SiteServer, ask: Ask) -> str:
    """Lay out each text twice: what was too slow once is remembered."""
    first = {name: _render_seconds(text) for name, text in hostile_texts().items()}
    again = {name: _render_seconds(text) for name, text in hostile_texts().items()}
    slowest = sorted(first, key=first.__getitem__, reverse=True)[:3]
    shown = ", ".join(f"{name} {first[name]:.2f} s" for name in slowest)
    return f"{len(first)} texts, the slowest: {shown}; asked again at most {max(again.values()):.2f} s"


def _render_seconds(text: str) -> float:
    began = time.monotonic()
    with suppress(RendererBusy):  # an answer, too: 503
        render(text)
    return time.monotonic() - began


ROWS: dict[str, Callable[[SiteServer, Ask], str]] = {
    "50 slow clients for 20 s": slow_clients,
    "1,000 hostile connections for 40 s": hostile_clients,
    "kill -9 of a worker under load": killed_worker,
    "HUP under load": reload,
    "TERM and start again, socket kept, under load": restart,
    "snapshot and index replaced every 0.5 s, 20 s": replaced,
    "restart in the middle of 100 sessions": sessions,
    "texts of 300,000 characters made to be slow": slow_texts,
    "1,000 random changes in the files of a library": lambda server, ask: random_changes(server.data),
}


if __name__ == "__main__":
    main()

"""Mixed load on the real server: throughput, latency, errors, mixed-up answers, memory. `make soak`."""

import argparse
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any  # JSON as it comes from the server

from bench.data.demo_server import demo_server, paper_ids
from tests.load import KeepAliveClient, Load
from tests.server import SiteServer, wait_for

ERROR_LINE = '"level":"error"'


@dataclass
class MixedRequests:
    """Of ten requests: four metadata, two searches, one summary, two pages, one step of a search session.

    At most eight clients work on sessions at a time, because the site limits how many searches run at once.
    """

    ids: list[str]
    waiting: deque[dict[str, Any]] = field(default_factory=deque)
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(8))

    def ask(self, client: KeepAliveClient, number: int) -> None:
        paper_id = self.ids[number * 7 % len(self.ids)]
        kind = number % 10
        if kind == 9 and self.turn.acquire(blocking=False):
            try:
                self.session_step(client, number)
            finally:
                self.turn.release()
        elif kind < 4:
            assert client.call("get_paper_metadata", paper_id=paper_id)["paper_id"] == paper_id, "crossed"
        elif kind < 6:
            words = paper_id.replace("-", " ")
            assert client.call("search_papers", query=words, limit=10)["offset"] == 0, "crossed"
        elif kind == 6:
            assert client.call("get_paper_summary", paper_id=paper_id)["paper_id"] == paper_id, "crossed"
        else:
            assert f"/papers/{paper_id}.json" in client.page(f"/papers/{paper_id}/"), "crossed"

    def session_step(self, client: KeepAliveClient, number: int) -> None:
        """Start a search, or approve the checkpoint of an earlier one, whoever started it."""
        if number % 20 == 9 or not self.waiting:
            query = f"attention in model {number}"
            session = client.call("start_search", query=query)
            assert session["query"] == query, "crossed"
            if not session["has_pending_checkpoint"]:
                session = client.call("get_session", session_id=session["session_id"], wait_seconds=25)
            self.waiting.append(session)
            return
        session = self.waiting.popleft()
        after = client.call("decide", session_id=session["session_id"], action="approve")
        assert (after["session_id"], after["query"]) == (session["session_id"], session["query"]), "crossed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--requests", type=int, default=10_000)
    options = parser.parse_args()
    with demo_server() as server:
        sys.exit(soak(server, options.clients, options.requests))


def soak(server: SiteServer, clients: int, requests: int) -> int:
    """Print the result; return the number of errors."""
    mixed = MixedRequests(paper_ids(server))
    warm = Load(server.port, clients, mixed.ask, count=max(requests // 5, 500)).start().join()
    print(f"warm-up  {warm}")
    running = Load(server.port, clients, mixed.ask, count=requests)
    memory = [server.memory(), *memory_by_quarters(server, running, requests)]
    outcome = running.join()
    print(f"soak     {outcome}")
    print(f"crossed  {outcome.kinds.count('crossed')}")
    print(f"log      {server.log().count(ERROR_LINE)} lines of errors")
    print(f"memory   {described(memory)} ({len(server.workers())} workers)")
    return len(outcome.errors) + len(warm.errors)


def memory_by_quarters(server: SiteServer, running: Load, requests: int) -> Iterator[int]:
    running.start()
    for quarter in (1, 2, 3, 4):
        wait_for(partial(asked, running, requests * quarter // 4), f"quarter {quarter}", 1200)
        yield server.memory()


def asked(running: Load, count: int) -> bool:
    return running.outcome.count >= count


def described(memory: list[int]) -> str:
    quarters = ", ".join(f"{size / 1e6:.0f}" for size in memory[1:])
    last = memory[-1] / memory[-2] - 1
    return f"{memory[0] / 1e6:.0f} MB after warm-up, after each quarter {quarters}; last quarter {last:+.1%}"


if __name__ == "__main__":
    main()

"""Mixed reading by 1, 8, 32 and 128 clients on two workers, beside the same requests to an application that is empty.

    python -m bench.speed.concurrency [SNAPSHOT] [--requests 1000]

Without a SNAPSHOT: the largest library that bench.data.libraries has kept, else the demo.
"""

import argparse
import json
import tempfile
from pathlib import Path

from bench.data import libraries
from bench.speed.startup import gunicorn, wait_until_listening
from bench.table import figure, table
from tests.load import KeepAliveClient, Load, LoadResult
from tests.server import rpc

CLIENTS = (1, 8, 32, 128)
QUERIES = ("neural networks", "learning", "attention", "graph", "language models for speech")
PAGES = ("/papers/?q=learning", "/", "/papers/")


def read(client: KeepAliveClient, number: int) -> None:
    """Of twelve requests five search, four ask what the library holds, three load a page."""
    turn = number % 12
    if turn >= 9:
        status, body = client.send("GET", PAGES[turn - 9])
    else:
        name, arguments = ("search_papers", {"query": QUERIES[turn]}) if turn < 5 else ("get_database_stats", {})
        message = rpc("tools/call", {"name": name, "arguments": arguments})
        status, body = client.send("POST", "/mcp", json.dumps(message).encode())
    assert status == 200, f"{status}: {body[:200]!r}"
    assert b'"isError":true' not in body, body[:200]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshot", type=Path, nargs="?", help="a library with its index")
    parser.add_argument("--requests", type=int, default=1_000, help="for each row")
    options = parser.parse_args()
    with libraries.libraries_folder() as folder:
        kept = folder / "papers-110486" / libraries.DATABASE
        snapshot = options.snapshot or (kept if kept.exists() else libraries.demo(folder))
        with tempfile.TemporaryDirectory() as data:
            rows = measured(libraries.environment(snapshot, Path(data)), options.requests)
    print(f"{snapshot.parent.name}, {options.requests:,} requests for each row:\n")
    print(table(["clients", "", "requests a second", "p50 ms", "p99 ms", "errors"], rows))


def measured(environment: dict[str, str], requests: int) -> list[list[str]]:
    with (
        gunicorn("papersite.wsgi:application", environment) as (site, _),
        gunicorn("bench.speed.apps.bare_wsgi:application", environment) as (empty, _),
    ):
        for port in (site, empty):
            wait_until_listening(port)
        Load(site, 8, read, 48).start().join()  # the first answers of each worker
        return [
            row(clients, name, Load(port, clients, read, requests).start().join())
            for clients in CLIENTS
            for name, port in (("papersite", site), ("empty application", empty))
        ]


def row(clients: int, name: str, found: LoadResult) -> list[str]:
    rate = found.count / (found.ended - found.began)
    times = [figure(found.percentile(share) * 1000) for share in (0.5, 0.99)]
    return [str(clients), name, f"{rate:.0f}", *times, str(len(found.errors))]


if __name__ == "__main__":
    main()

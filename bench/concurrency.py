"""Mixed reading by 1, 8, 32 and 128 clients on two workers, beside the same number of requests to an empty app."""

import argparse
import os
import tempfile
from pathlib import Path

from bench.mcp import ROOT
from bench.startup import gunicorn, wait_until_listening
from tests.load import KeepAliveClient, Load, LoadResult

CLIENTS = (1, 8, 32, 128)
QUERIES = ("neural networks", "learning", "attention", "graph", "language models for speech")
PAGES = ("/papers/?q=learning", "/", "/papers/")


def read(client: KeepAliveClient, number: int) -> None:
    """Of twelve requests five search, four ask what the library holds, three load a page."""
    turn = number % 12
    if turn < 5:
        client.call("search_papers", query=QUERIES[turn])
    elif turn < 9:
        client.call("get_database_stats")
    else:
        client.page(PAGES[turn - 9])


def ask_nothing(client: KeepAliveClient, number: int) -> None:
    client.page("/")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path, help="a library with its index")
    parser.add_argument("--requests", type=int, default=1_000, help="for each row")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "PAPERSITE_DATA": data, "PAPERSITE_DEBUG": "on", "PYTHONPATH": str(ROOT)}
        environment["PAPERSITE_SNAPSHOT"] = str(options.snapshot.resolve())
        with (
            gunicorn("papersite.wsgi:application", environment) as (site, _),
            gunicorn("bench.apps.bare_wsgi:application", environment) as (empty, _),
        ):
            for port in (site, empty):
                wait_until_listening(port)
            Load(site, 8, read, 48).start().join()  # the first answers of each worker
            print(f"{'clients':>7}  {'':10}{'per second':>10}{'p50 ms':>9}{'p99 ms':>9}{'errors':>8}")
            for clients in CLIENTS:
                report(clients, "papersite", Load(site, clients, read, options.requests).start().join())
                report(clients, "empty app", Load(empty, clients, ask_nothing, options.requests).start().join())


def report(clients: int, name: str, found: LoadResult) -> None:
    rate = found.count / (found.ended - found.began)
    p50, p99 = (found.percentile(share) * 1000 for share in (0.5, 0.99))
    print(f"{clients:7}  {name:10}{rate:10.0f}{p50:9.1f}{p99:9.1f}{len(found.errors):8}")


if __name__ == "__main__":
    main()

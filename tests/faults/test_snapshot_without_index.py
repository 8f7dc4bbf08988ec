"""A snapshot is replaced before its index is built: its own tables are searched, and answers are never mixed."""

import json
from functools import partial

from tests.faults.replaced_snapshots import of_one_snapshot, put, two_snapshots
from tests.load import LoadResult, load
from tests.server import SiteServer, wait_for


def test_a_snapshot_newer_than_its_index_is_served_without_an_error(server: SiteServer) -> None:
    folder = server.data / "demo"
    listing = folder / "index" / "generations.json"
    with two_snapshots(folder):
        both = listing.read_bytes()
        put(listing, json.dumps(json.loads(both)[1:]).encode())  # the second has none
        put(folder / "paper_snapshot.db", (folder / "AA.db").read_bytes())
        with load(server.port, 4, of_one_snapshot) as outcome:
            for mark in ("BB", "AA", "BB"):
                put(folder / "paper_snapshot.db", (folder / f"{mark}.db").read_bytes())
                wait_for(partial(more_than, outcome, outcome.count + 4), "answers between two replacements")
            parts = server.parts()
            put(listing, both)
            wait_for(lambda: server.parts()["index"]["state"] == "ok", "the index is built")
            wait_for(partial(more_than, outcome, outcome.count + 4), "answers with the index")
        assert outcome.errors == []
        assert (parts["snapshot"]["state"], parts["index"]["state"]) == ("ok", "missing")
        assert "words" in parts["index"]["hint"]


def more_than(outcome: LoadResult, count: int) -> bool:
    return outcome.count > count

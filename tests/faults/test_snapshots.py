"""Bad snapshots: the last good one is served, or a structured error; /readyz reports it; a good one is used again."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path

import pytest

from tests import snapshot as sample
from tests.faults.replaced_snapshots import of_one_snapshot, put, switch, two_snapshots
from tests.load import LoadResult, load
from tests.server import SiteServer, wait_for

REPLACEMENTS = 8


def missing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    put(path, b"")


def junk(path: Path) -> None:
    put(path, b"no database " * 10_000)


def truncated(path: Path) -> None:
    content = path.read_bytes()
    put(path, content[: len(content) // 2])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content), 512):
        content[place] ^= 0xFF
    put(path, bytes(content))


def with_wal(path: Path) -> None:
    put(path, path.read_bytes())
    path.with_name(path.name + "-wal").write_bytes(b"unfinished" * 100)


def cut_in_place(path: Path) -> None:
    """What copying over a served file does, which docs/deploy.md forbids."""
    with path.open("r+b") as file:
        file.truncate(8192)


REPLACED = [missing, empty, junk, truncated, flipped, with_wal]


@pytest.fixture
def database(single: SiteServer) -> Iterator[Path]:
    """The path of a good snapshot, which is put back afterwards."""
    path = single.data / "demo" / "paper_snapshot.db"
    kept = path.read_bytes()
    wait_for(lambda: single.parts()["snapshot"]["state"] == "ok", "a good start")
    yield path
    path.with_name(path.name + "-wal").unlink(missing_ok=True)
    put(path, kept)
    assert single.call("get_database_stats")["papers"] == len(sample.PAPERS)


@pytest.mark.parametrize("spoil", REPLACED)
def test_the_last_good_snapshot_goes_on_serving(
    spoil: Callable[[Path], None], single: SiteServer, database: Path
) -> None:
    spoil(database)
    assert single.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
    assert single.get("/papers/123/").status_code == 200
    assert single.get("/readyz").json()["parts"]["snapshot"]["state"] == "degraded"


@pytest.mark.parametrize("spoil", [*REPLACED, cut_in_place])
def test_without_a_good_snapshot_every_answer_is_a_structured_error(
    spoil: Callable[[Path], None], single: SiteServer, database: Path
) -> None:
    spoil(database)
    single.replace_worker()
    assert single.call("get_paper_metadata", paper_id="123")["error"] == "snapshot_unavailable"
    assert single.call("search_papers", query="attention")["error"] == "snapshot_unavailable"
    page = single.get("/papers/123/")
    ready = single.get("/readyz")
    assert (page.status_code, ready.status_code) == (503, 503)
    assert ready.json()["parts"]["snapshot"]["state"] == "missing"
    assert str(database.parent) not in page.text + ready.text


def test_a_file_cut_while_it_is_read_never_breaks_the_server(single: SiteServer, database: Path) -> None:
    cut_in_place(database)
    for paper_id in ("123", "456", "nobody"):
        answer = single.call("get_paper_metadata", paper_id=paper_id)
        assert answer.get("error") in (None, "paper_not_found", "snapshot_unavailable")
    assert single.get("/readyz").json()["parts"]["snapshot"]["state"] != "ok"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    yield
    other.close()


def legacy(path: Path) -> AbstractContextManager[None]:
    sample.build(path.parent, legacy=True)
    return nullcontext()


@pytest.mark.parametrize("odd", [locked, legacy])
def test_a_locked_or_a_legacy_snapshot_is_served(
    odd: Callable[[Path], AbstractContextManager[None]], single: SiteServer, database: Path
) -> None:
    with odd(database):
        single.replace_worker()
        assert single.call("get_paper_metadata", paper_id="123")["title"] == "Attention Is All You Need"
        assert single.get("/readyz").json()["parts"]["snapshot"]["state"] == "ok"


def test_snapshots_and_indexes_are_replaced_under_load_without_an_error(server: SiteServer) -> None:
    folder = server.data / "demo"
    with two_snapshots(folder):
        switch(folder, 0)
        with load(server.port, 4, of_one_snapshot) as outcome:
            for turn in range(REPLACEMENTS):
                switch(folder, turn)
                wait_for(partial(more_than, outcome, outcome.count + 4), "answers between two replacements")
        assert outcome.errors == []
        parts = server.parts()
        assert (parts["snapshot"]["state"], parts["index"]["state"]) == ("ok", "ok")


def more_than(outcome: LoadResult, count: int) -> bool:
    return outcome.count > count

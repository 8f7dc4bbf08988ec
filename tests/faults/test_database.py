"""Default databases that fail: papers stay readable, sessions say what is wrong, and nothing is half-written."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any  # JSON as it comes: the tests look into it freely

import pytest

from tests.faults.conftest import MakeServer
from tests.faults.disks import filled, small_disk
from tests.load import Browser, Load
from tests.server import Server, wait_for

# The server may write no file beyond this size, as on a disk that is full.
FILE_BLOCKS = 4096
FILE_BYTES = FILE_BLOCKS * 512


@pytest.fixture(scope="module")
def frail(make_server: MakeServer) -> Server:
    """A server that respects read-only files, root or not, and cannot write beyond FILE_BYTES."""
    respectful = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    wrapper = (*respectful, "sh", "-c", f'ulimit -f {FILE_BLOCKS} && exec "$@"', "sh")
    return make_server(wrapper, WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")


@contextmanager
def locked(data: Path) -> Iterator[None]:
    other = sqlite3.connect(data / "site.sqlite3")
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@contextmanager
def read_only(data: Path) -> Iterator[None]:
    files = sorted(data.glob("site.sqlite3*"))
    for path in [*files, data]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        yield
    finally:
        for path in [data, *files]:
            path.chmod(path.stat().st_mode | 0o200)


@contextmanager
def full(data: Path) -> Iterator[None]:
    """The log of changes has grown to what the server may write; a reader keeps it from being emptied."""
    reader, writer = sqlite3.connect(data / "site.sqlite3"), sqlite3.connect(data / "site.sqlite3")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM django_migrations").fetchone()
    writer.execute("CREATE TABLE ballast (content BLOB)")
    writer.execute("INSERT INTO ballast VALUES (zeroblob(?))", [FILE_BYTES])
    writer.execute("DROP TABLE ballast")
    writer.commit()
    try:
        yield
    finally:
        reader.close()
        for statement in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            writer.execute(statement)
        writer.close()


@pytest.mark.parametrize("fault", [locked, read_only, full])
def test_reading_goes_on_and_a_decision_is_refused_whole(fault: Any, frail: Server) -> None:
    assert_refused_whole(frail, fault(frail.data))


@contextmanager
def full_disk(disk: Path) -> Iterator[None]:
    """A reader keeps the log of changes from being emptied, so that the next change needs room."""
    reader = sqlite3.connect(disk / "site.sqlite3")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM django_migrations").fetchone()
    with filled(disk):
        yield
    reader.close()


def test_a_full_disk_is_told_and_borne(make_server: MakeServer, template: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 16) as disk:
        shutil.copy(template / "site.sqlite3", disk)
        url = f"sqlite:///{disk / 'site.sqlite3'}"
        server = make_server(WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0", PAPERSITE_DATABASE_URL=url)
        assert "nearly full" in hint_of(server), "16 MB are little"
        assert "nearly" not in assert_refused_whole(server, full_disk(disk))
        server.stop()


def hint_of(server: Server) -> str:
    return str(server.parts()["database"].get("hint", ""))


def assert_refused_whole(server: Server, fault: AbstractContextManager[None]) -> str:
    """What /readyz says of the database meanwhile."""
    well = hint_of(server)
    session = server.call("start_search", query="attention")
    checkpoint = session["checkpoint"]["checkpoint_id"]
    decision = {"session_id": session["session_id"], "action": "approve", "checkpoint_id": checkpoint}
    with fault:
        assert server.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
        assert server.get("/papers/123/").status_code == 200
        wait_for(lambda: hint_of(server) != well, "the probe tells")
        hint = hint_of(server)
        refused = server.call("decide", **decision)
        assert refused["error"] == "storage_unavailable"
        assert "checkpoint_id" in refused["message"]
    wait_for(lambda: hint_of(server) == well, "the database is well again")
    unchanged = server.call("get_session", session_id=session["session_id"])
    assert unchanged["checkpoint"]["checkpoint_id"] == checkpoint
    assert server.call("decide", **decision)["error"] is None
    return hint


def test_sessions_outlive_a_restart(server: Server) -> None:
    sessions: list[dict[str, Any]] = []

    def start(browser: Browser, number: int) -> None:
        sessions.append(browser.call("start_search", query=f"attention {number}"))

    def go_on(browser: Browser, number: int) -> None:
        session = sessions[number - 1]
        after = browser.call("decide", session_id=session["session_id"], action="approve")
        assert after["session_id"] == session["session_id"]
        assert after["checkpoint"]["kind"] == "result_review"

    assert Load(server.port, 8, start, count=20).start().join().errors == []
    server.restart()
    assert Load(server.port, 8, go_on, count=20).start().join().errors == []

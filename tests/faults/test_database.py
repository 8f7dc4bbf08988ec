"""Default databases that fail: papers stay readable, sessions say what is wrong, and nothing is half-written."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # JSON as it comes: the tests look into it freely

import pytest

from tests.faults.conftest import MakeServer
from tests.faults.disks import filled, small_disk
from tests.load import KeepAliveClient, Load
from tests.server import SiteServer, wait_for

# The server may write no file beyond this size, as on a disk that is full.
FILE_BLOCKS = 4096
FILE_BYTES = FILE_BLOCKS * 512


@dataclass(frozen=True)
class ConstrainedSite:
    """A server that obeys file permissions even as root and writes no file beyond FILE_BYTES; its disk."""

    server: SiteServer
    disk: Path


@pytest.fixture(scope="module")
def constrained(
    make_server: MakeServer, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ConstrainedSite]:
    capabilities = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    wrapper = (*capabilities, "sh", "-c", f'ulimit -f {FILE_BLOCKS} && exec "$@"', "sh")
    disk = tmp_path_factory.mktemp("constrained") / "disk"
    with small_disk(disk, 80):
        shutil.copy(template / "site.sqlite3", disk)
        url = f"sqlite:///{disk / 'site.sqlite3'}"
        server = make_server(wrapper, WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0", PAPERSITE_DATABASE_URL=url)
        yield ConstrainedSite(server, disk)
        server.stop()


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


@contextmanager
def full_disk(disk: Path) -> Iterator[None]:
    """A reader keeps the log of changes from being emptied, so that the next change needs room."""
    reader = sqlite3.connect(disk / "site.sqlite3")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM django_migrations").fetchone()
    try:
        with filled(disk):
            yield
    finally:
        reader.close()


@pytest.mark.parametrize("fault", [locked, read_only, full, full_disk])
def test_reading_goes_on_and_a_decision_is_refused_whole(
    fault: Callable[[Path], AbstractContextManager[None]], constrained: ConstrainedSite
) -> None:
    server = constrained.server
    session = server.call("start_search", query="attention")
    checkpoint = session["checkpoint"]["checkpoint_id"]
    decision = {"session_id": session["session_id"], "action": "approve", "checkpoint_id": checkpoint}
    with fault(constrained.disk), ThreadPoolExecutor(1) as aside:
        deciding = aside.submit(server.call, "decide", **decision)  # waits ten seconds for a lock
        assert server.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
        assert server.get("/papers/123/").status_code == 200
        wait_for(lambda: server.parts()["database"]["state"] in ("degraded", "missing"), "the probe tells")
        assert "nearly" not in server.parts()["database"]["hint"]
        refused = deciding.result()
        assert refused["error"] == "storage_unavailable"
        assert "checkpoint_id" in refused["message"]
    wait_for(lambda: server.parts()["database"]["state"] == "ok", "the database is well again")
    unchanged = server.call("get_session", session_id=session["session_id"])
    assert unchanged["checkpoint"]["checkpoint_id"] == checkpoint
    assert "error" not in server.call("decide", **decision)


def test_sessions_outlive_a_restart(server: SiteServer) -> None:
    sessions: list[dict[str, Any]] = []

    def start(client: KeepAliveClient, number: int) -> None:
        sessions.append(client.call("start_search", query=f"attention {number}"))

    def go_on(client: KeepAliveClient, number: int) -> None:
        session = sessions[number - 1]
        after = client.call("decide", session_id=session["session_id"], action="approve")
        assert after["session_id"] == session["session_id"]
        assert after["checkpoint"]["kind"] == "result_review"

    assert Load(server.port, 8, start, count=20).start().join().errors == []
    server.restart()
    assert Load(server.port, 8, go_on, count=20).start().join().errors == []

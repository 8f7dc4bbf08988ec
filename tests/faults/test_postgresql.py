"""Several hosts over one PostgreSQL, each with its own copy of the library; and a PostgreSQL that goes away."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.faults.conftest import MakeServer
from tests.faults.disks import filled, small_disk
from tests.searches import postgres
from tests.server import SiteServer, manage, wait_for


@dataclass(frozen=True)
class Hosts:
    first: SiteServer
    second: SiteServer
    database: ExitStack
    url: str
    disk: Path


@pytest.fixture(scope="module")
def hosts(make_server: MakeServer) -> Iterator[Hosts]:
    # PostgreSQL's user may not enter pytest's own folders.
    with TemporaryDirectory() as folder, small_disk(Path(folder) / "disk", 128), ExitStack() as database:
        Path(folder).chmod(0o755)
        disk = Path(folder) / "disk"
        disk.chmod(0o777)
        url = database.enter_context(postgres.server(disk))
        settings = {"WEB_CONCURRENCY": "1", "PAPERSITE_SESSION_CALLS": "0", "PAPERSITE_DATABASE_URL": url}
        first, second = make_server(**settings), make_server(**settings)
        done = manage(first.data, "migrate", "--verbosity", "0", PAPERSITE_DATABASE_URL=url)
        assert done.returncode == 0, done.stderr
        first.wait_until_up()
        second.wait_until_up()
        yield Hosts(first, second, database, url, disk)


def test_a_session_goes_on_at_another_host(hosts: Hosts) -> None:
    assert hosts.first.parts()["database"] == hosts.second.parts()["database"] == {"state": "ok"}
    session = hosts.first.call("start_search", query="attention")
    after = hosts.second.call("decide", session_id=session["session_id"], action="approve")
    assert after["checkpoint"]["kind"] == "result_review"
    found = hosts.first.call("get_session", session_id=session["session_id"], wait_seconds=1)
    assert found["checkpoint"] == after["checkpoint"]


def test_a_postgresql_that_takes_no_writes_is_told(hosts: Hosts) -> None:
    with psycopg.connect(hosts.url, autocommit=True, options="-c default_transaction_read_only=off") as operator:
        operator.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        wait_for(lambda: hosts.first.parts()["database"]["state"] == "degraded", "the probe tells")
        assert "standby" in hosts.first.parts()["database"]["hint"]
        assert hosts.first.call("start_search", query="attention")["error"] == "storage_unavailable"
        operator.execute("ALTER DATABASE postgres RESET default_transaction_read_only")
    wait_for(lambda: hosts.first.parts()["database"] == {"state": "ok"}, "the database is well again")


def test_a_postgresql_on_a_full_disk_is_told(hosts: Hosts) -> None:
    with filled(hosts.disk):
        wait_for(lambda: "disk full" in hosts.first.parts()["database"].get("hint", ""), "the probe tells")
        assert hosts.first.get("/papers/123/").status_code == 200
    wait_for(lambda: hosts.first.parts()["database"] == {"state": "ok"}, "the database is well again")


def test_without_its_database_a_host_goes_on_reading(hosts: Hosts) -> None:
    hosts.database.close()
    wait_for(lambda: hosts.first.parts()["database"]["state"] == "missing", "the probe tells")
    assert hosts.first.get("/papers/123/").status_code == 200
    assert hosts.first.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
    assert hosts.first.call("start_search", query="attention")["error"] == "storage_unavailable"

"""Several hosts over one PostgreSQL, each with its own copy of the library; and a PostgreSQL that goes away."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from tests.faults.conftest import MakeServer
from tests.searches import postgres
from tests.server import Server, manage


@dataclass(frozen=True)
class Hosts:
    first: Server
    second: Server
    database: ExitStack


@pytest.fixture(scope="module")
def hosts(make_server: MakeServer) -> Iterator[Hosts]:
    with ExitStack() as database:
        url = database.enter_context(postgres.server())
        settings = {"WEB_CONCURRENCY": "1", "PAPERSITE_SESSION_CALLS": "0", "PAPERSITE_DATABASE_URL": url}
        first, second = make_server(**settings), make_server(**settings)
        done = manage(first.data, "migrate", "--verbosity", "0", PAPERSITE_DATABASE_URL=url)
        assert done.returncode == 0, done.stderr
        first.wait_until_up()
        second.wait_until_up()
        yield Hosts(first, second, database)


def test_a_session_goes_on_at_another_host(hosts: Hosts) -> None:
    assert hosts.first.parts()["database"] == hosts.second.parts()["database"] == {"state": "ok"}
    session = hosts.first.call("start_search", query="attention")
    after = hosts.second.call("decide", session_id=session["session_id"], action="approve")
    assert after["checkpoint"]["kind"] == "result_review"
    assert hosts.first.call("get_session", session_id=session["session_id"])["checkpoint"] == after["checkpoint"]


def test_without_its_database_a_host_goes_on_reading(hosts: Hosts) -> None:
    hosts.database.close()
    assert hosts.first.parts()["database"]["state"] == "missing"
    assert hosts.first.get("/papers/123/").status_code == 200
    assert hosts.first.call("get_paper_metadata", paper_id="123")["paper_id"] == "123"
    assert hosts.first.call("start_search", query="attention")["error"] == "storage_unavailable"

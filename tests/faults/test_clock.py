"""The system's clock is set an hour ahead or back while the site runs."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paper_search.workflow.state import WorkflowState
from tests.faults.conftest import MakeServer
from tests.faults.preload import preloaded
from tests.faults.replaced_snapshots import put
from tests.server import SiteServer

HOUR = 3600


@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_whoever_is_at_work_goes_on_when_the_clock_is_set(
    seconds: int, make_server: MakeServer, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    wrapper = preloaded("set_clock", tmp_path, CLOCK_FILE=str(clock))
    server = make_server(wrapper, WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="0")
    waiting = server.call("start_search", query="attention")
    abandoned = server.call("start_search", query="memory")
    leave_to_a_dead_worker(server, abandoned["session_id"])

    put(clock, str(seconds).encode())

    decided = server.call("decide", session_id=waiting["session_id"], action="approve")
    assert decided["checkpoint"]["kind"] == "result_review"
    resumed = server.call("get_session", session_id=abandoned["session_id"], wait_seconds=20)
    assert resumed["checkpoint"]["kind"] == abandoned["checkpoint"]["kind"]


def leave_to_a_dead_worker(server: SiteServer, session_id: str) -> None:
    """As if the process that worked on the session had just been killed."""
    until = (datetime.now(UTC) + timedelta(seconds=20)).strftime("%Y-%m-%d %H:%M:%S.%f")
    state = WorkflowState(query="memory").model_dump_json()
    with sqlite3.connect(server.data / "site.sqlite3") as database:
        database.execute(
            "UPDATE searches_searchsession SET status = 'running', checkpoint_id = '', state = ?, lease = 'gone',"
            " lease_until = ? WHERE id = ?",
            [state, until, session_id],
        )
    database.close()

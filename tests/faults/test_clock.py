"""The system's clock is set an hour ahead or back while the site runs."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paper_search.workflow.state import WorkflowState
from tests.faults.conftest import MakeServer
from tests.faults.replaced_snapshots import put
from tests.server import SiteServer

# Preloaded, it adds what a file says to the clock. The monotonic clock only runs, as everywhere.
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
FLAGS = ("FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "NO_FAKE_STAT=1")
HOUR = 3600


@pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")
@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_whoever_is_at_work_goes_on_when_the_clock_is_set(
    seconds: int, make_server: MakeServer, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("+0")
    wrapper = ("env", f"LD_PRELOAD={LIBRARIES[0]}", f"FAKETIME_TIMESTAMP_FILE={clock}", *FLAGS)
    server = make_server(wrapper, WEB_CONCURRENCY="1", PAPERSITE_SESSION_CALLS="6")
    waiting = server.call("start_search", query="attention")
    abandoned = server.call("start_search", query="memory")
    leave_to_a_dead_worker(server, abandoned["session_id"])

    put(clock, f"{seconds:+d}".encode())

    decided = server.call("decide", session_id=waiting["session_id"], action="approve")
    assert decided["checkpoint"]["kind"] == "result_review"
    resumed = server.call("get_session", session_id=abandoned["session_id"], wait_seconds=20)
    assert resumed["checkpoint"]["kind"] == abandoned["checkpoint"]["kind"]
    assert f"The clock was set by {seconds}" in server.log() or f"The clock was set by {seconds - 1}" in server.log()
    outcomes = [server.call("get_session", session_id=abandoned["session_id"])["error"] for _ in range(3)]
    assert outcomes == [None, None, "rate_limited"], "the calls before count"


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

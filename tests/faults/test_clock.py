"""The system's clock is set an hour ahead or back while the site runs."""

from pathlib import Path

import pytest

from tests.faults.conftest import MakeServer
from tests.faults.preload import preloaded
from tests.faults.replaced_snapshots import put
from tests.faults.sessions import claim

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
    claim(server.data, abandoned["session_id"], 20)

    put(clock, str(seconds).encode())

    decided = server.call("decide", session_id=waiting["session_id"], action="approve")
    assert decided["checkpoint"]["kind"] == "result_review"
    resumed = server.call("get_session", session_id=abandoned["session_id"], wait_seconds=20)
    assert resumed["checkpoint"]["kind"] == abandoned["checkpoint"]["kind"]

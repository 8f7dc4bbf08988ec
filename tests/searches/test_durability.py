"""Real processes on a real database: killed at many points of a decision, and deciding all at once."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.searches import postgres

PROJECT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the processes keep their sessions."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('durability') / 'site.sqlite3'}"
        return
    with postgres.server() as address:
        yield address


def child(url: str, library: Path, *arguments: str) -> object:
    environment = {**os.environ, "PAPERSITE_DATABASE_URL": url, "PAPERSITE_SNAPSHOT": str(library)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.searches.child", *arguments],
        env=environment,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.long
def test_a_decision_survives_kill_9_at_any_point_whole_or_not_at_all(url: str, library: Path) -> None:
    """The first statements read the session, then it is decided, then the work goes on."""
    points = [str(point) for point in (1, 3, 5, 6, 7, 8, 9, 10, 12, 15, 20, 400)]
    outcomes = child(url, library, "kill", *points)
    assert isinstance(outcomes, list)
    # The databases differ in how many statements the work takes after the decision.
    assert [outcome["killed"] for outcome in outcomes[:9]] == [True] * 9
    assert not outcomes[-1]["killed"]
    assert {outcome["stored_before"] for outcome in outcomes} == {0, 1}
    for outcome in outcomes:
        assert outcome["step_before"] == outcome["stored_before"], outcome
        assert outcome["same_answer"], outcome
        assert (outcome["decisions"], outcome["step"], outcome["kind"]) == (1, 1, "result_review"), outcome


def test_a_step_that_ends_two_processes_ends_its_session_instead_of_a_third(url: str, library: Path) -> None:
    outcome = child(url, library, "poison")
    assert isinstance(outcome, dict)
    assert outcome["signals"] == [-9, -9]
    assert outcome["between"] == {"status": "running", "attempts": 2}
    assert outcome["status"] == "failed"
    assert "Start a new one" in outcome["error"]


def test_of_eight_processes_that_decide_on_the_same_sessions_one_wins_each_and_none_fails(
    url: str, library: Path
) -> None:
    count = 100 if url.startswith("sqlite") else 40
    outcome = child(url, library, "contend", str(count))
    assert outcome == {"won": count, "refused": 7 * count, "errors": [], "complete": count, "decisions": count}

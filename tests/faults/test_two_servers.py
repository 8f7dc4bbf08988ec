"""Two servers on one SQLite file: they share sessions, decisions and logins, and lose none."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any  # JSON as it comes: the tests look into it freely

import httpx
import pytest

from tests.faults.conftest import MakeServer
from tests.server import SiteServer, manage

SESSIONS = 12
LOGINS = 8
PASSWORD = "a password of the tests"


@pytest.fixture(scope="module")
def servers(make_server: MakeServer) -> tuple[SiteServer, SiteServer]:
    settings = {"WEB_CONCURRENCY": "1", "PAPERSITE_SESSION_CALLS": "0"}
    first = make_server(**settings)
    second = make_server(**settings, PAPERSITE_DATABASE_URL=f"sqlite:///{first.data / 'site.sqlite3'}")
    first.wait_until_up()
    second.wait_until_up()
    return first, second


def test_of_two_decisions_on_a_checkpoint_one_is_stored_and_the_other_hears_of_it(
    servers: tuple[SiteServer, SiteServer],
) -> None:
    """Each server starts half of the sessions; then both decide on all of them at the same time."""

    def start(number: int) -> dict[str, Any]:
        session: dict[str, Any] = servers[number % 2].call("start_search", query=f"attention {number}")
        return session

    def decide(number: int) -> str | None:
        session = sessions[number // 2]
        checkpoint = session["checkpoint"]["checkpoint_id"]
        decision = {"session_id": session["session_id"], "checkpoint_id": checkpoint, "action": "approve"}
        answer = servers[number % 2].call("decide", **decision, note=f"by server {number % 2}")
        error: str | None = answer.get("error")
        return error

    with ThreadPoolExecutor(8) as pool:
        sessions = list(pool.map(start, range(SESSIONS)))
        outcomes = list(pool.map(decide, range(2 * SESSIONS)))
    pairs = [set(outcomes[place : place + 2]) for place in range(0, len(outcomes), 2)]
    stored = decisions(servers[0])
    assert sorted(stored) == sorted(session["session_id"] for session in sessions), "one decision for each session"
    assert all(None in pair for pair in pairs), outcomes
    assert {outcome for pair in pairs for outcome in pair} <= {None, "checkpoint_busy", "no_pending_checkpoint"}


def decisions(server: SiteServer) -> list[str]:
    database = sqlite3.connect(server.data / "site.sqlite3")
    found = [row[0] for row in database.execute("SELECT session_id FROM searches_decisionrecord")]
    database.close()
    return found


def test_people_log_in_at_both_at_once_and_are_known_to_the_other(servers: tuple[SiteServer, SiteServer]) -> None:
    made = manage(
        servers[0].data,
        *("createsuperuser", "--no-input", "--username", "op", "--email", "op@example.org"),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    assert made.returncode == 0, made.stderr

    def log_in(number: int) -> tuple[int, int]:
        """The status of logging in at one server, and of a page for those who are logged in at the other."""
        here, there = servers[number % 2], servers[(number + 1) % 2]
        with httpx.Client(trust_env=False, timeout=60) as browser:
            browser.get(f"{here.address}/admin/login/")
            form = {"username": "op", "password": PASSWORD, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
            logged_in = browser.post(f"{here.address}/admin/login/", data=form)
            return logged_in.status_code, browser.get(f"{there.address}/admin/").status_code

    with ThreadPoolExecutor(LOGINS) as pool:
        assert list(pool.map(log_in, range(LOGINS))) == [(302, 200)] * LOGINS

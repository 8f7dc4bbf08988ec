"""Absurd decisions, stored sessions from before there were bounds, and sessions that nobody works on any more."""

import json
from datetime import timedelta
from typing import Any  # JSON as it is stored

import pytest
from django.test import Client
from django.utils import timezone

from paper_search.workflow.errors import InvalidDecision, UnusableState
from papercore import limits
from papercore.caller import Caller
from papercore.errors import InvalidInput
from searches import health, tools
from searches.errors import TooManySearches
from searches.models import DecisionRecord, SearchSession, Status
from searches.sessions import store, worker
from searches.sessions.clocks import Interval
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
QUERY = {"keywords": ["attention"], "boolean_query": "attention"}


def strategy(queries: int = 1, **filters: object) -> dict[str, Any]:
    return {"queries": [QUERY] * queries, "sources": ["snapshot"], "filters": filters}


def started() -> str:
    return tools.start_search("attention").session_id


@pytest.mark.parametrize(
    "data",
    [
        strategy(max_results=10**12),
        strategy(max_results=2**62),
        strategy(year_from=10**19),
        strategy(queries=limits.STRATEGY_QUERIES + 1),
        strategy(queries=9_000),
    ],
)
def test_an_absurd_edit_is_refused_and_the_session_goes_on(data: dict[str, object]) -> None:
    session_id = started()
    with pytest.raises(InvalidDecision, match="SearchStrategy"):
        tools.decide(session_id, "edit", data)
    edit = strategy(queries=limits.STRATEGY_QUERIES, max_results=limits.SEARCH_RESULTS, year_to=limits.LAST_YEAR)
    assert tools.decide(session_id, "edit", edit).current_checkpoint_kind == "result_review"


def test_the_form_takes_as_much_as_the_tool_and_refuses_more() -> None:
    page, browser = f"/searches/{started()}/decide", Client()
    edit = {"action": "edit", "src": "snapshot"}
    many = "\n".join(f"attention {number}" for number in range(limits.QUERY_KEYWORDS + 1))
    for fields, words in (
        ({"concepts": many}, "at most 20 lines"),
        ({"concepts": "x" * (limits.SYNONYM_CHARS + 1)}, "at most 100 characters"),
        ({"concepts": "x", "max": "1001"}, "At most"),
        ({"concepts": "x", "from": "10000"}, "From year"),
        ({"concepts": "x", "note": "x" * (limits.NOTE_CHARS + 1)}, "Note"),
        ({"concepts": "x", "src": ["snapshot"] * (limits.STRATEGY_SOURCES + 1)}, "Sources"),
    ):
        answer = browser.post(page, {**edit, **fields})
        assert (answer.status_code, words in answer.content.decode()) == (400, True), words
    assert not DecisionRecord.objects.exists()
    longest = {"concepts": many.rpartition("\n")[0], "max": "1000", "from": "0", "note": "\r\n" * 3 + "x" * 2_000}
    assert browser.post(page, {**edit, **longest}).status_code == 302
    finish_work()
    assert SearchSession.objects.get().status == Status.WAITING


def test_marks_of_a_form_have_bounds() -> None:
    session_id = started()
    tools.decide(session_id, "approve")
    marks = {f"paper-{number}": f"id{number}" for number in range(limits.MARKS + 1)}
    verdicts = {f"verdict-{number}": "yes" for number in range(limits.MARKS + 1)}
    answer = Client().post(f"/searches/{session_id}/decide", {"action": "approve", **marks, **verdicts})
    assert answer.status_code == 400


def stored_before_there_were_bounds(session_id: str) -> None:
    """The row that the killing call left: approved, with ten to the twelfth results to be found."""
    row = SearchSession.objects.get(pk=session_id)
    state = json.loads(row.state)
    state["strategy"]["filters"]["max_results"] = 10**12
    state.update(checkpoint=None, phase="search")
    SearchSession.objects.filter(pk=session_id).update(state=json.dumps(state), status=Status.RUNNING)


def test_a_stored_session_beyond_the_bounds_goes_on_within_them() -> None:
    session_id = started()
    stored_before_there_were_bounds(session_id)
    assert tools.get_session(session_id, 20).current_checkpoint_kind == "result_review"


def test_a_stored_session_that_cannot_be_read_ends_as_failed() -> None:
    session_id = started()
    SearchSession.objects.update(state='{"query": 3}')
    with pytest.raises(UnusableState, match="start a new one"):
        tools.get_session(session_id)
    assert Client().get(f"/searches/{session_id}/").status_code == 409
    SearchSession.objects.update(status=Status.RUNNING)
    worker.work(session_id)
    assert "cannot be read" in str(tools.get_session(session_id).error)


def test_abandoned_sessions_do_not_block_new_ones() -> None:
    abandoned = [store.create("attention", "general", 100, Caller()) for _ in range(limits.RUNNING_SEARCHES)]
    with pytest.raises(TooManySearches):
        tools.start_search("attention")
    old = timezone.now() - timedelta(seconds=store.LEASE_SECONDS + 1)
    SearchSession.objects.update(touched_at=old)
    assert tools.start_search("attention").has_pending_checkpoint
    counts = store.count_sessions()
    assert (counts.running, counts.waiting, counts.abandoned) == (0, 1, len(abandoned))


def test_sessions_with_a_worker_are_counted_however_long_they_run() -> None:
    row = store.create("attention", "general", 100, Caller())
    assert store.claim(row.pk, "worker")
    SearchSession.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    assert store.count_sessions().running == 1
    assert store.expire(SearchSession.objects.all()) == 0


def test_idle_sessions_expire_on_the_probe_and_it_shows_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        store.create("attention", "general", 100, Caller())
    SearchSession.objects.update(status=Status.WAITING, touched_at=timezone.now() - timedelta(days=15))
    store.create("attention", "general", 100, Caller())
    monkeypatch.setattr("searches.sessions.store._expiry_interval", Interval(60))
    found = health.check()
    assert (found.state, found.counts) == ("ok", {"running": 1, "waiting": 0, "abandoned": 0})
    assert SearchSession.objects.filter(status=Status.EXPIRED).count() == 3


def test_the_probe_tells_when_no_further_search_can_start() -> None:
    for _ in range(limits.RUNNING_SEARCHES):
        store.create("attention", "general", 100, Caller())
    found = health.check()
    assert (found.state, found.counts["running"]) == ("degraded", limits.RUNNING_SEARCHES)


def test_a_session_waits_while_every_worker_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    row = store.create("attention", "general", 100, Caller())
    taken = [worker._free_workers.acquire(blocking=False) for _ in range(limits.RUNNING_SEARCHES)]
    assert all(taken)
    worker.resume(row)
    row.refresh_from_db()
    assert row.lease == ""
    for _ in taken:
        worker._free_workers.release()
    assert tools.get_session(row.pk, 20).has_pending_checkpoint


@pytest.mark.parametrize("arguments", [{"query": "x", "max_results": 10**19}, {"query": "x" * 1_000_000}])
def test_an_absurd_search_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        tools.start_search(**arguments)

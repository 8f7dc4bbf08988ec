"""Workers: one per session, work that is resumed, and failures."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils import timezone

from paper_search.workflow.checkpoints import Decision, DecisionAction
from paper_search.workflow.errors import (
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotComplete,
)
from papercore.caller import Caller
from searches import tools
from searches.models import SearchSession, Status
from searches.sessions import store, worker
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
APPROVE = Decision(action=DecisionAction.approve)


def test_a_session_that_somebody_works_on_is_left_to_them() -> None:
    row = store.create("attention", "general", 100, Caller())
    assert store.claim(row.pk, "other")
    worker.work(row.pk)
    row.refresh_from_db()
    assert (row.lease, row.step) == ("other", 0)
    assert not store.decide(row, row.workflow_state, APPROVE, Caller()), "nothing waits for a decision"
    store.fail(row.pk, "nobody", "not theirs to end")
    row.refresh_from_db()
    assert row.status == Status.RUNNING


def test_a_step_whose_claim_was_lost_is_not_stored(database: Path) -> None:
    row = store.create("attention", "general", 100, Caller())
    other = sqlite3.connect(database, check_same_thread=False)

    def steal_claim(execute: Callable[..., object], sql: str, *more: object) -> object:
        if sql.startswith("BEGIN"):
            other.execute("UPDATE searches_searchsession SET lease = 'other'")
            other.commit()
        return execute(sql, *more)

    def watch(connection: BaseDatabaseWrapper, **_: object) -> None:
        connection.execute_wrappers.append(steal_claim)

    connection_created.connect(watch)
    worker.resume(row)
    finish_work()
    connection_created.disconnect(watch)
    other.close()
    row.refresh_from_db()
    assert (row.status, row.lease) == (Status.RUNNING, "other")


@pytest.mark.parametrize(
    "lasts", [timedelta(seconds=-1), pytest.param(timedelta(hours=1), id="claimed before the clock was set back")]
)
def test_work_that_was_cut_off_is_resumed_by_whoever_looks(lasts: timedelta) -> None:
    """The row of a process that died after a decision, in the middle of the search."""
    session_id = tools.start_search("attention").session_id
    row = SearchSession.objects.get()
    after = worker.workflow(row).decide(row.workflow_state, APPROVE)
    assert store.decide(row, after, APPROVE, Caller())
    SearchSession.objects.update(lease="a worker that is gone", lease_until=timezone.now() + lasts)
    seen = tools.get_session(session_id, 20)
    assert seen.current_checkpoint_kind == "result_review"


def test_work_that_goes_on_elsewhere_is_left_alone() -> None:
    row = store.create("attention", "general", 100, Caller())
    assert store.claim(row.pk, "first")
    assert store.claim(row.pk, "second") is None
    assert store.claim(row.pk, "first")
    assert not store.save_step(row.pk, "second", row.workflow_state)
    assert not store.renew(row.pk, "second", {})
    assert store.renew(row.pk, "first", {"snapshot": {"count": 3, "error": None}})
    state = tools.get_session(row.pk)
    assert not state.has_pending_checkpoint
    assert not state.is_complete
    with pytest.raises(NoPendingCheckpoint, match="No pending checkpoint"):
        tools.decide(row.pk, "approve")


def test_a_failure_ends_the_session_and_shows_no_details(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPER_SEARCH_DOMAIN", "general")
    row = store.create("attention", "general", 100, Caller())
    SearchSession.objects.filter(pk=row.pk).update(domain="no such domain")
    worker.work(row.pk)
    assert tools.get_session(row.pk).error == worker.FAILED
    with pytest.raises(SessionComplete) as caught:
        tools.decide(row.pk, "approve")
    assert caught.value.details["reason"] == worker.FAILED
    with pytest.raises(SessionNotComplete, match="failed"):
        tools.export_results(row.pk)

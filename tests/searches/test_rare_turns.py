"""Turns that sessions seldom take: claims that are lost, answers that are not there yet, decisions that come late."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import Client
from django.utils import timezone

from paper_search.models import Paper
from paper_search.workflow.checkpoints import Decision, DecisionAction
from papercore import limits
from searches import runner, store, tools
from searches.caller import Caller
from searches.models import DecisionRecord, SearchSession, Status
from searches.page import paper_address
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
APPROVE = Decision(action=DecisionAction.approve)


def test_a_session_that_somebody_works_on_is_left_to_them() -> None:
    row = store.create("attention", "general", 100, Caller())
    assert store.claim(row.pk, "other")
    runner.work(row.pk)
    row.refresh_from_db()
    assert (row.lease, row.step) == ("other", 0)
    assert not store.decide(row, row.workflow_state, APPROVE, Caller()), "nothing waits for a decision"
    store.fail(row.pk, "nobody", "not theirs to end")
    row.refresh_from_db()
    assert row.status == Status.RUNNING


def test_a_step_whose_claim_was_lost_is_not_stored(database: Path) -> None:
    row = store.create("attention", "general", 100, Caller())
    other = sqlite3.connect(database, check_same_thread=False)

    def take_it_away(execute: Callable[..., object], sql: str, *more: object) -> object:
        if sql.startswith("BEGIN"):
            other.execute("UPDATE searches_searchsession SET lease = 'other'")
            other.commit()
        return execute(sql, *more)

    def watch(connection: BaseDatabaseWrapper, **_: object) -> None:
        connection.execute_wrappers.append(take_it_away)

    connection_created.connect(watch)
    runner.resume(row)
    finish_work()
    connection_created.disconnect(watch)
    other.close()
    row.refresh_from_db()
    assert (row.status, row.lease) == (Status.RUNNING, "other")


def test_a_repeated_decision_whose_work_goes_on_gets_the_state_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tools.start_search("attention")
    checkpoint = SearchSession.objects.get(pk=first.session_id).checkpoint_id
    tools.decide(first.session_id, "approve", checkpoint_id=checkpoint)
    finish_work()
    until = timezone.now() + timedelta(hours=1)
    DecisionRecord.objects.update(answer="")
    SearchSession.objects.update(status=Status.RUNNING, lease="other", lease_until=until)
    monkeypatch.setattr(limits, "SESSION_WAIT_SECONDS", 0)
    again = tools.decide(first.session_id, "approve", checkpoint_id=checkpoint)
    assert again.session_id == first.session_id


def test_a_decision_in_the_browser_that_comes_too_late_or_says_too_little_is_explained(client: Client) -> None:
    session = tools.start_search("attention").session_id
    page = f"/searches/{session}/decide"
    tools.decide(session, "approve")
    finish_work()
    checkpoint = SearchSession.objects.get(pk=session).checkpoint_id
    answer = client.post(page, {"action": "reject", "checkpoint_id": checkpoint})
    assert "Write a note" in answer.content.decode()
    tools.decide(session, "approve")
    finish_work()
    late = client.post(page, {"action": "approve", "checkpoint_id": checkpoint})
    assert "Somebody else has decided already" in late.content.decode()


def test_a_paper_is_read_here_or_at_its_doi_or_where_it_was_found() -> None:
    paper = Paper(id="openalex:W1", title="One", source="openalex")
    assert paper_address(paper) == ""
    assert paper_address(paper.model_copy(update={"doi": "10.1/x"})) == "https://doi.org/10.1/x"
    assert paper_address(paper.model_copy(update={"source": "snapshot", "id": "123"})) == "/papers/123/"

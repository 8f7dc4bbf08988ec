"""Sessions in the database: the same promises as in memory, and those that only rows can keep."""

import json
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from paper_search.models import PaperCollection
from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import make_decision
from paper_search.workflow.errors import (
    CheckpointUnseen,
    InvalidDecision,
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotComplete,
    SessionNotFound,
)
from paper_search.workflow.session_state import ResultSummary, SessionState
from papercore import limits
from papercore.caller import Caller, calling
from papercore.errors import InvalidInput, ToolError
from papersite.command.commands import call_command
from searches import tools
from searches.errors import AlreadyDecided, KeyReused, SessionExpired, TooManySearches, TooManyWaiting
from searches.models import DecisionRecord, SearchSession, Status
from searches.sessions import lifecycle, store
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
QUESTION = "attention in transformers since 2015"


def start() -> SessionState:
    state = tools.start_search(QUESTION)
    assert state.has_pending_checkpoint
    return state


def pending(state: SessionState) -> str:
    assert state.checkpoint is not None
    return state.checkpoint.checkpoint_id


def test_a_session_goes_from_question_to_export() -> None:
    state = start()
    assert state.current_checkpoint_kind == "strategy_confirmation"
    assert state.page == f"/searches/{state.session_id}/"
    state = tools.decide(state.session_id, "approve")
    assert state.current_checkpoint_kind == "result_review"
    assert state.sources["snapshot"].count >= 1
    assert state.checkpoint is not None
    assert isinstance(state.checkpoint.payload, ResultSummary)
    assert state.checkpoint.payload.papers[0].title == "Attention Is All You Need"
    state = tools.decide(state.session_id, "approve")
    assert state.is_complete
    assert state.result is not None
    export = tools.export_results(state.session_id, "json")
    collection = PaperCollection.model_validate_json(export.text)
    assert export.paper_count == len(collection.papers) == state.result.paper_count
    assert tools.export_results(state.session_id).text.startswith("| # | Title |")
    assert tools.export_results(state.session_id, "bibtex").text.startswith("@inproceedings{vaswani2017attention")
    assert tools.get_session(state.session_id) == state


def test_feedback_starts_another_round_that_keeps_what_was_marked() -> None:
    state = tools.decide(start().session_id, "approve")
    assert state.checkpoint is not None
    assert isinstance(state.checkpoint.payload, ResultSummary)
    kept = state.checkpoint.payload.papers[-1].id
    state = tools.decide(state.session_id, "edit", {"marked_relevant": [kept]}, note="no attention")
    assert (state.iteration, state.step) == (1, 2)
    tools.decide(state.session_id, "approve")
    tools.decide(state.session_id, "approve")
    papers = json.loads(tools.export_results(state.session_id, "json").text)["papers"]
    assert kept in [paper["id"] for paper in papers]
    assert [record.action for record in DecisionRecord.objects.all()] == ["approve", "approve", "edit", "approve"]


def test_control_characters_in_notes_strategies_and_feedback_are_not_stored() -> None:
    state = start()
    query = {"keywords": ["atten\0tion"], "boolean_query": "atten\x1btion"}
    strategy = {"queries": [query], "sources": ["snapshot"], "filters": {"language": "e\x9bn"}}
    state = tools.decide(state.session_id, "edit", strategy, note="narrow\x07er\nplease")
    tools.decide(state.session_id, "reject", {"free_text_feedback": "more\ud800", "prefer": ["a\0b"]}, "no\0")
    first, second = DecisionRecord.objects.order_by("pk")
    assert first.note == "narrow er\nplease"
    assert first.data == {
        "queries": [{"keywords": ["atten tion"], "boolean_query": "atten tion"}],
        "sources": ["snapshot"],
        "filters": {"language": "e n"},
    }
    assert (second.data, second.note) == ({"free_text_feedback": "more ", "prefer": ["a b"]}, "no ")
    stored = SearchSession.objects.get().state
    assert not any(sign in stored for sign in ("\\u0000", "\\u001b", "\x9b", "\\ud800"))


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("decide", {"session_id": "0" * 32, "action": "approve"}, SessionNotFound, "Session not found"),
        ("get_session", {"session_id": "0" * 32}, SessionNotFound, "Session not found"),
        ("decide", {"action": "accept"}, InvalidInput, "action"),
        ("decide", {"action": "edit"}, InvalidDecision, "edit requires revised data"),
        ("decide", {"action": "edit", "data": {"queries": 3}}, InvalidDecision, "not a SearchStrategy"),
        ("decide", {"action": "approve", "checkpoint_id": "other"}, NoPendingCheckpoint, "No pending checkpoint"),
        ("export_results", {}, SessionNotComplete, "Session not complete"),
        ("export_results", {"format": "docx"}, InvalidInput, "json"),
        ("get_session", {"wait_seconds": 26}, InvalidInput, "wait_seconds"),
        ("start_search", {"query": "x" * 501}, InvalidInput, "query"),
        ("start_search", {"query": "  "}, InvalidInput, "query"),
        ("start_search", {"query": "x", "domain": "alchemy"}, InvalidInput, "domain"),
        ("start_search", {"query": "x", "max_results": 0}, InvalidInput, "max_results"),
    ],
)
def test_a_refused_call_leaves_everything_as_it_was(
    name: str, arguments: dict[str, object], error: type[ToolError], words: str
) -> None:
    state = start()
    target = {} if name == "start_search" else {"session_id": state.session_id}
    with pytest.raises(error, match=words):
        getattr(tools, name)(**{**target, **arguments})
    assert tools.get_session(state.session_id) == state
    assert SearchSession.objects.count() == 1


def test_the_same_decision_again_gets_the_same_answer_and_counts_once() -> None:
    state = start()
    first = tools.decide(state.session_id, "approve", checkpoint_id=pending(state))
    later = tools.decide(state.session_id, "approve")
    assert later.is_complete
    again = tools.decide(state.session_id, "approve", checkpoint_id=pending(state))
    assert again == first
    assert DecisionRecord.objects.count() == 2


def test_a_repeated_decision_whose_work_goes_on_gets_the_state_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tools.start_search("attention")
    checkpoint = SearchSession.objects.get(pk=first.session_id).checkpoint_id
    tools.decide(first.session_id, "approve", checkpoint_id=checkpoint)
    finish_work()
    until = timezone.now() + timedelta(seconds=store.LEASE_SECONDS)
    DecisionRecord.objects.update(answer="")
    SearchSession.objects.update(status=Status.RUNNING, lease="other", lease_until=until)
    monkeypatch.setattr(limits, "SESSION_WAIT_SECONDS", 0)
    again = tools.decide(first.session_id, "approve", checkpoint_id=checkpoint)
    assert (again.step, again.current_checkpoint_kind) == (1, "result_review")


def test_another_decision_on_a_decided_checkpoint_learns_who_was_first() -> None:
    state = start()
    with calling(Caller("person")):
        tools.decide(state.session_id, "reject", note="only reviews", checkpoint_id=pending(state))
    with pytest.raises(AlreadyDecided, match="checkpoint already being processed") as caught:
        tools.decide(state.session_id, "approve", checkpoint_id=pending(state))
    assert caught.value.details["decided_by"] == "person"
    assert caught.value.details["action"] == "reject"


def test_a_complete_session_takes_no_decision() -> None:
    session_id = start().session_id
    tools.decide(session_id, "approve")
    tools.decide(session_id, "approve")
    with pytest.raises(SessionComplete, match="Session already complete"):
        tools.decide(session_id, "approve")


def test_waiting_returns_at_once_when_a_decision_is_pending() -> None:
    state = start()
    started = time.monotonic()
    assert tools.get_session(state.session_id, 20) == state
    assert time.monotonic() - started < 10


def test_a_decision_without_id_never_decides_a_checkpoint_that_nobody_was_shown() -> None:
    state = start()
    with calling(Caller("person")):
        row = store.find(state.session_id, Caller())
        lifecycle.decide(row, make_decision("approve", None, None), pending(state))
    finish_work()
    # The next checkpoint is pending, and no answer has shown it: this call was sent for the first one.
    with pytest.raises(CheckpointUnseen) as caught:
        tools.decide(state.session_id, "reject", note="meant for the strategy")
    seen = tools.get_session(state.session_id)
    assert caught.value.details["pending_checkpoint_id"] == pending(seen)
    assert seen.current_checkpoint_kind == "result_review"
    assert tools.decide(state.session_id, "approve").is_complete


def test_a_repeated_start_with_the_same_key_is_the_same_session() -> None:
    first = tools.start_search(QUESTION, idempotency_key="mine")
    assert tools.start_search(QUESTION, idempotency_key="mine") == first
    with pytest.raises(KeyReused):
        tools.start_search("something else", idempotency_key="mine")
    with calling(Caller(key="token:other")):
        assert tools.start_search(QUESTION, idempotency_key="mine").session_id != first.session_id
    assert SearchSession.objects.count() == 2


def test_a_failed_search_is_a_state_that_says_why() -> None:
    state = start()
    SearchSession.objects.update(status=Status.FAILED, error="The disk is full.")
    seen = tools.get_session(state.session_id)
    assert (seen.error, seen.is_complete, seen.has_pending_checkpoint) == ("The disk is full.", True, False)


def test_a_search_that_has_ended_is_taken_up_again_with_its_plan_and_marks() -> None:
    first = tools.start_search(QUESTION, plan=SearchPlan(concepts=[["attention"]], year_from=2015))
    finish_work()
    tools.decide(first.session_id, "approve")
    finish_work()
    papers = tools.get_session(first.session_id).checkpoint
    assert papers is not None
    assert isinstance(papers.payload, ResultSummary)
    tools.decide(first.session_id, "approve", {"like": [papers.payload.papers[0].id]})
    again = tools.start_search("something else", again=first.session_id)
    finish_work()
    assert tools.get_session(again.session_id).query == QUESTION
    state = SearchSession.objects.get(pk=again.session_id).workflow_state
    assert state.intent is not None
    assert (state.intent.concepts, state.intent.constraints.year_from) == (["attention"], 2015)
    assert state.intent.constraints.like_papers == [papers.payload.papers[0].id]
    assert [paper.id for paper in state.kept] == state.intent.constraints.like_papers


def test_an_idle_session_expires_when_it_is_looked_at() -> None:
    state = start()
    SearchSession.objects.update(touched_at=timezone.now() - timedelta(days=14))
    seen = tools.get_session(state.session_id)
    assert seen.is_complete
    assert seen.error
    with pytest.raises(SessionExpired, match="Session expired"):
        tools.decide(state.session_id, "approve")


def test_the_command_expires_idle_sessions_and_deletes_old_ones(capsys: pytest.CaptureFixture[str]) -> None:
    kept, idle, old = (store.create(QUESTION, "general", 100, Caller()) for _ in range(3))
    SearchSession.objects.filter(pk=idle.pk).update(touched_at=timezone.now() - timedelta(days=15))
    SearchSession.objects.filter(pk=old.pk).update(
        touched_at=timezone.now() - timedelta(days=91), status=Status.COMPLETE
    )
    call_command("expire_sessions")
    assert capsys.readouterr().out == "1 expired, 1 deleted.\n"
    assert set(SearchSession.objects.values_list("pk", "status")) == {(kept.pk, "running"), (idle.pk, "expired")}


def test_a_session_started_with_a_token_is_that_tokens() -> None:
    with calling(Caller(key="token:one")):
        session_id = start().session_id
    for stranger in (Caller(), Caller(key="token:two"), Caller("person")):
        with calling(stranger), pytest.raises(SessionNotFound):
            tools.get_session(session_id)
        with calling(stranger), pytest.raises(SessionNotFound):
            tools.decide(session_id, "approve")
    with calling(Caller("person", account="owner")):
        assert tools.decide(session_id, "approve").step == 1


def test_ids_are_128_random_bits() -> None:
    first, second = start().session_id, start().session_id
    assert len(first) == len(second) == 32
    assert first != second


def test_too_many_running_searches_are_refused() -> None:
    rows = [SearchSession(query="x", state="{}") for _ in range(20)]
    SearchSession.objects.bulk_create(rows)
    with pytest.raises(TooManySearches):
        tools.start_search(QUESTION)


def test_failed_sources_are_reported_and_the_others_count(monkeypatch: pytest.MonkeyPatch, library: Path) -> None:
    monkeypatch.setenv("PAPER_SEARCH_SOURCES", "snapshot,serpapi")
    state = tools.decide(start().session_id, "approve")
    assert state.sources["serpapi"].error == "needs an API key"
    assert state.sources["snapshot"].count > 0


def test_threads_that_decide_at_once_have_one_winner() -> None:
    state = start()
    outcomes: list[str] = []

    def decide(note: str) -> None:
        try:
            tools.decide(state.session_id, "approve", note=note, checkpoint_id=pending(state))
            outcomes.append("won")
        except AlreadyDecided:
            outcomes.append("refused")

    threads = [threading.Thread(target=decide, args=[str(number)], name=f"search {number}") for number in range(6)]
    for thread in threads:
        thread.start()
    finish_work()
    assert sorted(outcomes) == ["refused"] * 5 + ["won"]
    assert DecisionRecord.objects.count() == 1


def test_calls_of_a_request_that_has_waited_long_enough_wait_no_more() -> None:
    state = start()
    with calling(Caller(address="192.0.2.1", waits_until=0)):
        assert tools.get_session(state.session_id) == tools.get_session(state.session_id)
        until = timezone.now() + timedelta(seconds=store.LEASE_SECONDS)
        SearchSession.objects.update(status=Status.RUNNING, lease="other", lease_until=until)
        with pytest.raises(TooManyWaiting, match="without wait_seconds"):
            tools.get_session(state.session_id, wait_seconds=25)


@pytest.mark.parametrize("form", ["json", "bibtex", "ris"])
def test_a_long_export_comes_in_parts_that_hold_every_paper_once(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session_id = tools.start_search("attention memory segmentation notes", max_results=50).session_id
    tools.decide(session_id, "approve")
    tools.decide(session_id, "approve")
    whole = tools.export_results(session_id, form)  # type: ignore[arg-type]  # one of the formats
    assert (whole.next_offset, whole.paper_count > 2) == (None, True)
    monkeypatch.setattr(limits, "TEXT_CHARS", len(whole.text) // 2)
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        part = tools.export_results(session_id, form, offset=offset)  # type: ignore[arg-type]  # as above
        parts.append(part.text)
        offset = part.next_offset
    assert len(parts) > 1
    if form == "json":
        papers = [paper["id"] for text in parts for paper in json.loads(text)["papers"]]
        assert papers == [paper["id"] for paper in json.loads(whole.text)["papers"]]
    else:
        assert sum(text.count("Attention Is All You Need") for text in parts) == whole.text.count(
            "Attention Is All You Need"
        )

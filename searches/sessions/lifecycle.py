"""What agents and people do with sessions: create, decide, wait, take the result. Tools and views call it."""

import time
from collections.abc import Iterator
from itertools import count

from django.db import IntegrityError
from django.urls import reverse

from paper_search.models import PaperCollection
from paper_search.plan import SearchPlan, plan_for
from paper_search.workflow.checkpoints import Decision
from paper_search.workflow.decisions import apply_decision
from paper_search.workflow.errors import (
    UNSEEN,
    CheckpointUnseen,
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotComplete,
)
from paper_search.workflow.session_state import ReviewPage, SessionState, session_state
from paper_search.workflow.state import WorkflowState
from papercore import caller, limits
from papercore.errors import InvalidInput
from searches.errors import AlreadyDecided, KeyReused, SessionExpired, TooManySearches
from searches.models import DecisionRecord, SearchSession, Status
from searches.sessions import marks, store, worker

# Between two looks: often enough that nobody notices the delay. Whoever has waited for long looks less often, because
# a look takes a millisecond, and a worker may have 24 calls that wait for people.
POLL_SECONDS = 0.1
LONGEST_POLL_SECONDS = 0.5
POLLS_BETWEEN_RESUMES = 10
EXPIRED = "The session expired: nobody decided in time. It can be taken up again, with its plan and marks."


def create(
    query: str,
    domain: str,
    max_results: int,
    idempotency_key: str | None = None,
    given_plan: SearchPlan | None = None,
    again: str | None = None,
) -> SearchSession:
    """A new session that is being worked on; ConfigError if the site's configuration cannot be used.

    With a key that the caller has used before it is the session that was started then. `again` is a session that has
    ended: the new one has its question and plan, unless another is given, and its marks.
    """
    config = worker.session_config(domain, max_results)
    if not query.strip():
        raise InvalidInput("query: must not be blank")
    taken_up = store.find(again, caller.current()) if again else None
    earlier = taken_up.workflow_state if taken_up else None
    if taken_up and not given_plan:
        query = taken_up.query  # what its plan is searched for
    plan = plan_for(given_plan, config) if given_plan else _plan_of(earlier) if earlier else None
    if idempotency_key and (started := store.started_with(idempotency_key, caller.current())):
        return _same_search(started, query, domain, max_results, plan)
    if store.count_sessions().running >= limits.RUNNING_SEARCHES:
        raise TooManySearches("Too many searches are running; try again in a minute.")
    try:
        row = store.create(query, domain, max_results, caller.current(), idempotency_key, plan, earlier)
    except IntegrityError:
        # Another call with the same key came in between.
        started = store.started_with(idempotency_key or "", caller.current())
        if started is None:
            raise
        return _same_search(started, query, domain, max_results, plan)
    worker.resume(row)
    return row


def _plan_of(state: WorkflowState) -> SearchPlan | None:
    """What an earlier session looked for in the end."""
    if state.intent is None:
        return state.plan
    return SearchPlan.of(state.intent, state.strategy.sources if state.strategy else [])


def _same_search(
    row: SearchSession, query: str, domain: str, max_results: int, plan: SearchPlan | None
) -> SearchSession:
    if (row.query, row.domain, row.max_results, row.workflow_state.plan) != (query, domain, max_results, plan):
        raise KeyReused("idempotency_key: it was used for another search; send a new one.", session_id=row.pk)
    worker.resume(row)
    return row


def decide(row: SearchSession, decision: Decision, checkpoint_id: str | None) -> str:
    """Store the decision and resume the work; the id of the checkpoint it was for."""
    _check_pending(row, checkpoint_id)
    if not checkpoint_id and row.step and not row.checkpoint_was_shown:
        raise CheckpointUnseen(UNSEEN, pending_checkpoint_id=row.checkpoint_id)
    decided = row.checkpoint_id
    state = row.workflow_state
    after = apply_decision(state, marks.with_saved_marks(row, state, decision))
    if not store.decide(row, after, decision, caller.current()):
        raise _already_decided(row, row.decisions.filter(checkpoint_id=decided).first())
    row.refresh_from_db()
    worker.resume(row)
    return decided


def repeat_decision(row: SearchSession, earlier: DecisionRecord, decision: Decision, seconds: float) -> SessionState:
    """The answer that the same decision got before; a different decision is too late."""
    same = (decision.action, decision.model_dump(mode="json")["revised_data"], decision.note or "")
    if (earlier.action, earlier.data, earlier.note) != same:
        raise _already_decided(row, earlier)
    worker.resume(row)
    for _ in _polls(row.pk, seconds):
        earlier.refresh_from_db(fields=["answer"])
        if earlier.answer:
            row.refresh_from_db()
            store.note_shown(row)
            return _with_page(SessionState.model_validate_json(earlier.answer))
    row.refresh_from_db()
    return state_of(row)


def result_of(session_id: str, include_unsure: bool = False) -> PaperCollection:
    """The papers of a session that is complete; SessionNotComplete if it is not, or failed."""
    row = store.find(session_id, caller.current())
    if row.status == Status.FAILED:
        raise SessionNotComplete(row.error, session_id=session_id)
    state = row.workflow_state
    result = state.result_with_unsure if include_unsure else state.result
    if result is None or row.status != Status.COMPLETE:
        raise SessionNotComplete("Session not complete", session_id=session_id, status=row.status)
    return result


def state_of(row: SearchSession, offset: int = 0, *, passages: bool = False) -> SessionState:
    """What a caller is shown; from now on a decision without checkpoint_id may be meant for its checkpoint."""
    store.note_shown(row)
    expired = EXPIRED if row.status == Status.EXPIRED else None
    page = ReviewPage(offset, passages, marks.saved(row) if row.status == Status.WAITING else {})
    return _with_page(session_state(row.pk, row.workflow_state, row.error or expired, page))


def state_after(session_id: str, checkpoint_id: str, seconds: float, offset: int = 0) -> SessionState:
    """The state once the session has left this checkpoint and pauses again, or when the time is up."""
    for row in _polls(session_id, seconds):
        if row.status != Status.RUNNING and (row.status != Status.WAITING or row.checkpoint_id != checkpoint_id):
            break
    return state_of(SearchSession.objects.get(pk=session_id), offset)


def _polls(session_id: str, seconds: float) -> Iterator[SearchSession]:
    """The session again and again until the time is up; work that nobody does any more is resumed."""
    began = time.monotonic()
    for number in count(1):
        row = SearchSession.objects.defer("state").get(pk=session_id)
        yield row
        waited = time.monotonic() - began
        if waited >= seconds or caller.current().has_hung_up():
            return
        if number % POLLS_BETWEEN_RESUMES == 0:
            worker.resume(row)
        time.sleep(min(max(POLL_SECONDS, waited / 10), LONGEST_POLL_SECONDS))


def _with_page(state: SessionState) -> SessionState:
    """Adds the address where a person can decide; without the site's own where that is not known."""
    page = reverse("search-session", args=[state.session_id])
    return state.model_copy(update={"page": f"{caller.current().site}{page}"})


def _check_pending(row: SearchSession, checkpoint_id: str | None) -> None:
    """Raise an error that says why the session takes no decision, if it takes none."""
    if row.status == Status.EXPIRED:
        raise SessionExpired("Session expired: nobody decided in time", session_id=row.pk)
    if row.status in (Status.COMPLETE, Status.FAILED):
        reason = {"reason": row.error} if row.error else {}
        raise SessionComplete("Session already complete", session_id=row.pk, **reason)
    if row.status == Status.RUNNING:
        latest = row.decisions.first()
        raise (
            _already_decided(row, latest) if latest else NoPendingCheckpoint("No pending checkpoint", session_id=row.pk)
        )
    if checkpoint_id and checkpoint_id != row.checkpoint_id:
        raise NoPendingCheckpoint("No pending checkpoint with this id", pending_checkpoint_id=row.checkpoint_id)


def _already_decided(row: SearchSession, winner: DecisionRecord | None) -> AlreadyDecided:
    details = {"decided_by": winner.decided_by, "action": winner.action, "note": winner.note} if winner else {}
    return AlreadyDecided("checkpoint already being processed", session_id=row.pk, **details)

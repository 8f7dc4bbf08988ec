"""Tools of search sessions: start one, decide at its checkpoints, wait for others, export what came out."""

import time
from collections.abc import Iterator
from itertools import count
from typing import Annotated, Literal

from pydantic import Field

from paper_search.export import EXPORT_FORMATS, ToolFormat
from paper_search.models import PaperCollection
from paper_search.workflow.checkpoints import Decision, DecisionAction
from paper_search.workflow.errors import (
    NoPendingCheckpoint,
    SessionComplete,
    SessionNotComplete,
)
from paper_search.workflow.session_state import SessionState, session_state
from papercore import limits
from papercore.errors import InvalidInput
from searches import caller, runner, store
from searches.errors import AlreadyDecided, SessionExpired, TooManySearches
from searches.models import DecisionRecord, SearchSession, Status
from searches.schemas import Export
from searches.session_tool import session_tool

Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.QUERY_CHARS,
        description="The question in plain words; years, a language and a number of papers are understood.",
    ),
]
DomainName = Annotated[
    Literal["general", "materials_science", "computer_science", "medicine", "biology", "chemistry", "physics"],
    Field(description="Narrows the sources and the scoring to one field."),
]
MaxResults = Annotated[int, Field(ge=1, le=1000, description="Keep at most this many papers.")]
SessionId = Annotated[str, Field(min_length=1, max_length=limits.ID_CHARS, description="The session's id.")]
Action = Annotated[
    Literal["approve", "edit", "reject"],
    Field(description="approve goes on; edit goes on with your data; reject starts another round with your note."),
]
Data = Annotated[
    dict[str, object] | None,
    Field(
        description="For edit: a SearchStrategy {queries, sources, filters} at strategy_confirmation; a UserFeedback "
        "{marked_relevant, marked_irrelevant, free_text_feedback} at result_review."
    ),
]
Note = Annotated[str | None, Field(max_length=2000, description="Why; it steers the next round.")]
CheckpointId = Annotated[
    str | None,
    Field(max_length=limits.ID_CHARS, description="The checkpoint that is meant; makes a repeated call harmless."),
]
WaitSeconds = Annotated[
    float,
    Field(ge=0, le=limits.SESSION_WAIT_SECONDS, description="Wait so long for the next checkpoint or the end."),
]
# Looking for a change this often costs next to nothing, and nobody notices the delay.
LOOK_SECONDS = 0.1
LOOKS_BETWEEN_TAKING_UP = 10


@session_tool
def start_search(query: Query, domain: DomainName = "general", max_results: MaxResults = 100) -> SessionState:
    """Start a literature search in steps, over the local library and the sources that are configured.

    Returns a session with its first checkpoint: the search strategy, which you decide on with `decide`, or a person in
    the browser at the address in `page`. A search that takes longer returns its running state: call `get_session`
    with `wait_seconds`.
    """
    return _state_after(begin(query, domain, max_results).pk, "", limits.SESSION_WAIT_SECONDS)


@session_tool
def decide(
    session_id: SessionId,
    action: Action,
    data: Data = None,
    note: Note = None,
    checkpoint_id: CheckpointId = None,
) -> SessionState:
    """Decide on the pending checkpoint of a search session; returns the next checkpoint or the result.

    Whoever decides first wins: if a person was faster, the error says what was decided. Send `checkpoint_id` so that a
    repeated call is harmless.
    """
    row = store.find(session_id, caller.current())
    decision = Decision(action=DecisionAction(action), revised_data=data, note=note)
    if checkpoint_id and (earlier := row.decisions.filter(checkpoint_id=checkpoint_id).first()):
        return _repeated(row, earlier, decision)
    decided = settle(row, decision, checkpoint_id)
    return _state_after(row.pk, decided, limits.SESSION_WAIT_SECONDS)


@session_tool
def get_session(session_id: SessionId, wait_seconds: WaitSeconds = 0) -> SessionState:
    """Return the state of a search session: pending checkpoint, sources, result or error.

    With `wait_seconds` the call returns as soon as there is something new to decide or the session has ended: so you
    can wait for a person to decide without asking again and again.
    """
    row = store.find(session_id, caller.current())
    store.touch(row)
    runner.take_up(row)
    return _state_after(row.pk, row.checkpoint_id, wait_seconds) if wait_seconds else _state(row)


@session_tool
def export_results(session_id: SessionId, format: ToolFormat = "markdown") -> Export:  # noqa: A002 (its name)
    """Export the papers of a completed search session as json, bibtex or markdown."""
    collection = completed(session_id)
    return Export(
        session_id=session_id,
        format=format,
        paper_count=len(collection.papers),
        text=EXPORT_FORMATS[format].export(collection),
    )


def begin(query: str, domain: str, max_results: int) -> SearchSession:
    """A new session that is being worked on; ConfigError if the site's configuration cannot be used."""
    runner.config(domain, max_results)
    if not query.strip():
        raise InvalidInput("query: must not be blank")
    if SearchSession.objects.filter(status=Status.RUNNING).count() >= limits.RUNNING_SEARCHES:
        raise TooManySearches("Too many searches are running; try again in a minute.")
    row = store.create(query, domain, max_results, caller.current())
    runner.take_up(row)
    return row


def settle(row: SearchSession, decision: Decision, checkpoint_id: str | None) -> str:
    """Store the decision and let the work go on; which checkpoint it settled, or an error that says why none."""
    _check_waiting(row, checkpoint_id)
    decided = row.checkpoint_id
    after = runner.workflow(row).decide(row.workflow_state, decision)
    if not store.decide(row, after, decision, caller.current()):
        raise _told(row, row.decisions.filter(checkpoint_id=decided).first())
    row.refresh_from_db()
    runner.take_up(row)
    return decided


def completed(session_id: str) -> PaperCollection:
    """The result of a session that has ended well."""
    row = store.find(session_id, caller.current())
    if row.status == Status.FAILED:
        raise SessionNotComplete(row.error, session_id=session_id)
    result = row.workflow_state.result if row.status == Status.COMPLETE else None
    if result is None:
        raise SessionNotComplete("Session not complete", session_id=session_id, status=row.status)
    return result


def _state(row: SearchSession) -> SessionState:
    expired = "The session expired: nobody decided for half an hour." if row.status == Status.EXPIRED else None
    return _with_page(session_state(row.pk, row.workflow_state, row.error or expired))


def _with_page(state: SessionState) -> SessionState:
    """With the address where a person can decide: whole if the caller's way to the site is known."""
    return state.model_copy(update={"page": f"{caller.current().site}/searches/{state.session_id}/"})


def _state_after(session_id: str, decided: str, seconds: float) -> SessionState:
    """The state once the session pauses at another checkpoint than `decided`, or when the time is up."""
    for row in _looks(session_id, seconds):
        if row.status != Status.RUNNING and (row.status != Status.WAITING or row.checkpoint_id != decided):
            break
    return _state(SearchSession.objects.get(pk=session_id))


def _looks(session_id: str, seconds: float) -> Iterator[SearchSession]:
    """The session again and again until the time is up; work that nobody does any more is taken up."""
    deadline = time.monotonic() + seconds
    for number in count(1):
        row = SearchSession.objects.defer("state").get(pk=session_id)
        yield row
        if time.monotonic() >= deadline:
            return
        if number % LOOKS_BETWEEN_TAKING_UP == 0:
            runner.take_up(row)
        time.sleep(LOOK_SECONDS)


def _check_waiting(row: SearchSession, checkpoint_id: str | None) -> None:
    """Say why the session takes no decision, if it does not."""
    if row.status == Status.EXPIRED:
        raise SessionExpired("Session expired: nobody decided for half an hour", session_id=row.pk)
    if row.status in (Status.COMPLETE, Status.FAILED):
        reason = {"reason": row.error} if row.error else {}
        raise SessionComplete("Session already complete", session_id=row.pk, **reason)
    if row.status == Status.RUNNING:
        latest = row.decisions.first()
        raise _told(row, latest) if latest else NoPendingCheckpoint("No pending checkpoint", session_id=row.pk)
    if checkpoint_id and checkpoint_id != row.checkpoint_id:
        raise NoPendingCheckpoint("No pending checkpoint with this id", pending_checkpoint_id=row.checkpoint_id)


def _repeated(row: SearchSession, earlier: DecisionRecord, decision: Decision) -> SessionState:
    """The same decision again gets the answer it got; another one comes too late."""
    same = (decision.action, decision.model_dump(mode="json")["revised_data"], decision.note or "")
    if (earlier.action, earlier.data, earlier.note) != same:
        raise _told(row, earlier)
    runner.take_up(row)
    for _ in _looks(row.pk, limits.SESSION_WAIT_SECONDS):
        earlier.refresh_from_db(fields=["answer"])
        if earlier.answer:
            return _with_page(SessionState.model_validate_json(earlier.answer))
    row.refresh_from_db()
    return _state(row)


def _told(row: SearchSession, winner: DecisionRecord | None) -> AlreadyDecided:
    who = {"decided_by": winner.decided_by, "action": winner.action, "note": winner.note} if winner else {}
    return AlreadyDecided("checkpoint already being processed", session_id=row.pk, **who)

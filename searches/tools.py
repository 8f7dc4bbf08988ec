"""Tools of search sessions: start one, decide at its checkpoints, wait for others, export the result."""

from dataclasses import replace

from paper_search.export import EXPORT_FORMATS
from paper_search.models import Paper, PaperCollection
from paper_search.plan import SearchPlan
from paper_search.workflow.checkpoints import make_decision
from paper_search.workflow.session_state import SessionState, checked
from papercore import caller, limits
from searches.board import decided_on
from searches.errors import TooManyWaiting
from searches.models import Status
from searches.schemas import (
    Action,
    Again,
    CheckpointId,
    Export,
    ExportLimit,
    ExportOffset,
    IdempotencyKey,
    IncludeUnsure,
    MaxResults,
    Note,
    Plan,
    Query,
    ReviewOffset,
    RevisedData,
    SearchDomain,
    SessionId,
    SiteFormat,
    WaitSeconds,
)
from searches.sessions import lifecycle, store, worker
from searches.sessions.calls import allowed_wait, session_tool


@session_tool
def start_search(
    query: Query,
    domain: SearchDomain = "general",
    max_results: MaxResults = 100,
    plan: Plan = None,
    again: Again = None,
    idempotency_key: IdempotencyKey = None,
) -> SessionState:
    """Start a literature search in steps, over the local library and the sources that are configured.

    Returns a session with its first checkpoint, the plan, what was `understood` and what was not. Then `decide`, or
    let a person decide at `page`. If it is still running, call `get_session` with `wait_seconds`.
    """
    return _started(query, domain, max_results, plan, idempotency_key, again)


@session_tool
def search_papers(query: Query, domain: SearchDomain = "general", max_results: MaxResults = 100) -> SessionState:
    """Search the literature in steps, over the local library and the sources that are configured.

    Returns a session with its first checkpoint, the search strategy with its plan: call `decide`, or let a person
    decide at `page`. A slow search returns its running state: call `get_session` with `wait_seconds`.
    """
    return _started(query, domain, max_results, None, None)


def _started(
    query: str,
    domain: str,
    max_results: int,
    plan: SearchPlan | None,
    idempotency_key: str | None,
    again: str | None = None,
) -> SessionState:
    row = lifecycle.create(query, domain, max_results, idempotency_key, plan, again)
    with allowed_wait(limits.SESSION_WAIT_SECONDS) as seconds:
        return _shown(lifecycle.state_after(row.pk, "", seconds))


@session_tool
def decide(
    session_id: SessionId,
    action: Action,
    data: RevisedData = None,
    note: Note = None,
    checkpoint_id: CheckpointId = None,
) -> SessionState:
    """Decide on the pending checkpoint of a search session; returns the session with its next checkpoint or result.

    Whoever decides first wins: if a person was faster, the error says what was decided.
    """
    checkpoint_id, by_person = decided_on(checkpoint_id)
    who = replace(caller.current(), kind="person") if by_person else caller.current()
    row = store.find(session_id, who)
    decision = make_decision(action, data, note)
    with caller.calling(who), allowed_wait(limits.SESSION_WAIT_SECONDS) as seconds:
        if checkpoint_id and (earlier := row.decisions.filter(checkpoint_id=checkpoint_id).first()):
            return _shown(lifecycle.repeat_decision(row, earlier, decision, seconds))
        decided = lifecycle.decide(row, decision, checkpoint_id)
        return _shown(lifecycle.state_after(row.pk, decided, seconds))


@session_tool
def get_session(session_id: SessionId, wait_seconds: WaitSeconds = 0, offset: ReviewOffset = 0) -> SessionState:
    """Return the state of a search session: pending checkpoint, sources, result or error.

    With `wait_seconds`: as soon as there is something to decide, or it has ended; without, papers come with passages.
    """
    row = store.find(session_id, caller.current())
    store.touch(row)
    worker.resume(row)
    # Of a search that failed, too: the state says so in `error`.
    if not wait_seconds or row.status != Status.RUNNING:
        return lifecycle.state_of(row, offset, passages=not wait_seconds)
    with allowed_wait(wait_seconds) as seconds:
        if not seconds:
            raise TooManyWaiting(
                "Too many calls are waiting, or this batch has waited already. "
                "Call get_session without wait_seconds, every few seconds."
            )
        return lifecycle.state_after(row.pk, "", seconds, offset)


@session_tool
def export_results(
    session_id: SessionId,
    format: SiteFormat = "markdown",  # noqa: A002 (its name)
    include_unsure: IncludeUnsure = False,
    offset: ExportOffset = 0,
    limit: ExportLimit = limits.SEARCH_RESULTS,
) -> Export:
    """Export the papers of a completed search session; a long result in parts, by `next_offset`."""
    collection = lifecycle.result_of(session_id, include_unsure)
    part = collection.papers[offset : offset + limit]
    text = _exported(collection, part, format)
    while len(text) > limits.TEXT_CHARS and len(part) > 1:
        # Hosts cut longer results off in the middle of a paper.
        part = part[: max(1, len(part) * limits.TEXT_CHARS // (len(text) + 1))]
        text = _exported(collection, part, format)
    return Export(
        session_id=session_id,
        format=format,
        paper_count=len(collection.papers),
        selection=collection.metadata.selection,
        next_offset=offset + len(part) if offset + len(part) < len(collection.papers) else None,
        text=text,
    )


def _exported(collection: PaperCollection, part: list[Paper], format: SiteFormat) -> str:  # noqa: A002 (as of the tool)
    return EXPORT_FORMATS[format].export(collection.model_copy(update={"papers": part}))


def _shown(state: SessionState) -> SessionState:
    """The state; SearchFailed if the search ended with an error. That nobody decided in time is not one."""
    return state if state.error == lifecycle.EXPIRED else checked(state)

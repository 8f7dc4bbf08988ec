"""A session as its users see it: small enough for an agent's context, the same in memory and in a database."""

from pydantic import BaseModel, Field

from paper_search.export import short_authors
from paper_search.models import Facets, Paper, PaperCollection
from paper_search.progress import SourceReport
from paper_search.workflow.checkpoints import (
    Checkpoint,
    CheckpointKind,
    ResultPayload,
    StrategyPayload,
)
from paper_search.workflow.errors import SearchFailed
from paper_search.workflow.state import WorkflowState

# As many papers with their reasons as fit an agent's context; the export has them all.
SHOWN_PAPERS = 50


class PaperLine(BaseModel):
    """One paper in a few words; `id` is what marked_relevant and marked_irrelevant take."""

    id: str
    title: str
    authors: str
    year: int | None = None
    venue: str | None = None
    score: float
    reason: str
    source: str


class ResultSummary(BaseModel):
    """Results under review: the best papers, and what all of them have in common."""

    iteration: int
    paper_count: int
    papers: list[PaperLine]
    papers_not_shown: int = 0
    kept_papers: int = 0
    facets: Facets


class CheckpointView(BaseModel):
    kind: CheckpointKind
    checkpoint_id: str
    payload: StrategyPayload | ResultSummary


class ResultView(BaseModel):
    paper_count: int
    summary: str


class SessionState(BaseModel):
    """Where a search is, and what to do next."""

    session_id: str
    query: str
    is_complete: bool
    has_pending_checkpoint: bool
    current_checkpoint_kind: CheckpointKind | None = None
    iteration: int = 0
    step: int = Field(default=0, description="Grows with every decision.")
    checkpoint: CheckpointView | None = None
    result: ResultView | None = None
    sources: dict[str, SourceReport] = {}
    notices: list[str] = []
    error: str | None = None
    page: str | None = Field(default=None, description="Where a person can watch and decide: show it to them.")
    next: str = Field(default="", description="What to call.")


def session_state(session_id: str, state: WorkflowState, error: str | None = None) -> SessionState:
    """`error` is why the workflow ended without a result."""
    checkpoint = None if error else state.checkpoint
    complete = state.is_complete or error is not None
    return SessionState(
        session_id=session_id,
        query=state.query,
        is_complete=complete,
        has_pending_checkpoint=checkpoint is not None,
        current_checkpoint_kind=checkpoint.kind if checkpoint else None,
        iteration=state.iteration,
        step=state.step,
        checkpoint=checkpoint_view(checkpoint) if checkpoint else None,
        result=result_view(state.result) if state.result else None,
        sources=state.sources,
        notices=state.notices,
        error=error,
        next=_next_call(complete, checkpoint, error),
    )


def checked(state: SessionState) -> SessionState:
    """The state, unless the search failed: that is an error for whoever asks, with the state as its details."""
    if state.error:
        raise SearchFailed(state.error, **state.model_dump(mode="json", exclude={"error"}, exclude_none=True))
    return state


def checkpoint_view(checkpoint: Checkpoint) -> CheckpointView:
    payload = checkpoint.payload
    shown = result_summary(payload) if isinstance(payload, ResultPayload) else payload
    return CheckpointView(kind=checkpoint.kind, checkpoint_id=checkpoint.checkpoint_id, payload=shown)


def result_summary(payload: ResultPayload) -> ResultSummary:
    papers = payload.collection.papers
    return ResultSummary(
        iteration=payload.iteration,
        paper_count=len(papers),
        papers=[_paper_line(paper) for paper in papers[:SHOWN_PAPERS]],
        papers_not_shown=max(0, len(papers) - SHOWN_PAPERS),
        kept_papers=len(payload.accumulated_papers),
        facets=payload.collection.facets,
    )


def result_view(collection: PaperCollection) -> ResultView:
    return ResultView(paper_count=len(collection.papers), summary=_summary(collection))


def _summary(collection: PaperCollection) -> str:
    """How many papers, from which years, about what, and the first of them."""
    if not collection.papers:
        return "No papers were found."
    count, years = len(collection.papers), sorted(collection.facets.by_year)
    parts = [f"{count} paper{'s' if count > 1 else ''}" + (f", {years[0]} to {years[-1]}" if years else "")]
    if collection.facets.key_themes:
        parts.append(f"Themes: {', '.join(collection.facets.key_themes)}")
    parts.append("First: " + "; ".join(paper.title for paper in collection.papers[:3]))
    return ". ".join(parts) + "."


def _paper_line(paper: Paper) -> PaperLine:
    return PaperLine(
        id=paper.id,
        title=paper.title,
        authors=short_authors([author.name for author in paper.authors]),
        year=paper.year,
        venue=paper.venue,
        score=round(paper.relevance_score, 2),
        reason=paper.relevance_reason,
        source=paper.source,
    )


def _next_call(complete: bool, checkpoint: Checkpoint | None, error: str | None) -> str:
    if error:
        return "The search failed; start a new one."
    if complete:
        return "Call export_results."
    if checkpoint is None:
        return "The search is running: call get_session with wait_seconds."
    if checkpoint.kind is CheckpointKind.strategy_confirmation:
        return "Call decide: approve; edit with a SearchStrategy as data; or reject with a note."
    return "Call decide: approve; edit with a UserFeedback as data; or reject with a note."

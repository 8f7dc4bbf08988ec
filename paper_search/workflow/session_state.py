"""A session as its users see it: small enough for an agent's context, the same in memory and in a database."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import BaseModel, Field, WithJsonSchema

from paper_search.export import short_authors
from paper_search.models import Facets, Paper, PaperCollection, Reading, SourceReport, is_empty
from paper_search.text import best_passage
from paper_search.workflow.checkpoints import (
    Checkpoint,
    CheckpointKind,
    ResultPayload,
    StrategyPayload,
)
from paper_search.workflow.errors import SearchFailed
from paper_search.workflow.state import WorkflowState
from papercore import limits
from papercore.bibliography.identifiers import doi_url

# The passage of a paper that an agent is shown.
REVIEW_PASSAGE_CHARS = 500
Mark = Literal["relevant", "irrelevant", "unsure"]


class ReviewPage(Struct, frozen=True):
    """Which papers of a review are shown, from which place on; `marks` are saved ones that nobody has sent yet.

    With `passages` whoever reads it can judge by more than titles, at three times the length.
    """

    offset: int = 0
    passages: bool = False
    marks: Mapping[str, Mark] = field(default_factory=dict)


class PaperLine(BaseModel):
    """One paper in a few words; marks take its `id`. The fields behind `reason` come from get_session alone."""

    id: str
    title: str
    authors: str
    year: int | None = Field(default=None, exclude_if=is_empty)
    score: float
    reason: str
    venue: str | None = Field(default=None, exclude_if=is_empty)
    source: str = Field(default="", exclude_if=is_empty)
    passage: str = Field(
        default="", exclude_if=is_empty, description="Of the abstract, what bears most on the question."
    )
    doi: str | None = Field(default=None, exclude_if=is_empty)
    link: str | None = Field(default=None, exclude_if=is_empty)
    mark: Literal[Mark, ""] = Field(default="", exclude_if=is_empty, description="So far, by you or a person.")


class ResultSummary(BaseModel):
    """A page of the papers under review, and what all of them have in common."""

    iteration: int
    paper_count: int
    papers: list[PaperLine]
    offset: int = 0
    papers_not_shown: int = Field(default=0, description="For more, get_session with offset.")
    kept_papers: int = 0
    by_citations: bool = Field(default=False, exclude_if=lambda by_citations: not by_citations)
    facets: Facets


class CheckpointView(BaseModel):
    kind: CheckpointKind
    checkpoint_id: str
    payload: Annotated[
        StrategyPayload | ResultSummary,
        WithJsonSchema(
            {
                "type": "object",
                "description": "At strategy_confirmation: plan, strategy, intent. At result_review: papers (id, title, "
                "authors, year, venue, score, reason, passage, mark), paper_count, papers_not_shown, facets.",
            },
            mode="serialization",
        ),
    ]


class ResultView(BaseModel):
    paper_count: int
    summary: str


class SessionState(BaseModel):
    """Where a search is, and what to do next."""

    session_id: str
    query: str
    is_complete: bool
    has_pending_checkpoint: bool
    current_checkpoint_kind: CheckpointKind | None = Field(default=None, exclude_if=is_empty)
    iteration: int = 0
    step: int = Field(default=0, description="Grows with every decision.")
    checkpoint: CheckpointView | None = Field(default=None, exclude_if=is_empty)
    result: ResultView | None = Field(default=None, exclude_if=is_empty)
    sources: Annotated[
        dict[str, SourceReport],
        WithJsonSchema(
            {
                "type": "object",
                "description": "Of each: count, error, steps (queries and hits), checked_here and ignored (parts of "
                "the plan that it has no field for), nearest (titles by id, where nothing answers).",
            },
            mode="serialization",
        ),
    ] = {}
    understood: dict[str, str | int | list[str]] = Field(
        default={}, description="What the question, or the last note, was taken to say."
    )
    understood_by: Literal["rules", "model", "plan"] | None = None
    not_understood: list[str] = Field(default=[], description="What of it changed nothing: say it in the plan.")
    notices: list[str] = []
    error: str | None = Field(default=None, exclude_if=is_empty)
    page: str | None = Field(default=None, description="Where a person can watch and decide: show it to them.")
    next: str = Field(default="", description="What to call.")


def session_state(
    session_id: str, state: WorkflowState, error: str | None = None, page: ReviewPage | None = None
) -> SessionState:
    """`error` is why the workflow ended without a result."""
    checkpoint, page = None if error else state.checkpoint, page or ReviewPage()
    complete, reading = state.is_complete or error is not None, state.reading or Reading()
    if error:
        call = "The search failed; start a new one."
    elif complete:
        call = "Call export_results."
    elif checkpoint is None:
        call = "The search is running: call get_session with wait_seconds."
    else:
        planning = checkpoint.kind is CheckpointKind.strategy_confirmation
        edited = "the plan, filled in better," if planning else "a UserFeedback"
        call = f"Call decide: approve; edit with {edited} as data; or reject with a note."
        if not planning and not page.passages:
            call = f"Call get_session to read a passage of each paper. {call}"
    return SessionState(
        session_id=session_id,
        query=state.query,
        is_complete=complete,
        has_pending_checkpoint=checkpoint is not None,
        current_checkpoint_kind=checkpoint.kind if checkpoint else None,
        iteration=state.iteration,
        step=state.step,
        checkpoint=checkpoint_view(checkpoint, state, page) if checkpoint else None,
        result=result_view(state.result) if state.result else None,
        sources=state.sources,
        understood=reading.understood,
        understood_by=reading.by if state.reading else None,
        not_understood=reading.not_understood,
        notices=state.notices,
        error=error,
        next=call,
    )


def checked(state: SessionState) -> SessionState:
    """The state, unless the search failed: that is an error for whoever asks, with the state as its details."""
    if state.error:
        raise SearchFailed(state.error, **state.model_dump(mode="json", exclude={"error"}, exclude_none=True))
    return state


def marks_of(state: WorkflowState) -> dict[str, Mark]:
    """The marks that decisions of earlier rounds made."""
    marked: tuple[tuple[Mark, list[Paper]], ...] = (("relevant", state.kept), ("unsure", state.unsure))
    return {paper.id: mark for mark, papers in marked for paper in papers}


def checkpoint_view(checkpoint: Checkpoint, state: WorkflowState, page: ReviewPage) -> CheckpointView:
    payload = checkpoint.payload
    marked = replace(page, marks={**marks_of(state), **page.marks})
    shown: StrategyPayload | ResultSummary
    if isinstance(payload, ResultPayload):
        shown = result_summary(payload, marked)
        shown.by_citations = state.follows_citations
    else:
        shown = payload
    return CheckpointView(kind=checkpoint.kind, checkpoint_id=checkpoint.checkpoint_id, payload=shown)


def result_summary(payload: ResultPayload, page: ReviewPage) -> ResultSummary:
    papers, question = payload.collection.papers, payload.collection.metadata.query
    end = page.offset + limits.REVIEW_PAPERS
    lines = []
    for paper in papers[page.offset : end]:
        line = PaperLine(
            id=paper.id,
            title=paper.title,
            authors=short_authors([author.name for author in paper.authors]),
            year=paper.year,
            score=round(paper.relevance_score, 2),
            reason=paper.relevance_reason,
            mark=page.marks.get(paper.id, ""),
        )
        if page.passages:
            passage, longest = best_passage(paper.abstract or "", question), REVIEW_PASSAGE_CHARS
            line.passage = passage if len(passage) <= longest else f"{passage[: longest - 1]}…"
            line.venue, line.source, line.doi, line.link = paper.venue, paper.source, paper.doi, paper_link(paper)
        lines.append(line)
    return ResultSummary(
        iteration=payload.iteration,
        paper_count=len(papers),
        papers=lines,
        offset=page.offset,
        papers_not_shown=max(0, len(papers) - end),
        kept_papers=len(payload.accumulated_papers),
        facets=payload.collection.facets if page.passages else Facets(key_themes=payload.collection.facets.key_themes),
    )


def result_view(collection: PaperCollection) -> ResultView:
    """How many papers, from which years, about what, and the first of them."""
    count, years = len(collection.papers), sorted(collection.facets.by_year)
    if not count:
        return ResultView(paper_count=0, summary="No papers were found.")
    parts = [f"{count} paper{'s' if count > 1 else ''}" + (f", {years[0]} to {years[-1]}" if years else "")]
    if collection.facets.key_themes:
        parts.append(f"Themes: {', '.join(collection.facets.key_themes)}")
    parts.append("First: " + "; ".join(paper.title for paper in collection.papers[:3]))
    return ResultView(paper_count=count, summary=". ".join(parts) + ".")


def paper_link(paper: Paper) -> str | None:
    """Where the paper can be read."""
    return doi_url(paper.doi) if paper.doi else paper.full_text_url

"""What a decision does to the state of a search. No I/O."""

from collections.abc import Iterable

from paper_search.models import (
    Paper,
    PaperCollection,
    Phase,
    SearchMetadata,
    SearchStrategy,
    StepRecord,
    UserFeedback,
)
from paper_search.skills.deduplicator import paper_keys
from paper_search.skills.question.notes import revised_intent
from paper_search.skills.result_organizer import facets_of
from paper_search.workflow.checkpoints import (
    CheckpointKind,
    Decision,
    DecisionAction,
    check_decision,
    feedback_of,
    revised_strategy,
)
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.next_round import completed, distinctive_words, narrow_edits, record_edits
from paper_search.workflow.state import WorkflowState
from papercore import limits

# How often a search may be sent back before it ends with what it has.
MAX_ITERATIONS = 5


def apply_decision(state: WorkflowState, decision: Decision, max_iterations: int = MAX_ITERATIONS) -> WorkflowState:
    """The state after the decision, as a copy. InvalidDecision if the checkpoint does not take it."""
    if state.checkpoint is None:
        raise InvalidDecision("No pending checkpoint.")
    after = state.model_copy(deep=True)
    if state.checkpoint.kind is CheckpointKind.strategy_confirmation:
        _decide_strategy(after, decision, max_iterations)
    else:
        _decide_results(after, decision, max_iterations)
    after.checkpoint = None
    after.step += 1
    return after


def _decide_strategy(state: WorkflowState, decision: Decision, max_iterations: int) -> None:
    check_decision(CheckpointKind.strategy_confirmation, decision)
    if decision.action is DecisionAction.reject:
        state.feedback = UserFeedback(free_text_feedback=decision.note)
        _take_note(state, decision.note)
        _record(state, Phase.confirm, "Strategy rejected")
        _next_iteration(state, max_iterations)
        return
    if decision.action is DecisionAction.edit:
        revised = completed(revised_strategy(decision), state.strategy)
        record_edits(state, revised)
        state.strategy = revised
        if state.intent:
            state.intent = state.intent.model_copy(update={"constraints": revised.filters})
    _record(state, Phase.confirm, f"Strategy {'edited' if decision.action == 'edit' else 'approved'}")
    state.phase = Phase.search


def _decide_results(state: WorkflowState, decision: Decision, max_iterations: int) -> None:
    feedback = feedback_of(decision)
    _apply_marks(state, feedback)
    if decision.action is DecisionAction.approve:
        _record(state, Phase.review, "Results approved")
        finish(state)
        return
    state.feedback = feedback
    _learn(state)
    _take_note(state, feedback.free_text_feedback)
    _record(state, Phase.review, "Results sent back for another round")
    _next_iteration(state, max_iterations)


def _apply_marks(state: WorkflowState, feedback: UserFeedback) -> None:
    """Papers marked relevant are kept to the end; those marked irrelevant never come back; a later mark wins."""
    found = state.collection.papers if state.collection else []
    papers = list({paper.id: paper for paper in (*state.kept, *state.rejected, *state.unsure, *found)}.values())
    relevant, irrelevant, unsure = (
        set(marked) for marked in (feedback.marked_relevant, feedback.marked_irrelevant, feedback.marked_unsure)
    )
    state.kept = _marked(state.kept, papers, relevant, irrelevant | unsure)
    state.rejected = _marked(state.rejected, papers, irrelevant, relevant | unsure)
    state.unsure = _marked(state.unsure, papers, unsure - relevant - irrelevant, relevant | irrelevant)
    state.excluded = sorted({*state.excluded, *irrelevant} - relevant - unsure)


def _marked(before: list[Paper], papers: list[Paper], marked: set[str], otherwise: set[str]) -> list[Paper]:
    """The papers that had the mark and those that get it, without those that get another one."""
    had = {paper.id for paper in before}
    new = [paper for paper in papers if paper.id in marked and paper.id not in had]
    return [paper for paper in (*before, *new) if paper.id not in otherwise]


def _learn(state: WorkflowState) -> None:
    """Put what the marks of all rounds say into the filters of the next one, in words and as papers."""
    if state.intent is None:
        return
    filters, dropped = state.intent.constraints, set(state.edits.dropped)
    marked = {paper.id for paper in (*state.kept, *state.rejected)}
    unmarked = [paper for paper in (state.collection.papers if state.collection else []) if paper.id not in marked]
    more = distinctive_words(state.kept, [*state.rejected, *unmarked], state.intent.topic)
    less = distinctive_words(state.rejected, state.kept, state.intent.topic) if state.kept else []
    learned = {
        "more_like": [word for word in (*filters.more_like, *more) if word not in dropped],
        "less_like": [word for word in (*filters.less_like, *less) if word not in {*dropped, *more}],
    }
    state.intent = state.intent.model_copy(
        update={
            "constraints": filters.model_copy(
                update={
                    **{name: list(dict.fromkeys(terms))[: limits.FILTER_TERMS] for name, terms in learned.items()},
                    "like_papers": [paper.id for paper in state.kept][-limits.MARKS :],
                    "unlike_papers": list(state.excluded)[-limits.MARKS :],
                }
            )
        }
    )


def _take_note(state: WorkflowState, note: str | None) -> None:
    if note and state.intent:
        known = state.intent.concepts
        state.intent = revised_intent(state.intent, note)
        narrow_edits(state.edits, [concept for concept in state.intent.concepts if concept not in known])


def _next_iteration(state: WorkflowState, max_iterations: int) -> None:
    if state.strategy:
        state.previous_strategies.append(state.strategy)
    if state.iteration + 1 >= max_iterations:
        finish(state)
        return
    state.iteration += 1
    state.phase = Phase.build


def _record(state: WorkflowState, phase: Phase, detail: str) -> None:
    state.history.append(StepRecord(phase=phase, iteration=state.iteration, detail=detail))


def finish(state: WorkflowState) -> None:
    """Complete the search with its last collection and the papers kept in earlier iterations."""
    strategy = state.strategy or SearchStrategy(queries=[], sources=[])
    last = state.collection or PaperCollection(metadata=SearchMetadata(query=state.query, search_strategy=strategy))
    state.result = merge_kept(last, state.kept, [*state.excluded, *(paper.id for paper in state.unsure)])
    state.phase = Phase.done
    state.raw_papers, state.scored_papers = [], []


def merge_kept(collection: PaperCollection, kept: Iterable[Paper], excluded: Iterable[str]) -> PaperCollection:
    """All kept papers, then the collection's as far as there is room; ordered by score."""
    excluded_ids = set(excluded)
    merged: dict[str, Paper] = {}
    seen: set[str] = set()
    limit = collection.metadata.search_strategy.filters.max_results
    for paper in (*kept, *(paper for paper in collection.papers if paper.id not in excluded_ids)):
        keys = paper_keys(paper)
        if len(merged) < limit and not keys & seen:
            merged[paper.id] = paper
            seen |= keys
    papers = sorted(merged.values(), key=lambda paper: -paper.relevance_score)
    return PaperCollection(metadata=collection.metadata, papers=papers, facets=facets_of(papers))

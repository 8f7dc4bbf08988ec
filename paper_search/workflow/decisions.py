"""What a decision does to a search: from a state that waits to the state that goes on. No I/O."""

from collections.abc import Iterable

from paper_search.models import (
    Paper,
    PaperCollection,
    SearchMetadata,
    SearchStrategy,
    UserFeedback,
)
from paper_search.progress import Phase, StepRecord
from paper_search.skills.deduplicator import paper_keys
from paper_search.skills.result_organizer import facets_of
from paper_search.workflow.checkpoints import (
    CheckpointKind,
    Decision,
    DecisionAction,
    InvalidDecision,
    feedback,
    revised_strategy,
)
from paper_search.workflow.state import WorkflowState


def apply_decision(state: WorkflowState, decision: Decision, max_iterations: int) -> WorkflowState:
    """The state after the decision; the old one is left as it was. Refused: InvalidDecision."""
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


def finish(state: WorkflowState) -> None:
    """Complete the search with its last collection and the papers kept on the way."""
    strategy = state.strategy or SearchStrategy(queries=[], sources=[])
    last = state.collection or PaperCollection(metadata=SearchMetadata(query=state.query, search_strategy=strategy))
    state.result = merge_kept(last, state.kept, state.excluded)
    state.phase = Phase.done
    state.raw_papers, state.scored_papers = [], []


def merge_kept(collection: PaperCollection, kept: Iterable[Paper], excluded: Iterable[str]) -> PaperCollection:
    """Kept papers always stay; others follow by score as far as there is room."""
    unwanted = set(excluded)
    chosen: dict[str, Paper] = {}
    seen: set[str] = set()
    room = collection.metadata.search_strategy.filters.max_results
    for paper in (*kept, *(paper for paper in collection.papers if paper.id not in unwanted)):
        keys = paper_keys(paper)
        if len(chosen) < room and not keys & seen:
            chosen[paper.id] = paper
            seen |= keys
    papers = sorted(chosen.values(), key=lambda paper: -paper.relevance_score)
    return PaperCollection(metadata=collection.metadata, papers=papers, facets=facets_of(papers))


def _decide_strategy(state: WorkflowState, decision: Decision, max_iterations: int) -> None:
    if decision.action is DecisionAction.reject:
        state.feedback = UserFeedback(free_text_feedback=decision.note)
        _record(state, Phase.confirm, "Strategy rejected")
        _next_iteration(state, max_iterations)
        return
    if decision.action is DecisionAction.edit:
        state.strategy = revised_strategy(decision)
    _record(state, Phase.confirm, f"Strategy {'edited' if decision.action == 'edit' else 'approved'}")
    state.phase = Phase.search


def _decide_results(state: WorkflowState, decision: Decision, max_iterations: int) -> None:
    told = feedback(decision)
    _take_marks(state, told)
    if decision.action is DecisionAction.approve:
        _record(state, Phase.review, "Results approved")
        finish(state)
        return
    state.feedback = told
    _record(state, Phase.review, "Results sent back for another round")
    _next_iteration(state, max_iterations)


def _take_marks(state: WorkflowState, told: UserFeedback) -> None:
    """Papers marked relevant are kept for good, others never come back."""
    papers = state.collection.papers if state.collection else []
    already = {paper.id for paper in state.kept}
    state.kept += [paper for paper in papers if paper.id in told.marked_relevant and paper.id not in already]
    state.kept = [paper for paper in state.kept if paper.id not in told.marked_irrelevant]
    state.excluded = sorted({*state.excluded, *told.marked_irrelevant} - set(told.marked_relevant))


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

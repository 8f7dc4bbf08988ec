"""What a decision does to the state of a search. No I/O."""

from collections.abc import Iterable

from paper_search.models import (
    Paper,
    PaperCollection,
    ParsedIntent,
    Phase,
    SearchMetadata,
    SearchStrategy,
    StepRecord,
    SynonymMap,
    UserFeedback,
)
from paper_search.plan import InvalidPlan, SearchPlan, changed_plan, check_sources
from paper_search.skills.deduplicator import paper_keys
from paper_search.skills.result_organizer import facets_of
from paper_search.topics import topics
from paper_search.workflow.checkpoints import (
    CheckpointKind,
    Decision,
    DecisionAction,
    PlanChanges,
    check_decision,
    feedback_of,
    revised_strategy,
)
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.next_round import completed, record_edits
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
        state.unread_note = decision.note
        _record(state, Phase.confirm, "Strategy rejected")
        _next_iteration(state, max_iterations)
        return
    state.phase = Phase.search
    if decision.action is DecisionAction.edit:
        revised = revised_strategy(decision)
        if isinstance(revised, SearchStrategy):
            _take_strategy(state, completed(revised, state.strategy))
        else:
            _change_plan(state, revised)
            # The strategy is built from the plan, and not asked about again.
            state.plan_confirmed, state.phase = True, Phase.build
    _record(state, Phase.confirm, f"Strategy {'edited' if decision.action == 'edit' else 'approved'}")


def _change_plan(state: WorkflowState, changes: PlanChanges) -> None:
    """Take fields into the plan; queries that were edited earlier give way to it."""
    if state.intent is None:
        return
    sources = state.edits.sources or (state.strategy.sources if state.strategy else [])
    try:
        plan = changed_plan(SearchPlan.of(state.intent, sources), changes)
        if "sources" in changes and state.offered_sources:
            check_sources(plan, state.offered_sources)
    except InvalidPlan as error:
        raise InvalidDecision(error.message) from None
    if "sources" in changes:
        state.edits.sources = plan.sources
    state.edits.queries = []
    before, given = state.intent, {*plan.prefer, *plan.avoid}
    state.edits.dropped += [
        word for word in (*before.constraints.more_like, *before.constraints.less_like) if word not in given
    ]
    planned = before.planned or bool(changes.get("concepts"))
    state.intent = plan.intent(before=before.constraints).model_copy(update={"planned": planned})
    state.reading = plan.reading()


def _take_strategy(state: WorkflowState, revised: SearchStrategy) -> None:
    record_edits(state, revised)
    state.strategy = revised
    if state.intent:
        state.intent = state.intent.model_copy(update={"constraints": revised.filters})


def _decide_results(state: WorkflowState, decision: Decision, max_iterations: int) -> None:
    feedback = feedback_of(decision)
    if state.found_before and state.collection:
        papers = kept_first([*state.found_before.papers, *state.collection.papers], state.kept)
        state.collection = state.collection.model_copy(update={"papers": papers, "facets": facets_of(papers)})
    _apply_marks(state, feedback)
    if decision.action is DecisionAction.approve:
        only = feedback.only_relevant
        if only and not state.kept:
            raise InvalidDecision("only_relevant needs papers marked relevant: none is, so nothing would be left.")
        _record(state, Phase.review, f"Results approved{', only those marked relevant' if only else ''}")
        finish(state, only_relevant=only)
        return
    state.feedback, state.unread_note = feedback, feedback.free_text_feedback
    _learn(state, feedback)
    if feedback.constraints:
        _change_plan(state, feedback.constraints)
    if feedback.drop and state.intent:
        state.edits.dropped += feedback.drop
        state.intent = _without(state.intent, {term.lower() for term in feedback.drop})
    if feedback.follow_citations and not state.kept:
        raise InvalidDecision("follow_citations needs papers marked relevant: their citations are followed.")
    _record(state, Phase.review, "Results sent back for another round")
    _next_iteration(state, max_iterations, follow=feedback.follow_citations)


def _without(intent: ParsedIntent, dropped: set[str]) -> ParsedIntent:
    """The intent without words, wherever they are; the last concept stays, so that something is looked for."""
    filters = intent.constraints
    names = ("more_like", "less_like", "excluded", "excluded_authors", "authors", "venues")
    kept = {name: [term for term in getattr(filters, name) if term.lower() not in dropped] for name in names}
    concepts = [concept for concept in intent.concepts if concept.lower() not in dropped] or intent.concepts[:1]
    synonyms = [
        SynonymMap(keyword=item.keyword, synonyms=[word for word in item.synonyms if word.lower() not in dropped])
        for item in intent.synonyms
        if item.keyword in concepts
    ]
    changes = {"concepts": concepts, "synonyms": synonyms, "constraints": filters.model_copy(update=kept)}
    return intent.model_copy(update=changes)


def _apply_marks(state: WorkflowState, feedback: UserFeedback) -> None:
    """Papers marked relevant are kept to the end; those marked irrelevant never come back; a later mark wins."""
    found = state.collection.papers if state.collection else []
    papers = list({paper.id: paper for paper in (*state.kept, *state.rejected, *state.unsure, *found)}.values())
    marks = (feedback.marked_relevant, feedback.marked_irrelevant, feedback.marked_unsure)
    relevant, irrelevant, unsure = (set(marked) for marked in marks)
    if twice := (relevant & irrelevant) | (relevant & unsure) | (irrelevant & unsure):
        raise InvalidDecision(f"A paper can have one mark only: {', '.join(sorted(twice)[: limits.PROBLEMS])}.")
    if unknown := (relevant | irrelevant | unsure) - {paper.id for paper in papers}:
        raise InvalidDecision(f"This search has no paper {', '.join(sorted(unknown)[: limits.PROBLEMS])}.")
    state.kept = _marked(state.kept, papers, relevant, irrelevant | unsure)
    state.rejected = _marked(state.rejected, papers, irrelevant, relevant | unsure)
    state.unsure = _marked(state.unsure, papers, unsure, relevant | irrelevant)
    state.excluded = sorted({*state.excluded, *irrelevant} - relevant - unsure)


def _marked(before: list[Paper], papers: list[Paper], marked: set[str], otherwise: set[str]) -> list[Paper]:
    """The papers that had the mark and those that get it, without those that get another one."""
    had = {paper.id for paper in before}
    new = [paper for paper in papers if paper.id in marked and paper.id not in had]
    return [paper for paper in (*before, *new) if paper.id not in otherwise]


def _learn(state: WorkflowState, feedback: UserFeedback) -> None:
    """Put what the marks of all rounds say into the filters of the next one, as topics and as papers."""
    if state.intent is None:
        return
    filters = state.intent.constraints
    dropped = {term.lower() for term in (*state.edits.dropped, *feedback.drop)}
    marked = {paper.id for paper in (*state.kept, *state.rejected)}
    unmarked = [paper for paper in (state.collection.papers if state.collection else []) if paper.id not in marked]
    more = topics(state.kept, [*state.rejected, *unmarked], state.intent.topic)
    less = topics(state.rejected, state.kept, state.intent.topic) if state.kept else []
    learned = {
        "more_like": [word for word in (*feedback.prefer, *filters.more_like, *more) if word.lower() not in dropped],
        "less_like": [
            word for word in (*feedback.avoid, *filters.less_like, *less) if word.lower() not in dropped.union(more)
        ],
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


def _next_iteration(state: WorkflowState, max_iterations: int, *, follow: bool = False) -> None:
    if state.strategy and not state.follows_citations:
        state.previous_strategies.append(state.strategy)
    state.found_before = None
    if state.iteration + 1 >= max_iterations:
        finish(state)
        return
    state.iteration += 1
    state.phase = Phase.build
    if follow:
        state.found_before, state.phase = state.collection, Phase.follow


def _record(state: WorkflowState, phase: Phase, detail: str) -> None:
    state.history.append(StepRecord(phase=phase, iteration=state.iteration, detail=detail))


def finish(state: WorkflowState, *, only_relevant: bool = False) -> None:
    """Complete the search with its last collection and the papers kept in earlier iterations, or with those alone."""
    strategy = state.strategy or SearchStrategy(queries=[], sources=[])
    last = state.collection or PaperCollection(metadata=SearchMetadata(query=state.query, search_strategy=strategy))
    state.result = merge_kept(last, state.kept, [*state.excluded, *(paper.id for paper in state.unsure)])
    if only_relevant:
        papers = kept_first(state.kept, state.kept)
        metadata = last.metadata.model_copy(update={"selection": "marked_relevant"})
        state.result = PaperCollection(metadata=metadata, papers=papers, facets=facets_of(papers))
    state.phase = Phase.done
    state.raw_papers, state.scored_papers = [], []


def merge_kept(collection: PaperCollection, kept: Iterable[Paper], excluded: Iterable[str]) -> PaperCollection:
    """All kept papers, then the collection's as far as there is room; each ordered by score."""
    excluded_ids = set(excluded)
    merged: dict[str, Paper] = {}
    kept = list(kept)
    seen: set[str] = set()
    limit = collection.metadata.search_strategy.filters.max_results
    for paper in (*kept, *(paper for paper in collection.papers if paper.id not in excluded_ids)):
        keys = paper_keys(paper)
        if len(merged) < limit and not keys & seen:
            merged[paper.id] = paper
            seen |= keys
    papers = kept_first(merged.values(), kept)
    return PaperCollection(metadata=collection.metadata, papers=papers, facets=facets_of(papers))


def kept_first(papers: Iterable[Paper], kept: Iterable[Paper]) -> list[Paper]:
    """Ordered by score, but never a paper that somebody marked relevant behind one that nobody did."""
    marked = {key for paper in kept for key in paper_keys(paper)}
    return sorted(papers, key=lambda paper: (paper_keys(paper).isdisjoint(marked), -paper.relevance_score))

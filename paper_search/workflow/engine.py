"""The search workflow: one resumable function over a serialisable state, and `run` that loops over it."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TypeVar

from paper_search.config import AppConfig
from paper_search.llm import ModelBudget
from paper_search.models import (
    PaperCollection,
    Phase,
    ProgressReporter,
    QueryBuilderInput,
    SearchConstraints,
    SourceReport,
    StepRecord,
)
from paper_search.plan import SearchPlan
from paper_search.skills import (
    CitationFollower,
    Deduplicator,
    FoundPapers,
    IntentParser,
    NoteReader,
    QueryBuilder,
    RelevanceScorer,
    ResultOrganizer,
    StrategySearcher,
)
from paper_search.skills.deduplicator import paper_keys
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.sources.interface import Library
from paper_search.text import content_words, normal_title
from paper_search.workflow.assembly import assemble
from paper_search.workflow.checkpoints import (
    Checkpoint,
    CheckpointHandler,
    CheckpointKind,
    Decision,
    DecisionAction,
    ResultPayload,
    StrategyPayload,
)
from paper_search.workflow.decisions import MAX_ITERATIONS, apply_decision, kept_first
from paper_search.workflow.errors import AllSourcesFailed
from paper_search.workflow.next_round import with_edits
from paper_search.workflow.state import WorkflowState
from papercore import limits

Value = TypeVar("Value")


class SearchWorkflow:
    """Parse, build, [strategy checkpoint], search, deduplicate, score, organize, [result checkpoint].

    Instead of build and search, a round may follow the citations of the papers marked relevant.
    """

    def __init__(
        self,
        intent_parser: IntentParser,
        query_builder: QueryBuilder,
        searcher: StrategySearcher,
        deduplicator: Deduplicator,
        relevance_scorer: RelevanceScorer,
        result_organizer: ResultOrganizer,
        checkpoint_handler: CheckpointHandler | None = None,
        max_iterations: int = MAX_ITERATIONS,
        enable_strategy_checkpoint: bool = True,
        progress_reporter: ProgressReporter | None = None,
        notices: list[str] | None = None,
        note_reader: NoteReader | None = None,
    ) -> None:
        self.intent_parser = intent_parser
        self.query_builder = query_builder
        self.searcher = searcher
        self.deduplicator = deduplicator
        self.relevance_scorer = relevance_scorer
        self.result_organizer = result_organizer
        self.checkpoint_handler = checkpoint_handler
        self.max_iterations = max_iterations
        self.enable_strategy_checkpoint = enable_strategy_checkpoint
        self.progress_reporter = progress_reporter
        self.notices = notices if notices is not None else []
        self.note_reader = note_reader or RuleIntentParser()
        self.state: WorkflowState | None = None

    @classmethod
    def from_config(
        cls,
        config: AppConfig,
        checkpoint_handler: CheckpointHandler | None = None,
        max_iterations: int = MAX_ITERATIONS,
        enable_strategy_checkpoint: bool = True,
        progress_reporter: ProgressReporter | None = None,
        library: Library | None = None,
        model_budget: ModelBudget | None = None,
    ) -> "SearchWorkflow":
        """The workflow that a configuration describes. Nothing is read or opened before it runs.

        `library` takes the place of the configured snapshot file, as source and for synonyms.
        `model_budget` is what its language model may cost.
        """
        parts = assemble(config, progress_reporter, library, model_budget)
        return cls(
            parts.intent_parser,
            parts.query_builder,
            parts.searcher,
            parts.deduplicator,
            parts.relevance_scorer,
            parts.result_organizer,
            checkpoint_handler,
            max_iterations,
            enable_strategy_checkpoint,
            progress_reporter,
            parts.notices,
            parts.note_reader,
        )

    async def run(self, text: str, plan: SearchPlan | None = None) -> PaperCollection:
        """Search to the end, asking the handler at each checkpoint; without one, every checkpoint is approved.

        AllSourcesFailed if none of the sources answered.
        """
        self.state = await self.advance(WorkflowState(query=text, plan=plan))
        while self.state.result is None:
            decision = Decision(action=DecisionAction.approve)
            if self.checkpoint_handler and self.state.checkpoint:
                decision = await self.checkpoint_handler.handle(self.state.checkpoint)
            self.state = await self.advance(self.state, decision)
        failed = self.state.result.metadata.failed_sources
        if failed and failed.keys() == self.state.sources.keys() and not self.state.result.papers:
            raise AllSourcesFailed("; ".join(f"{name}: {reason}" for name, reason in failed.items()))
        return self.state.result

    async def advance(self, state: WorkflowState, decision: Decision | None = None) -> WorkflowState:
        """Apply the decision, then go on to the next checkpoint or the end."""
        if state.checkpoint is not None and decision is not None:
            state = self.decide(state, decision)
        while not state.is_paused:
            state = await self.step(state)
            self.state = state
        return state

    def decide(self, state: WorkflowState, decision: Decision) -> WorkflowState:
        """Apply the decision and do no more; one that does not fit raises InvalidDecision."""
        return apply_decision(state, decision, self.max_iterations)

    async def step(self, state: WorkflowState) -> WorkflowState:
        """Do what comes next; a host that stores states stores one after each step."""
        after = state.model_copy(deep=True)
        steps: dict[Phase, Callable[[WorkflowState], Awaitable[str]]] = {
            Phase.parse: self._parse,
            Phase.build: self._build,
            Phase.search: self._search,
            Phase.follow: self._follow,
            Phase.deduplicate: self._deduplicate,
            Phase.score: self._score,
            Phase.organize: self._organize,
        }
        detail = await steps[state.phase](after)
        after.notices += [notice for notice in self.notices if notice not in after.notices]
        self.notices.clear()
        record = StepRecord(phase=state.phase, iteration=state.iteration, detail=detail)
        after.history.append(record)
        if self.progress_reporter:
            self.progress_reporter.step_done(record)
        return after

    async def _parse(self, state: WorkflowState) -> str:
        """Take the plan that was given, or else read the question."""
        if state.plan:
            # A search that was taken up again has marks already.
            liked, unliked = [paper.id for paper in state.kept], state.excluded
            marked = SearchConstraints(like_papers=liked[-limits.MARKS :], unlike_papers=unliked[-limits.MARKS :])
            state.intent, state.reading = state.plan.intent(before=marked), state.plan.reading()
            state.edits.sources = state.plan.sources
        else:
            state.intent = await self.intent_parser.parse(state.query)
            state.reading = state.intent.reading
        state.phase = Phase.build
        concepts = state.intent.concepts or [state.intent.topic]
        return f"{_counted(len(concepts), 'concept')}: {', '.join(concepts)}"

    async def _build(self, state: WorkflowState) -> str:
        intent = _required(state.intent)
        if state.unread_note:
            intent = state.intent = await self.note_reader.revise(intent, state.unread_note)
            state.reading, state.unread_note = intent.reading, None
        built = await self.query_builder.build(
            QueryBuilderInput(
                intent=intent, previous_strategies=state.previous_strategies, user_feedback=state.feedback
            )
        )
        state.strategy, state.offered_sources = with_edits(built, state.edits), built.sources
        state.phase = Phase.search
        if self.enable_strategy_checkpoint and not state.plan_confirmed:
            plan = SearchPlan.of(intent, state.strategy.sources)
            payload = StrategyPayload(intent=intent, strategy=state.strategy, iteration=state.iteration, plan=plan)
            self._pause(state, CheckpointKind.strategy_confirmation, payload)
        state.plan_confirmed = False
        return f"{_counted(len(state.strategy.queries), 'query', 'queries')} for {', '.join(state.strategy.sources)}"

    async def _search(self, state: WorkflowState) -> str:
        found = await self.searcher.search(_required(state.strategy))
        if not isinstance(found, FoundPapers):
            counts = Counter(paper.source for paper in found)
            found = FoundPapers(found, {name: SourceReport(count=count) for name, count in counts.items()})
        return self._found(state, found)

    async def _follow(self, state: WorkflowState) -> str:
        """Instead of a search: what the kept papers cite and what cites them, without what was found already."""
        strategy, before, intent = _required(state.strategy), _required(state.found_before), _required(state.intent)
        asked = {"sources": state.edits.sources or strategy.sources, "filters": intent.constraints}
        state.strategy = strategy = strategy.model_copy(update=asked)
        found = FoundPapers([], {name: SourceReport(error="knows no citations") for name in strategy.sources})
        if isinstance(self.searcher, CitationFollower):
            found = await self.searcher.follow(state.kept, strategy)
        earlier = (*before.papers, *state.kept, *state.unsure)
        seen = {key for paper in earlier for key in (*paper_keys(paper), normal_title(paper.title))}
        new = [paper for paper in found.papers if seen.isdisjoint({*paper_keys(paper), normal_title(paper.title)})]
        if not new:
            said = "; ".join(step for report in found.reports.values() for step in report.steps) or "none were found"
            known = f"; known already: {len(found.papers)}" if found.papers else ""
            self.notices.append(f"No new papers by citations: {said}{known}.")
        cited, citing = (sum(bool(getattr(paper.facts, name)) for paper in new) for name in ("cited_by", "cites"))
        return f"{self._found(state, FoundPapers(new, found.reports))}: {cited} cited, {citing} citing"

    def _found(self, state: WorkflowState, found: FoundPapers) -> str:
        state.raw_papers, state.sources = list(found.papers), dict(found.reports)
        state.phase = Phase.deduplicate
        self.notices += [
            *found.notices,
            *(
                f"Nothing here answers this: sources.{name}.nearest are no results, only the nearest."
                for name, report in state.sources.items()
                if report.nearest
            ),
        ]
        failed = [name for name, report in state.sources.items() if report.error]
        return _counted(len(found.papers), "record") + (f"; failed: {', '.join(failed)}" if failed else "")

    async def _deduplicate(self, state: WorkflowState) -> str:
        before = len(state.raw_papers)
        papers = await self.deduplicator.deduplicate(state.raw_papers)
        unwanted = {key for paper in state.rejected for key in paper_keys(paper)}
        state.raw_papers = [
            paper for paper in papers if paper.id not in state.excluded and not paper_keys(paper) & unwanted
        ]
        state.phase = Phase.score
        return f"{_counted(before, 'record')} became {_counted(len(state.raw_papers), 'paper')}"

    async def _score(self, state: WorkflowState) -> str:
        """Papers are scored by what was searched for, which may have been edited in the strategy."""
        intent, strategy = _required(state.intent), _required(state.strategy)
        words = " ".join(strategy.queries[0].keywords) if strategy.queries else ""
        synonyms = [word for query in strategy.queries for item in query.synonym_map for word in item.synonyms]
        named = intent.concepts or content_words(intent.topic)
        searched = intent.model_copy(
            update={
                "topic": words[: limits.KEYWORD_CHARS] or intent.topic,
                "concepts": list(dict.fromkeys((*named, *synonyms)))[: limits.QUERY_KEYWORDS],
                "constraints": strategy.filters,
            }
        )
        state.scored_papers = await self.relevance_scorer.score(state.raw_papers, searched)
        state.raw_papers = []
        state.phase = Phase.organize
        return f"{_counted(len(state.scored_papers), 'paper')} scored"

    async def _organize(self, state: WorkflowState) -> str:
        state.collection = await self.result_organizer.organize(
            state.scored_papers, _required(state.strategy), state.query
        )
        failed = {name: report.error for name, report in state.sources.items() if report.error}
        state.collection.metadata.failed_sources = failed
        state.collection.papers = kept_first(state.collection.papers, state.kept)
        state.scored_papers = []
        payload = ResultPayload(collection=state.collection, accumulated_papers=state.kept, iteration=state.iteration)
        self._pause(state, CheckpointKind.result_review, payload)
        return f"{_counted(len(state.collection.papers), 'paper')} in the collection"

    def _pause(self, state: WorkflowState, kind: CheckpointKind, payload: StrategyPayload | ResultPayload) -> None:
        state.phase = Phase.review if kind is CheckpointKind.result_review else Phase.confirm
        state.checkpoint = Checkpoint(kind=kind, payload=payload, run_id=state.run_id, iteration=state.iteration)


def _required(value: Value | None) -> Value:
    """What an earlier step must have left in the state."""
    if value is None:
        raise ValueError("The state lacks the result of an earlier step.")
    return value


def _counted(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"

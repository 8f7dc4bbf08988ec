"""The state of a search between two steps: serialisable, so any process can continue it."""

from uuid import uuid4

from pydantic import BaseModel, Field

from paper_search.models import (
    Paper,
    PaperCollection,
    ParsedIntent,
    RawPaper,
    ScoredPaper,
    SearchQuery,
    SearchStrategy,
    UserFeedback,
)
from paper_search.progress import Phase, SourceReport, StepRecord
from paper_search.skills.result_organizer import facets_of
from paper_search.workflow.checkpoints import Checkpoint


class StrategyEdits(BaseModel):
    """What a reviewer changed in strategies, to be kept in every further round."""

    queries: list[SearchQuery] = []
    sources: list[str] = []
    # Keywords of queries and learned words that were taken out: they are not proposed again.
    dropped: list[str] = []


class WorkflowState(BaseModel):
    """`phase` is what comes next; `checkpoint` is set while the search waits for a decision."""

    run_id: str = Field(default_factory=lambda: uuid4().hex)
    query: str
    phase: Phase = Phase.parse
    iteration: int = 0
    step: int = 0
    intent: ParsedIntent | None = None
    strategy: SearchStrategy | None = None
    previous_strategies: list[SearchStrategy] = []
    feedback: UserFeedback | None = None
    excluded: list[str] = []
    kept: list[Paper] = []
    rejected: list[Paper] = []
    # Left out of the result; an export can ask for them.
    unsure: list[Paper] = []
    edits: StrategyEdits = Field(default_factory=StrategyEdits)
    raw_papers: list[RawPaper] = []
    scored_papers: list[ScoredPaper] = []
    collection: PaperCollection | None = None
    checkpoint: Checkpoint | None = None
    result: PaperCollection | None = None
    sources: dict[str, SourceReport] = {}
    notices: list[str] = []
    history: list[StepRecord] = []

    @property
    def is_complete(self) -> bool:
        return self.phase is Phase.done

    @property
    def result_with_unsure(self) -> PaperCollection | None:
        """The result, followed by the papers marked unsure."""
        if self.result is None or not self.unsure:
            return self.result
        papers = [*self.result.papers, *self.unsure]
        return self.result.model_copy(update={"papers": papers, "facets": facets_of(papers)})

    @property
    def is_paused(self) -> bool:
        """Complete, or waiting for a decision."""
        return self.is_complete or self.checkpoint is not None

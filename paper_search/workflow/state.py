"""The state of a search between two steps: serialisable, so any process can continue it."""

import json
from uuid import uuid4

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from paper_search.models import (
    Paper,
    PaperCollection,
    ParsedIntent,
    Phase,
    RawPaper,
    Reading,
    ScoredPaper,
    SearchQuery,
    SearchStrategy,
    SourceFacts,
    SourceReport,
    StepRecord,
    UserFeedback,
)
from paper_search.plan import SearchPlan
from paper_search.skills.result_organizer import facets_of
from paper_search.workflow.checkpoints import Checkpoint
from paper_search.workflow.errors import UnusableState

# Cutting one field of a stored state may bring out an error in another.
ROUNDS = 6


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
    # Given by whoever started the search, instead of a text to be read.
    plan: SearchPlan | None = None
    phase: Phase = Phase.parse
    iteration: int = 0
    step: int = 0
    intent: ParsedIntent | None = None
    strategy: SearchStrategy | None = None
    # Those that a plan may name.
    offered_sources: list[str] = []
    previous_strategies: list[SearchStrategy] = []
    feedback: UserFeedback | None = None
    # A reviewer's note that the next round has to read, and what the last text was taken to say.
    unread_note: str | None = None
    reading: Reading | None = None
    # The plan was decided on: the strategy that is built from it is not asked about again.
    plan_confirmed: bool = False
    excluded: list[str] = []
    kept: list[Paper] = []
    rejected: list[Paper] = []
    # Left out of the result; an export can ask for them.
    unsure: list[Paper] = []
    edits: StrategyEdits = Field(default_factory=StrategyEdits)
    raw_papers: list[RawPaper] = []
    scored_papers: list[ScoredPaper] = []
    collection: PaperCollection | None = None
    # Where citations are followed: what was found before, which the result has too.
    found_before: PaperCollection | None = None
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
    def follows_citations(self) -> bool:
        return self.found_before is not None

    @property
    def is_paused(self) -> bool:
        """Complete, or waiting for a decision."""
        return self.is_complete or self.checkpoint is not None


def load_state(text: str) -> WorkflowState:
    """The state in a stored JSON text; what is beyond today's limits is cut to them.

    UnusableState if no part of it can be cut to make it a state.
    """
    try:
        data = json.loads(text)
        for _ in range(ROUNDS):
            try:
                state = WorkflowState.model_validate(data)
            except ValidationError as error:
                for problem in error.errors(include_url=False, include_input=False):
                    _cut(data, problem)
                continue
            # Version 0.3 stored in `raw_data` what is in `facts` now; a search that was under way then goes on with it.
            for paper in (*state.raw_papers, *(scored.paper for scored in state.scored_papers)):
                stored = {name: value for name, value in paper.raw_data.items() if name in SourceFacts.model_fields}
                if stored and paper.facts == SourceFacts():
                    paper.facts = SourceFacts.model_validate(stored)
            return state
    except (ValueError, RecursionError):
        pass
    raise UnusableState("The stored search cannot be read any more: start a new one.")


def _cut(data: object, problem: ErrorDetails) -> None:
    """Cut a text or list to its limit, set a number to the nearest allowed one; leave other problems alone."""
    parent = data
    *path, name = problem["loc"]
    for step in path:
        # A location also names the member of a union, which the data does not.
        parent = _child(parent, step) or parent
    value, bounds = _child(parent, name), problem.get("ctx", {})
    if not isinstance(parent, dict | list):
        return
    if "max_length" in bounds and isinstance(value, str | list):
        parent[name] = value[: bounds["max_length"]]  # type: ignore[index]  # it was found there
    elif "le" in bounds or "ge" in bounds:
        parent[name] = bounds.get("le", bounds.get("ge"))  # type: ignore[index]  # as above


def _child(parent: object, step: int | str) -> object:
    if isinstance(parent, dict):
        return parent.get(step)
    return parent[step] if isinstance(parent, list) and isinstance(step, int) and step < len(parent) else None

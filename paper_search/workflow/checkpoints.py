"""Checkpoints at which a search pauses, the decisions on them, and the handler that decides."""

import asyncio
from enum import StrEnum
from typing import Annotated, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, Field, ValidationError

from paper_search.models import (
    EitherCase,
    Note,
    Paper,
    PaperCollection,
    ParsedIntent,
    SearchStrategy,
    UserFeedback,
    problems,
    utc_now,
)
from paper_search.plan import SearchPlan, preferred_and_avoided
from paper_search.workflow.errors import InvalidAction, InvalidDecision
from papercore import limits
from papercore.tool import cleaned

Model = TypeVar("Model", bound=BaseModel)
PlanChanges = dict[str, object]


class CheckpointKind(StrEnum, metaclass=EitherCase):
    strategy_confirmation = "strategy_confirmation"
    result_review = "result_review"


class DecisionAction(StrEnum, metaclass=EitherCase):
    approve = "approve"
    edit = "edit"
    reject = "reject"


class StrategyPayload(BaseModel):
    """Before sources are asked; `plan` is what an edit may send back, with its fields filled in better."""

    intent: ParsedIntent
    strategy: SearchStrategy
    iteration: int = 0
    plan: SearchPlan | None = None


class ResultPayload(BaseModel):
    """Shown when results are in; `accumulated_papers` were kept in earlier iterations."""

    collection: PaperCollection
    accumulated_papers: list[Paper] = []
    iteration: int = 0


class Checkpoint(BaseModel):
    kind: CheckpointKind
    payload: StrategyPayload | ResultPayload
    run_id: str
    iteration: int = 0
    timestamp: str = Field(default_factory=utc_now)

    @property
    def checkpoint_id(self) -> str:
        """Unique: a run passes each kind once per iteration."""
        return f"{self.run_id}-{self.iteration}-{self.kind}"


class Decision(BaseModel):
    """`revised_data` is a SearchPlan or SearchStrategy at a strategy checkpoint, a UserFeedback at a review."""

    action: DecisionAction
    # Left to right, so that a plain dict stays one until the kind of checkpoint says what it must be.
    revised_data: Annotated[
        dict[str, object] | SearchStrategy | SearchPlan | UserFeedback | None, Field(union_mode="left_to_right")
    ] = None
    note: Note | None = None


@runtime_checkable
class CheckpointHandler(Protocol):
    """Whoever decides: a person, an agent, a test."""

    async def handle(self, checkpoint: Checkpoint) -> Decision: ...


class MCPCheckpointHandler:
    """Holds the workflow at a checkpoint until somebody else sets the decision."""

    def __init__(self) -> None:
        self._checkpoint_ready = asyncio.Event()
        self._decision_ready = asyncio.Event()
        self._decision_taken = asyncio.Event()
        self._current_checkpoint: Checkpoint | None = None
        self._decision: Decision | None = None

    async def handle(self, checkpoint: Checkpoint) -> Decision:
        self._current_checkpoint = checkpoint
        self._decision_ready.clear()
        self._decision_taken = asyncio.Event()
        self._checkpoint_ready.set()
        decision = None
        while decision is None:
            await self._decision_ready.wait()
            decision, self._decision = self._decision, None
        self._checkpoint_ready.clear()
        self._decision_taken.set()
        return decision

    def set_decision(self, decision: Decision) -> None:
        self._decision = decision
        self._decision_ready.set()

    @property
    def current_checkpoint(self) -> Checkpoint | None:
        return self._current_checkpoint

    @property
    def has_pending_checkpoint(self) -> bool:
        return self._checkpoint_ready.is_set()

    async def wait_for_checkpoint(self) -> None:
        await self._checkpoint_ready.wait()

    @property
    def decision_taken(self) -> asyncio.Event:
        """Set when the workflow has the current checkpoint's decision; each checkpoint has an event of its own."""
        return self._decision_taken


def make_decision(action: str, data: dict[str, object] | None, note: str | None) -> Decision:
    """A decision from what a caller sent. InvalidAction or InvalidDecision says what is wrong with it."""
    if action not in list(DecisionAction):
        raise InvalidAction("Invalid action: use approve, edit or reject", action=action[: limits.ID_CHARS])
    try:
        values = {"action": action, "revised_data": cleaned(data), "note": note}
        return Decision.model_validate(values)
    except ValidationError as error:
        raise InvalidDecision(f"The decision cannot be used: {problems(error)}") from None


def revised_strategy(decision: Decision) -> SearchStrategy | PlanChanges:
    """What an edit of the strategy sends: a whole strategy, which has queries, or else fields of the plan."""
    data = decision.revised_data
    if data is None:
        raise InvalidDecision("edit requires revised data: a SearchPlan or a SearchStrategy.")
    if isinstance(data, SearchPlan):
        data = data.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(data, dict) and "queries" not in data:
        return plan_changes(data)
    strategy = _revised_data(SearchStrategy, decision)
    if not strategy.queries or not strategy.sources:
        raise InvalidDecision("The revised strategy needs at least one query and one source.")
    return strategy


def plan_changes(data: PlanChanges) -> PlanChanges:
    """The fields of a plan that were sent, each checked."""
    try:
        plan = SearchPlan.model_validate(data)
    except ValidationError as error:
        raise InvalidDecision(f"The plan cannot be used: {problems(error)}") from None
    if not data:
        raise InvalidDecision("The plan is empty: send the fields that change.")
    if both := preferred_and_avoided(plan.prefer, plan.avoid):
        raise InvalidDecision(both)
    return data


def feedback_of(decision: Decision) -> UserFeedback:
    """The feedback in a decision on results: its data and its note."""
    if decision.action is DecisionAction.edit and decision.revised_data is None:
        raise InvalidDecision("edit requires revised data: a UserFeedback.")
    given = UserFeedback() if decision.revised_data is None else _revised_data(UserFeedback, decision)
    text = "\n".join(text for text in (given.free_text_feedback, decision.note) if text)
    if len(text) > limits.NOTE_CHARS:
        raise InvalidDecision(f"free_text_feedback and note: use at most {limits.NOTE_CHARS} characters in all.")
    if both := preferred_and_avoided(given.prefer, given.avoid):
        raise InvalidDecision(both)
    if given.constraints:
        plan_changes(given.constraints)
    if given.follow_citations and decision.action is DecisionAction.approve:
        raise InvalidDecision("follow_citations goes with edit: approve ends the search.")
    return given.model_copy(update={"free_text_feedback": text or None})


def check_decision(kind: CheckpointKind, decision: Decision) -> None:
    """Refuse a decision that `advance` would refuse, before it counts."""
    if kind is CheckpointKind.result_review:
        feedback_of(decision)
    elif decision.action is DecisionAction.edit or decision.revised_data:
        revised_strategy(decision)


def _revised_data(model: type[Model], decision: Decision) -> Model:
    data = decision.revised_data
    if isinstance(data, model):
        data = data.model_dump()  # a model may have been changed since it was checked
    if not isinstance(data, dict):
        raise InvalidDecision(f"The revised data must be a {model.__name__}.")
    try:
        return model.model_validate(data, extra="forbid")
    except ValidationError as error:
        raise InvalidDecision(f"The revised data is not a {model.__name__}: {problems(error)}") from None

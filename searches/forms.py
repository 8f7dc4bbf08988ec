"""Reads a decision, and marks of papers, from a submitted form."""

from typing import get_args

from django.http import QueryDict

from paper_search.models import UserFeedback
from paper_search.workflow.checkpoints import (
    Checkpoint,
    Decision,
    DecisionAction,
    StrategyPayload,
)
from paper_search.workflow.errors import InvalidDecision
from paper_search.workflow.session_state import Mark
from papercore import limits
from papercore.arguments import is_visible
from searches.strategy_form import strategy_of

MARKS: tuple[Mark, ...] = get_args(Mark)


def decision_of(form: QueryDict, checkpoint: Checkpoint) -> Decision:
    """What a person decided; marks are stored apart. InvalidDecision names the field that is wrong."""
    chosen = form.get("action", "")
    if chosen not in list(DecisionAction):
        raise InvalidDecision("Choose one: approve, edit or reject.")
    action = DecisionAction(chosen)
    text = form.get("note", "").strip().replace("\r\n", "\n")
    note = text if is_visible(text) else None
    if len(text) > limits.NOTE_CHARS:
        raise InvalidDecision(f"Note: write at most {limits.NOTE_CHARS} characters.")
    if isinstance(checkpoint.payload, StrategyPayload):
        data = strategy_of(form, checkpoint.payload.strategy) if action is DecisionAction.edit else None
        return Decision(action=action, revised_data=data, note=note)
    if action is DecisionAction.reject and note is None:
        raise InvalidDecision("Write a note: it tells the next round what to look for.")
    return Decision(action=action, revised_data=UserFeedback(), note=note)


def marks_of(form: QueryDict) -> dict[str, Mark | None]:
    """The mark of each paper that the form lists; None where it has none."""
    found: dict[str, Mark | None] = {}
    for name in form:
        number = name.removeprefix("paper-")
        if number != name and len(found) < limits.MARKS:
            chosen = form.get(f"verdict-{number}", "")
            found[str(form[name])] = next((mark for mark in MARKS if mark == chosen), None)
    return found

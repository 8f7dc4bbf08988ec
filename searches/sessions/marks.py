"""Marks of a review, stored as they are made: they survive a reload, and are there on another device."""

from collections.abc import Mapping
from typing import cast

from django.db import transaction

from paper_search.models import UserFeedback
from paper_search.workflow.checkpoints import Decision, ResultPayload, feedback_of
from paper_search.workflow.session_state import Mark
from paper_search.workflow.state import WorkflowState
from papercore import limits
from searches.models import PaperMark, SearchSession, Status

# How a decision names the marks.
_FIELDS: dict[str, Mark] = {
    "marked_relevant": "relevant",
    "marked_irrelevant": "irrelevant",
    "marked_unsure": "unsure",
}


def saved(row: SearchSession) -> dict[str, Mark]:
    """The marks by the papers' ids."""
    return {paper_id: cast("Mark", mark) for paper_id, mark in row.marks.values_list("paper_id", "mark")}


def save(row: SearchSession, state: WorkflowState, marks: Mapping[str, Mark | None]) -> None:
    """Store the marks of papers under review; None takes one back. Other papers are none of the session's."""
    payload = state.checkpoint.payload if state.checkpoint else None
    if row.status != Status.WAITING or not isinstance(payload, ResultPayload):
        return
    known = {paper.id for paper in payload.collection.papers if len(paper.id) <= limits.MARK_CHARS}
    made = {paper_id: mark for paper_id, mark in marks.items() if paper_id in known}
    with transaction.atomic():
        row.marks.filter(paper_id__in=[paper_id for paper_id, mark in made.items() if mark is None]).delete()
        PaperMark.objects.bulk_create(
            [PaperMark(session=row, paper_id=paper_id, mark=mark) for paper_id, mark in made.items() if mark],
            update_conflicts=True,
            unique_fields=["session", "paper_id"],
            update_fields=["mark"],
        )


def with_saved_marks(row: SearchSession, state: WorkflowState, decision: Decision) -> Decision:
    """A decision on results with the saved marks; its own count where both name a paper."""
    if state.checkpoint is None or not isinstance(state.checkpoint.payload, ResultPayload):
        return decision
    given = feedback_of(decision.model_copy(update={"note": None}))
    named = {paper_id for name in _FIELDS for paper_id in getattr(given, name)}
    shown = {paper.id for paper in state.checkpoint.payload.collection.papers}
    kept = {paper_id: mark for paper_id, mark in saved(row).items() if paper_id in shown - named}
    merged = {
        name: [*getattr(given, name), *(paper_id for paper_id, mark in kept.items() if mark == wanted)][: limits.MARKS]
        for name, wanted in _FIELDS.items()
    }
    return decision.model_copy(update={"revised_data": UserFeedback(**{**dict(given), **merged})})

"""Validates a spec of Spec Kit by what its template calls mandatory."""

from collections.abc import Iterator

from specs.reading.document import BINDING_WORD, SpecDocument
from specs.reading.validation import Issue

NUMBERS = ("FR-", "NFR-", "SC-")


def validate_spec_kit(document: SpecDocument) -> list[Issue]:
    """Every issue, in the order of its lines."""
    return sorted([*_missing(document), *_requirements(document), *_noticed(document)], key=lambda issue: issue.line)


def _missing(document: SpecDocument) -> Iterator[Issue]:
    names = [item.name for item in document.requirements]
    if all(name.startswith(NUMBERS) for name in names):
        yield Issue("error", 1, "A user story under “## User Scenarios & Testing” is missing.")
    if not any(name.startswith(("FR-", "NFR-")) for name in names):
        yield Issue("error", 1, "A functional requirement (FR-001) under “## Requirements” is missing.")
    if not any(name.startswith("SC-") for name in names):
        yield Issue("error", 1, "A success criterion (SC-001) under “## Success Criteria” is missing.")


def _requirements(document: SpecDocument) -> Iterator[Issue]:
    for item in document.requirements:
        if not item.text and item.name.startswith(NUMBERS):
            yield Issue("error", item.line, f"{item.name} has no text.")
        elif item.name.startswith("FR-") and not BINDING_WORD.search(item.text):
            yield Issue("warning", item.line, f"{item.name} should say MUST or SHALL.")


def _noticed(document: SpecDocument) -> Iterator[Issue]:
    for notice in document.notices:
        if notice.code == "duplicate_requirement":
            yield Issue("error", notice.line, notice.message)
        elif notice.code in ("no_scenarios", "needs_clarification", "not_utf8"):
            yield Issue("warning", notice.line, notice.message)

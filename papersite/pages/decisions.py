"""What a person decides on the page of an addition: what comes in, which fields change, what is the same, and edits."""

from collections.abc import Sequence
from typing import cast

from django.http import QueryDict

from ingest import BuildError, Decisions, FieldChange, PaperChange
from ingest.matching.corrections import FIELDS, LISTS, Corrections, Field, Value, corrections_of


def read_decisions(sent: QueryDict, changes: Sequence[PaperChange]) -> Decisions:
    """A page without boxes decides nothing. BuildError for what was typed and makes no sense."""
    if "boxes" not in sent:
        return Decisions()
    left_out, apart = set[str](), set[str]()
    same: dict[str, str] = {}
    corrections: dict[str, Corrections] = {}
    for number, change in enumerate(changes):
        if not change.sources or change.kind not in ("added", "changed"):
            continue
        if f"take-{number}" not in sent:
            left_out.update(change.sources)
            continue
        choice = sent.get(f"is-{number}", "")
        if choice == "another":
            apart.update(change.sources)
        elif choice in {twin.paper_id for twin in change.twins}:
            same |= dict.fromkeys(change.sources, choice)
        corrected = _typed(sent, number, change)
        if choice != "another":
            # What stays as it is although a source says otherwise is a person's word from then on.
            kept = [field for field in change.fields if f"field-{number}-{field.name}" not in sent]
            corrected = {cast("Field", field.name): _stored(field) for field in kept} | corrected
        if corrected:
            corrections[change.sources[0]] = corrected
    return Decisions(left_out, corrections, apart, same)


def _stored(field: FieldChange) -> Value:
    """As it is: nobody typed it, so it is not checked as what people type."""
    return tuple(filter(None, field.old.split("; "))) if field.name in LISTS else field.old


def _typed(sent: QueryDict, number: int, change: PaperChange) -> dict[Field, Value]:
    given: dict[str, str] = {}
    for name in FIELDS:
        text = shown_value(change, name)
        typed = sent.get(f"edit-{number}-{name}", text)
        if typed.split() != text.split():
            given[name] = typed
    try:
        return corrections_of(given)
    except BuildError as error:
        raise BuildError(f"{change.title or 'A paper'}: {error}") from None


def shown_value(change: PaperChange, name: Field) -> str:
    """As it stands in the field: lists on one line."""
    value = change.values.get(name, "")
    return value.replace("\n", "; ") if name in LISTS else value

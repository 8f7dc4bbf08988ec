"""Changes as the pages show them: what an open change does to a spec, and how its texts differ."""

from msgspec import Struct

from specs.pages.requirements import (
    ShownRequirement,
    block_html,
    change_url,
    requirement_anchor,
    shown_requirements,
    spec_url,
)
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta, difference, former_requirement
from specs.reading.document import DELTA_SECTIONS, Requirement


class DeltaRow(Struct, frozen=True):
    """A line in the table of what a change does to one spec."""

    kind: str
    name: str
    anchor: str
    effect: str


class DiffLine(Struct, frozen=True):
    kind: str
    text: str


class Diff(Struct, frozen=True):
    """How a modified requirement differs from the one in force."""

    name: str
    lines: list[DiffLine]


class OpenChange(Struct, frozen=True):
    """A change that touches the spec shown, with what it does to it."""

    change: Change
    url: str
    rows: list[DeltaRow]
    diffs: list[Diff]


class ShownDelta(Struct, frozen=True):
    """One file of a change; `url` leads to the spec that it changes; a new one has a `purpose` instead."""

    delta: Delta
    url: str
    purpose: str
    requirements: list[ShownRequirement]
    diffs: list[Diff]


def open_changes(spec: Spec, changes: list[Change]) -> list[OpenChange]:
    """The changes that touch the spec."""
    return [
        OpenChange(change, change_url(change), _delta_rows(spec, delta), _diffs(spec, delta))
        for change in changes
        for delta in change.deltas
        if delta.spec.local_id == spec.local_id
    ]


def marks(changes: list[OpenChange]) -> dict[str, list[str]]:
    """For each requirement the kinds of open changes that touch it."""
    found: dict[str, list[str]] = {}
    for change in changes:
        for row in change.rows:
            kinds = found.setdefault(row.name, [])
            if row.kind not in kinds:
                kinds.append(row.kind)
    return found


def shown_delta(delta: Delta, spec: Spec | None) -> ShownDelta:
    """A delta with its requirements marked by kind; `spec` is the one that it changes, if that exists."""
    requirements = [
        shown
        for kind in DELTA_SECTIONS
        for shown in shown_requirements(delta.in_section(kind), {item.name: [kind] for item in delta.in_section(kind)})
    ]
    if spec is None:
        return ShownDelta(delta, "", block_html(delta.spec.document.purpose), requirements, [])
    return ShownDelta(delta, spec_url(spec), "", requirements, _diffs(spec, delta))


def _delta_rows(spec: Spec, delta: Delta) -> list[DeltaRow]:
    rows = [
        DeltaRow(kind, item.name, requirement_anchor(spec, item.name), _effect(kind, item))
        for kind in DELTA_SECTIONS
        for item in delta.in_section(kind)
    ]
    return rows + [
        DeltaRow("renamed", rename.old, requirement_anchor(spec, rename.old), f"becomes “{rename.new}”")
        for rename in delta.renames
    ]


def _effect(kind: str, item: Requirement) -> str:
    if kind == "removed":
        return item.text.replace("**", "").split("\n")[0] or "no reason given"
    count = len(item.scenarios)
    return f"{count} scenario{'' if count == 1 else 's'}"


def _diffs(spec: Spec, delta: Delta) -> list[Diff]:
    kinds = {"-": "gd", "+": "gi"}
    return [
        Diff(item.name, [DiffLine(kinds.get(line[0], ""), line) for line in difference(item, former)])
        for item in delta.in_section("modified")
        if (former := former_requirement(item, delta, spec))
    ]

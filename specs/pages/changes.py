"""Changes as the pages show them: what an open change does to a spec, and how its texts differ."""

import difflib

from msgspec import Struct

from specs.pages.requirements import ShownRequirement, change_url, requirement_anchor, shown_requirements, spec_url
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta
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
    """One file of a change; `url` leads to the spec that it changes, and is empty for a new one."""

    delta: Delta
    url: str
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
        return ShownDelta(delta, "", requirements, [])
    return ShownDelta(delta, spec_url(spec), requirements, _diffs(spec, delta))


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
    """Each modified requirement against the one in force that has its name, before or after a rename."""
    renamed = {rename.new: rename.old for rename in delta.renames}
    current = {item.name: item for item in spec.document.in_force}
    found = []
    for item in delta.in_section("modified"):
        former = current.get(item.name) or current.get(renamed.get(item.name, ""))
        if former:
            found.append(Diff(item.name, _diff(_lines(former), _lines(item))))
    return found


def _lines(item: Requirement) -> list[str]:
    """The lines of a requirement that are not blank: blank ones differ without meaning anything."""
    blocks = [item.text, *(f"#### Scenario: {scenario.name}\n{scenario.body}" for scenario in item.scenarios)]
    return [line.rstrip() for text in blocks for line in text.split("\n") if line.strip()]


def _diff(old: list[str], new: list[str]) -> list[DiffLine]:
    kinds = {"-": "gd", "+": "gi", " ": ""}
    lines = difflib.unified_diff(old, new, n=1, lineterm="")
    return [DiffLine(kinds[line[0]], line) for line in lines if line[:3] not in ("---", "+++") and line[0] in kinds]

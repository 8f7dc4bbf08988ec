"""What the pages show: specs and changes with anchors, rendered text and the marks of open changes."""

import difflib
from dataclasses import dataclass

from django.utils.safestring import SafeString

from specs.pages import html
from specs.pages.links import change_url, spec_url
from specs.reading.catalogue import Spec
from specs.reading.changes import Change, Delta
from specs.reading.document import Clause, Requirement, Scenario, Section

# With more scenarios than these the outline names requirements only.
OUTLINE_SCENARIOS = 14
# Scenarios and steps on one page; real specs have a few hundred. The rest is in the Markdown.
PARTS_SHOWN = 2_000
KINDS: tuple[Section, ...] = ("added", "modified", "removed")


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a scenario; `kind` is its colour."""

    keyword: str
    kind: str
    text: SafeString


@dataclass(frozen=True, slots=True)
class ShownScenario:
    name: str
    anchor: str
    preamble: SafeString
    steps: list[Step]


@dataclass(frozen=True, slots=True)
class ShownRequirement:
    number: int
    name: str
    anchor: str
    lang: str
    text: SafeString
    marks: list[str]
    scenarios: list[ShownScenario]


@dataclass(frozen=True, slots=True)
class DeltaRow:
    """A line in the table of what a change does to one spec."""

    kind: str
    name: str
    anchor: str
    effect: str


@dataclass(frozen=True, slots=True)
class DiffLine:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """How a modified requirement differs from the one in force."""

    name: str
    lines: list[DiffLine]


@dataclass(frozen=True, slots=True)
class OpenChange:
    change: Change
    url: str
    rows: list[DeltaRow]
    diffs: list[Diff]


@dataclass(frozen=True, slots=True)
class ShownDelta:
    delta: Delta
    url: str
    requirements: list[ShownRequirement]
    diffs: list[Diff]


def delta_count(delta: Delta) -> int:
    """How many requirements a delta touches."""
    return sum(len(delta.of(kind)) for kind in KINDS) + len(delta.renames)


def shown_delta(delta: Delta, spec: Spec | None) -> ShownDelta:
    """A delta with its requirements marked by kind, beside the spec that it changes, if that exists."""
    items = [
        item
        for kind in KINDS
        for item in shown_requirements(delta.of(kind), {item.name: [kind] for item in delta.of(kind)})
    ]
    url = spec_url(spec) if spec else ""
    return ShownDelta(delta, url, items, diffs(spec, delta.spec))


def anchor_of(spec: Spec, name: str) -> str:
    """Where the first requirement of that name stands on the spec's page; empty if there is none."""
    anchors = html.Anchors()
    named = [(item.name, anchors.of(item.name)) for item in spec.document.in_force]
    return next((anchor for requirement, anchor in named if requirement == name), "")


def shown_requirements(items: tuple[Requirement, ...], marks: dict[str, list[str]]) -> list[ShownRequirement]:
    """The requirements as the page shows them; of a monstrous file only the first."""
    anchors = html.Anchors()
    named = [(item, anchors.of(item.name)) for item in items]
    shown: list[ShownRequirement] = []
    parts = 0
    for item, anchor in named:
        if parts > PARTS_SHOWN:
            break
        parts += 1 + sum(1 + len(scenario.clauses) for scenario in item.scenarios)
        shown.append(_shown_requirement(len(shown) + 1, item, anchor, marks.get(item.name, []), anchors))
    return shown


def _shown_requirement(
    number: int, item: Requirement, anchor: str, marks: list[str], anchors: html.Anchors
) -> ShownRequirement:
    return ShownRequirement(
        number=number,
        name=item.name,
        anchor=anchor,
        lang=html.language(item.name + item.text),
        text=html.block(item.text),
        marks=marks,
        scenarios=[
            _shown(scenario, anchors.of(f"{anchor} {scenario.name}")) for scenario in item.scenarios[:PARTS_SHOWN]
        ],
    )


def _shown(scenario: Scenario, anchor: str) -> ShownScenario:
    text = scenario.preamble if scenario.clauses else scenario.body
    steps = [_step(clause) for clause in scenario.clauses[:PARTS_SHOWN]]
    return ShownScenario(scenario.name, anchor, html.block(text), steps)


def _step(clause: Clause) -> Step:
    leading = clause.keyword in ("GIVEN", "WHEN", "THEN")
    return Step(clause.keyword, clause.role if leading else "and", html.inline(clause.text))


def open_changes(spec: Spec, changes: list[Change]) -> list[OpenChange]:
    """The changes that touch the spec, with what each does to it."""
    found = []
    for change in changes:
        touching = [delta.spec for delta in change.deltas if delta.spec.local_id == spec.local_id]
        if touching:
            found.append(OpenChange(change, change_url(change), _rows(spec, touching[0]), diffs(spec, touching[0])))
    return found


def marks(changes: list[OpenChange]) -> dict[str, list[str]]:
    """For each requirement the kinds of open changes that touch it."""
    found: dict[str, list[str]] = {}
    for change in changes:
        for row in change.rows:
            kinds = found.setdefault(row.name, [])
            if row.kind not in kinds:
                kinds.append(row.kind)
    return found


def _rows(spec: Spec, delta: Spec) -> list[DeltaRow]:
    rows = [
        DeltaRow(kind, item.name, anchor_of(spec, item.name), _effect(kind, item))
        for kind in KINDS
        for item in delta.document.of(kind)
    ]
    return rows + [
        DeltaRow("renamed", rename.old, anchor_of(spec, rename.old), f"becomes “{rename.new}”")
        for rename in delta.document.renames
    ]


def _effect(kind: str, item: Requirement) -> str:
    if kind == "removed":
        return item.text.replace("**", "").split("\n")[0] or "no reason given"
    count = len(item.scenarios)
    return f"{count} scenario{'' if count == 1 else 's'}"


def diffs(spec: Spec | None, delta: Spec) -> list[Diff]:
    """Each modified requirement against the one in force that has its name, before or after a rename."""
    renamed = {rename.new: rename.old for rename in delta.document.renames}
    current = {item.name: item for item in spec.document.in_force} if spec else {}
    found = []
    for item in delta.document.of("modified"):
        former = current.get(item.name) or current.get(renamed.get(item.name, ""))
        if former:
            found.append(Diff(item.name, _diff(_lines(former), _lines(item))))
    return found


def _lines(item: Requirement) -> list[str]:
    """A requirement as lines, without the blank ones, which differ for no reason."""
    blocks = [item.text, *(f"#### Scenario: {scenario.name}\n{scenario.body}" for scenario in item.scenarios)]
    return [line.rstrip() for text in blocks for line in text.split("\n") if line.strip()]


def _diff(old: list[str], new: list[str]) -> list[DiffLine]:
    kinds = {"-": "gd", "+": "gi", " ": ""}
    lines = difflib.unified_diff(old, new, n=1, lineterm="")
    return [DiffLine(kinds[line[0]], line) for line in lines if line[:3] not in ("---", "+++") and line[0] in kinds]

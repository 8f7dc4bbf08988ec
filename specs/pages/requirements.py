"""Requirements and scenarios as the pages show them: numbered, with anchors, addresses and rendered text."""

import re
from collections import Counter

from django.urls import reverse
from django.utils.safestring import SafeString
from msgspec import Struct

from papercore.text import cjk_language
from specs.pages import html
from specs.reading.catalogue import Spec
from specs.reading.changes import Change
from specs.reading.document import Requirement

# Scenarios and steps on one page; real specs have a few hundred. The Markdown has the rest.
PARTS_SHOWN = 2_000


class ShownStep(Struct, frozen=True):
    """One line of a scenario; `kind` decides its colour."""

    keyword: str
    kind: str
    text: SafeString


class ShownScenario(Struct, frozen=True):
    name: str
    anchor: str
    preamble: SafeString
    steps: list[ShownStep]


class ShownRequirement(Struct, frozen=True):
    """`marks` are the kinds of open changes that touch it."""

    number: int
    name: str
    anchor: str
    lang: str
    text: SafeString
    marks: list[str]
    scenarios: list[ShownScenario]


class Anchors:
    """Makes the anchors of one page: readable, and never the same twice."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def new(self, name: str) -> str:
        slug = re.sub(r"\W+", "-", name.lower()).strip("-")[:60].strip("-") or "part"
        self._taken[slug] += 1
        return slug if self._taken[slug] == 1 else f"{slug}--{self._taken[slug]}"


def requirement_anchor(spec: Spec, name: str) -> str:
    """The anchor of the first requirement of that name on the spec's page; empty if there is none."""
    anchors = Anchors()
    named = [(item.name, anchors.new(item.name)) for item in spec.document.in_force]
    return next((anchor for requirement, anchor in named if requirement == name), "")


def shown_requirements(items: tuple[Requirement, ...], marks: dict[str, list[str]]) -> list[ShownRequirement]:
    """The requirements as the page shows them; only the first of a file too long for one page."""
    anchors = Anchors()
    # Requirements get their anchors before any scenario does, so that links to them stay short.
    named = [(item, anchors.new(item.name)) for item in items]
    shown: list[ShownRequirement] = []
    parts = 0
    for item, anchor in named:
        if parts > PARTS_SHOWN:
            break
        parts += 1 + sum(1 + len(scenario.clauses) for scenario in item.scenarios)
        requirement = ShownRequirement(
            number=len(shown) + 1,
            name=item.name,
            anchor=anchor,
            lang=cjk_language(item.name + item.text),
            text=html.block(item.text),
            marks=marks.get(item.name, []),
            scenarios=_shown_scenarios(item, anchor, anchors),
        )
        shown.append(requirement)
    return shown


def _shown_scenarios(item: Requirement, anchor: str, anchors: Anchors) -> list[ShownScenario]:
    shown = []
    for scenario in item.scenarios[:PARTS_SHOWN]:
        steps = [
            ShownStep(
                keyword=clause.keyword,
                kind=clause.role if clause.keyword in ("GIVEN", "WHEN", "THEN") else "and",
                text=html.inline(clause.text),
            )
            for clause in scenario.clauses[:PARTS_SHOWN]
        ]
        text = html.block(scenario.preamble if scenario.clauses else scenario.body)
        shown.append(ShownScenario(scenario.name, anchors.new(f"{anchor} {scenario.name}"), text, steps))
    return shown


def spec_url(spec: Spec) -> str:
    return reverse("spec", kwargs={"project": spec.project, "local_id": spec.local_id})


def change_url(change: Change) -> str:
    return reverse("spec-change", kwargs={"project": change.project, "local_id": change.local_id})

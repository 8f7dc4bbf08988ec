"""Requirements and scenarios as the pages show them: numbered, with anchors, addresses and rendered text.

The text is rendered Markdown in which SHALL and MUST are emphasised.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from papercore.rendering import render
from papercore.text import cjk_language
from specs.reading.catalogue import Spec
from specs.reading.changes import Change
from specs.reading.document import BINDING_WORD, Requirement
from specs.search.soft_match import words
from specs.verification import RequirementTests

# Scenarios and steps on one page; real specs have a few hundred. The Markdown has the rest.
PARTS_SHOWN = 2_000
# Up to the end of the text where nothing closes it, so that each character is read once.
TAG = re.compile(r"(<[^>]*(?:>|\Z))")
# Text without any of these needs no Markdown renderer.
MARKUP = re.compile(r"[*_`#<>\[\]|\\&$~!\n^:]|\d[.)]|^\s*[-+]|https?")
ONE_PARAGRAPH = re.compile(r"\A<p>((?:(?!</?p>).)*)</p>\s*\Z", re.DOTALL)


class ShownStep(Struct, frozen=True):
    """One line of a scenario; `kind` decides its colour."""

    keyword: str
    kind: str
    text: SafeString


class ShownScenario(Struct, frozen=True):
    """`tests` are places of tests; None where nobody named a folder of tests."""

    name: str
    anchor: str
    preamble: SafeString
    steps: list[ShownStep]
    tests: list[str] | None = None


class ShownRequirement(Struct, frozen=True):
    """`marks` are the kinds of open changes that touch it."""

    number: int
    name: str
    anchor: str
    lang: str
    text: SafeString
    marks: list[str]
    scenarios: list[ShownScenario]
    tests: list[str] = []


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


def shown_requirements(
    items: tuple[Requirement, ...], marks: dict[str, list[str]], tests: Sequence[RequirementTests] | None = None
) -> list[ShownRequirement]:
    """The requirements as the page shows them, with their tests if there are any; only the first of a file too long
    for one page."""
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
            text=block_html(item.text),
            marks=marks.get(item.name, []),
            scenarios=_shown_scenarios(item, anchor, anchors, tests[len(shown)] if tests else None),
            tests=[str(place) for place in tests[len(shown)].tests] if tests else [],
        )
        shown.append(requirement)
    return shown


def _shown_scenarios(
    item: Requirement, anchor: str, anchors: Anchors, tests: RequirementTests | None
) -> list[ShownScenario]:
    shown = []
    for place, scenario in enumerate(item.scenarios[:PARTS_SHOWN]):
        steps = [
            ShownStep(
                keyword=clause.keyword,
                kind=clause.role if clause.keyword in ("GIVEN", "WHEN", "THEN") else "and",
                text=inline_html(clause.text),
            )
            for clause in scenario.clauses[:PARTS_SHOWN]
        ]
        text = block_html(scenario.preamble if scenario.clauses else scenario.body)
        places = [str(test) for test in tests.scenarios[place].tests] if tests else None
        shown.append(ShownScenario(scenario.name, anchors.new(f"{anchor} {scenario.name}"), text, steps, places))
    return shown


@lru_cache(maxsize=8_192)
def block_html(text: str) -> SafeString:
    """Markdown as paragraphs, lists, tables and code."""
    return mark_safe(_emphasised(render(text, top=5).html))  # noqa: S308 (cleaned by the renderer)


@lru_cache(maxsize=16_384)
def inline_html(text: str) -> SafeString:
    """One step or sentence; a single paragraph comes without its <p>."""
    if not MARKUP.search(text):
        return mark_safe(_emphasised(str(escape(text))))  # noqa: S308 (escaped)
    html = render(text, top=5).html
    single = ONE_PARAGRAPH.match(html)
    return mark_safe(_emphasised(single[1] if single else html))  # noqa: S308 (cleaned by the renderer)


def _emphasised(html: str) -> str:
    """Emphasise SHALL and MUST, but not inside code or tags."""
    parts = TAG.split(html)
    inside_code = 0
    for index, part in enumerate(parts):
        if index % 2:
            inside_code += part.startswith(("<code", "<pre")) - part.startswith(("</code", "</pre"))
        elif not inside_code:
            # Without attributes: harmless even where a stray ">" ended a tag too early.
            parts[index] = BINDING_WORD.sub(r"<strong>\g<0></strong>", part)
    return "".join(parts)


def highlighted(text: str, query: str) -> SafeString:
    """Plain text in which the words of the query are marked."""
    asked = {word.stem for word in words(query)}
    parts = re.split(r"(\w+)", text.replace("`", "").replace("**", ""))
    shown = [
        f"<mark>{escape(part)}</mark>" if asked & {word.stem for word in words(part)} else str(escape(part))
        for part in parts
    ]
    return mark_safe("".join(shown))  # noqa: S308 (every part is escaped)


def spec_url(spec: Spec) -> str:
    return reverse("spec", kwargs={"project": spec.project, "local_id": spec.local_id})


def change_url(change: Change) -> str:
    return reverse("spec-change", kwargs={"project": change.project, "local_id": change.local_id})

"""What the reader notices about a file as a whole: missing parts, doubled names, sections out of place."""

import re
from collections.abc import Iterator

from specs.reading.document import Document, Notice, Requirement
from specs.reading.outline import Outline

ARCHIVED = "TBD - created by archiving change "


def is_placeholder(purpose: str) -> bool:
    """A purpose that nobody has written yet, such as the one the archive command leaves behind."""
    shouted = re.match(r"(?:TBD|TODO)(?!\w)", purpose)
    muttered = re.match(r"(?:tbd|todo)[ \t]*(?:$|\n|[-:.,;–—()\[\]{}])", purpose, re.IGNORECASE)
    return bool(shouted or muttered) or ARCHIVED in purpose


def whole_file_notices(document: Document, outline: Outline, *, delta: bool) -> Iterator[Notice]:
    if outline.open_fence is not None:
        yield Notice(
            "open_fence",
            outline.open_fence + 1,
            "A code fence opens here and never closes: the rest is text.",
        )
    if not delta:
        yield from _purpose(document)
        yield from _main_sections(document)
    yield from _duplicates(document)
    yield from _without_scenarios(document)


def _purpose(document: Document) -> Iterator[Notice]:
    if not document.purpose_line:
        yield Notice("no_purpose", 1, "There is no “Purpose” section.")
    elif not document.purpose:
        yield Notice("no_purpose", document.purpose_line, "The “Purpose” section is empty.")
    elif is_placeholder(document.purpose):
        yield Notice("placeholder_purpose", document.purpose_line, "The purpose is still a placeholder.")


def _main_sections(document: Document) -> Iterator[Notice]:
    for item in document.requirements:
        if item.section == "outside":
            message = f"Requirement “{item.name}” stands outside the “Requirements” section; it is served anyway."
            yield Notice("outside_section", item.line, message)
        elif item.section == "removed":
            message = f"Requirement “{item.name}” stands under “REMOVED Requirements”; it is left out."
            yield Notice("delta_section", item.line, message)
        elif item.section in ("added", "modified"):
            section = f"“{item.section.upper()} Requirements”, a section for changes"
            message = f"Requirement “{item.name}” stands under {section}; it is served anyway."
            yield Notice("delta_section", item.line, message)


def _duplicates(document: Document) -> Iterator[Notice]:
    seen: dict[tuple[str, str], Requirement] = {}
    for item in document.requirements:
        first = seen.setdefault((item.section, item.name), item)
        if first is not item:
            message = f"Requirement “{item.name}” is already on line {first.line}; both are served."
            yield Notice("duplicate_requirement", item.line, message)
        names: set[str] = set()
        for scenario in item.scenarios:
            if scenario.name in names:
                message = f"Scenario “{scenario.name}” is there twice in “{item.name}”; the first is served."
                yield Notice("duplicate_scenario", scenario.line, message)
            names.add(scenario.name)


def _without_scenarios(document: Document) -> Iterator[Notice]:
    for item in document.requirements:
        if not item.scenarios and item.section != "removed":
            yield Notice("no_scenarios", item.line, f"Requirement “{item.name}” has no scenario.")

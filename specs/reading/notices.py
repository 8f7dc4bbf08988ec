"""What is odd about a file as a whole: missing parts, duplicate names, sections out of place."""

import re
from collections.abc import Iterator

from specs.reading.document import Notice, Requirement, SpecDocument
from specs.reading.outline import Outline

# What OpenSpec's archive command writes as the purpose of a new spec.
ARCHIVE_PURPOSE = "TBD - created by archiving change "
PLACEHOLDER = re.compile(r"(?:TBD|TODO)(?!\w)|(?i:tbd|todo)[ \t]*(?:$|\n|[-:.,;–—()\[\]{}])")


def is_placeholder(purpose: str) -> bool:
    """A purpose that nobody has written yet."""
    return bool(PLACEHOLDER.match(purpose)) or ARCHIVE_PURPOSE in purpose


def whole_file_notices(document: SpecDocument, outline: Outline, *, delta: bool) -> Iterator[Notice]:
    if outline.open_fence is not None:
        message = "A code fence opens here and is never closed: the rest of the file is code."
        yield Notice("open_fence", outline.open_fence + 1, message)
    if not delta:
        yield from _main_spec_notices(document)
    seen: dict[tuple[str, str], Requirement] = {}
    for item in document.requirements:
        first = seen.setdefault((item.section, item.name), item)
        if first is not item:
            message = f"Requirement “{item.name}” is already on line {first.line}; both are served."
            yield Notice("duplicate_requirement", item.line, message)
        names: set[str] = set()
        for scenario in item.scenarios:
            if scenario.name in names:
                message = f"Scenario “{scenario.name}” occurs twice in “{item.name}”; the first is served."
                yield Notice("duplicate_scenario", scenario.line, message)
            names.add(scenario.name)
        if not item.scenarios and item.section != "removed":
            yield Notice("no_scenarios", item.line, f"Requirement “{item.name}” has no scenario.")


def _main_spec_notices(document: SpecDocument) -> Iterator[Notice]:
    """A purpose that nobody wrote, and requirements where a main spec has none."""
    if not document.purpose_line:
        yield Notice("no_purpose", 1, "There is no “Purpose” section.")
    elif not document.purpose:
        yield Notice("no_purpose", document.purpose_line, "The “Purpose” section is empty.")
    elif is_placeholder(document.purpose):
        yield Notice("placeholder_purpose", document.purpose_line, "The purpose is still a placeholder.")
    for item in document.requirements:
        if item.section == "outside":
            message = f"Requirement “{item.name}” is outside the “Requirements” section; it is served anyway."
            yield Notice("outside_section", item.line, message)
        elif item.section == "removed":
            message = f"Requirement “{item.name}” is under “REMOVED Requirements”; it is left out."
            yield Notice("delta_section", item.line, message)
        elif item.section in ("added", "modified"):
            section = f"“{item.section.upper()} Requirements”, a section for changes"
            message = f"Requirement “{item.name}” is under {section}; it is served anyway."
            yield Notice("delta_section", item.line, message)

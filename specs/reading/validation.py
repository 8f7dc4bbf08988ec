"""What is odd about a spec file (notices, served beside it), and what makes it invalid (issues)."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from specs.reading.document import BINDING_WORD, Notice, Requirement, SpecDocument
from specs.reading.outline import (
    DELTA_TITLES,
    PURPOSE_TITLES,
    REQUIREMENT_LABEL,
    REQUIREMENTS_TITLES,
    SCENARIO_LABEL,
    Outline,
    fenced_lines,
)

MIN_PURPOSE_CHARS = 50
MAX_STATEMENT_CHARS = 500
TRANSLATED = re.compile(rf"(?![a-z])(?:{REQUIREMENT_LABEL}|{SCENARIO_LABEL})", re.IGNORECASE)
TRANSLATED_TITLES = {title for title in (*PURPOSE_TITLES, *REQUIREMENTS_TITLES, *DELTA_TITLES) if not title.isascii()}
METADATA = re.compile(r"\*\*[^*]+\*\*:")
# How Spec Kit numbers requirements and success criteria.
NUMBERS = ("FR-", "NFR-", "SC-")


class Issue(Struct, frozen=True):
    """Errors and warnings make a spec invalid; an info does not."""

    level: Literal["error", "warning", "info"]
    line: int
    message: str


def validate(document: SpecDocument) -> list[Issue]:
    """Every issue of a main spec of either kind, in the order of its lines."""
    if document.kind == "document":
        return []
    document = replace(document, requirements=()) if document.by_sections else document
    issues = _spec_kit_issues(document) if document.kind == "spec_kit" else _openspec_issues(document)
    return sorted(issues, key=lambda issue: issue.line)


def _section_issues(document: SpecDocument) -> Iterator[Issue]:
    if not document.purpose:
        yield Issue("error", document.purpose_line or 1, "A “## Purpose” section with text is missing.")
    elif is_placeholder(document.purpose):
        yield Issue("warning", document.purpose_line, "The purpose is still a placeholder.")
    elif len(document.purpose) < MIN_PURPOSE_CHARS:
        yield Issue("warning", document.purpose_line, f"The purpose is shorter than {MIN_PURPOSE_CHARS} characters.")
    if all(heading.section != "requirements" for heading in document.sections):
        yield Issue("error", 1, "A “## Requirements” section is missing.")
    elif not document.in_section("requirements"):
        yield Issue("error", 1, "The “## Requirements” section holds no requirement.")
    for heading in document.sections:
        if heading.section != "requirements":
            title = f"## {heading.section.upper()} Requirements"
            yield Issue("error", heading.line, f"“{title}” belongs in a change, not in a main spec.")


def _openspec_issues(document: SpecDocument) -> Iterator[Issue]:
    yield from _section_issues(document)
    for notice in document.notices:
        if notice.code in ("not_utf8", "open_fence"):
            yield Issue("warning", notice.line, notice.message)
        elif notice.code == "translated":
            yield Issue("error", notice.line, notice.message)
    seen: dict[str, int] = {}
    for item in document.requirements:
        if item.section != "requirements":
            yield Issue("error", item.line, f"Requirement “{item.name}” is outside “## Requirements”.")
        elif item.name in seen:
            yield Issue("error", item.line, f"Requirement “{item.name}” repeats the one on line {seen[item.name]}.")
        seen.setdefault(item.name, item.line)
        if item.section == "requirements":
            yield from _requirement_issues(item)


def _requirement_issues(item: Requirement) -> Iterator[Issue]:
    # Code blocks do not count, and `**Key**: value` lines only if there is nothing else.
    lines = item.text.split("\n")
    fenced, _ = fenced_lines(lines)
    lines = [line.strip() for index, line in enumerate(lines) if line.strip() and index not in fenced]
    statement = "\n".join([line for line in lines if not METADATA.match(line)] or lines)
    if not statement:
        yield Issue("error", item.line, f"Requirement “{item.name}” has no text; say what SHALL or MUST hold.")
    elif not BINDING_WORD.search(statement):
        where = " in its text, not only in its heading" if BINDING_WORD.search(item.name) else ""
        yield Issue("warning", item.line, f"Requirement “{item.name}” should say SHALL or MUST{where}.")
    if len(statement) > MAX_STATEMENT_CHARS:
        yield Issue("info", item.line, f"Requirement “{item.name}” is longer than {MAX_STATEMENT_CHARS} characters.")
    if not item.scenarios:
        yield Issue("error", item.line, f"Requirement “{item.name}” needs at least one scenario with steps.")


def _spec_kit_issues(document: SpecDocument) -> Iterator[Issue]:
    names = [item.name for item in document.requirements]
    if all(name.startswith(NUMBERS) for name in names):
        yield Issue("error", 1, "A user story under “## User Scenarios & Testing” is missing.")
    if not any(name.startswith(("FR-", "NFR-")) for name in names):
        yield Issue("error", 1, "A functional requirement (FR-001) under “## Requirements” is missing.")
    if not any(name.startswith("SC-") for name in names):
        yield Issue("error", 1, "A success criterion (SC-001) under “## Success Criteria” is missing.")
    for item in document.requirements:
        if not item.text and item.name.startswith(NUMBERS):
            yield Issue("error", item.line, f"{item.name} has no text.")
        elif item.name.startswith("FR-") and not BINDING_WORD.search(item.text):
            yield Issue("warning", item.line, f"{item.name} should say MUST or SHALL.")
    for notice in document.notices:
        if notice.code == "duplicate_requirement":
            yield Issue("error", notice.line, notice.message)
        elif notice.code in ("no_scenarios", "needs_clarification", "not_utf8"):
            yield Issue("warning", notice.line, notice.message)


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
    for heading in outline.headings:
        if heading.title in TRANSLATED_TITLES or TRANSLATED.match(heading.title):
            message = f"“{heading.title}” is read as what it means; OpenSpec's own reader takes English headings alone."
            yield Notice("translated", heading.index + 1, message)
            break
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

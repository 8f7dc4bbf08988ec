"""Validates a main spec as the OpenSpec tool does in strict mode: errors and warnings both fail it."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from specs.reading.document import BINDING_WORD, Requirement, SpecDocument
from specs.reading.notices import is_placeholder
from specs.reading.outline import fenced_lines

MIN_PURPOSE_CHARS = 50
MAX_STATEMENT_CHARS = 500
METADATA = re.compile(r"\*\*[^*]+\*\*:")


class Issue(Struct, frozen=True):
    """Errors and warnings make a spec invalid; an info does not."""

    level: Literal["error", "warning", "info"]
    line: int
    message: str


def validate(document: SpecDocument) -> list[Issue]:
    """Every issue of a main spec, in the order of its lines."""
    issues = [*_sections(document), *_structure(document), *_purpose(document)]
    for item in document.in_section("requirements"):
        issues.extend(_requirement(item))
    return sorted(issues, key=lambda issue: issue.line)


def _sections(document: SpecDocument) -> Iterator[Issue]:
    if not document.purpose:
        yield Issue("error", document.purpose_line or 1, "A “## Purpose” section with text is missing.")
    if all(heading.section != "requirements" for heading in document.sections):
        yield Issue("error", 1, "A “## Requirements” section is missing.")
    elif not document.in_section("requirements"):
        yield Issue("error", 1, "The “## Requirements” section holds no requirement.")


def _structure(document: SpecDocument) -> Iterator[Issue]:
    seen: dict[str, int] = {}
    for item in document.requirements:
        if item.section != "requirements":
            yield Issue("error", item.line, f"Requirement “{item.name}” is outside “## Requirements”.")
        elif item.name in seen:
            yield Issue("error", item.line, f"Requirement “{item.name}” repeats the one on line {seen[item.name]}.")
        seen.setdefault(item.name, item.line)
    for heading in document.sections:
        if heading.section != "requirements":
            title = f"## {heading.section.upper()} Requirements"
            yield Issue("error", heading.line, f"“{title}” belongs in a change, not in a main spec.")
    for notice in document.notices:
        if notice.code in ("not_utf8", "open_fence"):
            yield Issue("warning", notice.line, notice.message)


def _purpose(document: SpecDocument) -> Iterator[Issue]:
    if is_placeholder(document.purpose):
        yield Issue("warning", document.purpose_line, "The purpose is still a placeholder.")
    elif 0 < len(document.purpose) < MIN_PURPOSE_CHARS:
        yield Issue("warning", document.purpose_line, f"The purpose is shorter than {MIN_PURPOSE_CHARS} characters.")


def _requirement(item: Requirement) -> Iterator[Issue]:
    statement = _statement(item.text)
    if not statement:
        yield Issue("error", item.line, f"Requirement “{item.name}” has no text; say what SHALL or MUST hold.")
    elif not BINDING_WORD.search(statement):
        where = " in its text, not only in its heading" if BINDING_WORD.search(item.name) else ""
        yield Issue("warning", item.line, f"Requirement “{item.name}” should say SHALL or MUST{where}.")
    if len(statement) > MAX_STATEMENT_CHARS:
        yield Issue("info", item.line, f"Requirement “{item.name}” is longer than {MAX_STATEMENT_CHARS} characters.")
    if not item.scenarios:
        yield Issue("error", item.line, f"Requirement “{item.name}” needs at least one scenario with steps.")


def _statement(text: str) -> str:
    """The text without code blocks and blank lines; `**Key**: value` lines count only if there is nothing else."""
    lines = text.split("\n")
    fenced, _ = fenced_lines(lines)
    lines = [line.strip() for index, line in enumerate(lines) if line.strip() and index not in fenced]
    plain = [line for line in lines if not METADATA.match(line)]
    return "\n".join(plain or lines)

"""Reads the parts of a delta that have no headings: removals as bullets, renames as FROM and TO lines."""

import re

from specs.reading.document import Notice, Rename, Requirement
from specs.reading.outline import REQUIREMENT_LABEL, HeadingLine, Outline

# What stands after the name (blanks, quotes, stars) is stripped from it: matching it here would take quadratic time.
REMOVED = re.compile(rf"\s*[-*+]\s*[`*]*(?:###\s*)?{REQUIREMENT_LABEL}(?P<name>\S.*)", re.IGNORECASE)
RENAME = re.compile(
    r"\s*(?:[-*+]\s*)?\**(?P<side>FROM|TO)\**\s*[:：]\**\s*"
    rf"`?(?:###\s*)?(?:{REQUIREMENT_LABEL})?(?P<name>\S.*)",
    re.IGNORECASE,
)


def read_removed(outline: Outline, heading: HeadingLine) -> list[Requirement]:
    return [
        Requirement(match["name"].rstrip().rstrip("`*").rstrip(), index + 1, 3, "removed", "", ())
        for index in _section_lines(outline, heading)
        if (match := REMOVED.match(outline.lines[index]))
    ]


def read_renames(outline: Outline, heading: HeadingLine) -> tuple[list[Rename], list[Notice]]:
    """A FROM followed by its TO is a rename; a line without its partner is a notice."""
    renames: list[Rename] = []
    notices: list[Notice] = []
    pending: tuple[str, int] | None = None
    for index in _section_lines(outline, heading):
        match = RENAME.match(outline.lines[index])
        if not match:
            continue
        name, line = match["name"].rstrip().removesuffix("`").rstrip(), index + 1
        if match["side"].upper() == "FROM":
            notices.extend([_unpaired("FROM", *pending)] if pending else [])
            pending = (name, line)
        elif pending:
            renames.append(Rename(pending[0], name, line))
            pending = None
        else:
            notices.append(_unpaired("TO", name, line))
    return renames, notices + ([_unpaired("FROM", *pending)] if pending else [])


def _unpaired(side: str, name: str, line: int) -> Notice:
    partner = "TO" if side == "FROM" else "FROM"
    return Notice("unpaired_rename", line, f"{side}: “{name}” has no {partner}: line; it is left out.")


def _section_lines(outline: Outline, heading: HeadingLine) -> list[int]:
    end = outline.section_end(heading)
    return [index for index in range(heading.index + 1, end) if index not in outline.fenced]

"""Splits RIS, and PubMed's NBIB, which is written the same way, into entries of tags and values."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ingest.reading.lines import NumberedLine, encoding_warnings, read_lines

# RIS has two spaces before the dash, some programs one; NBIB fills names of two to four letters up with spaces.
_TAG = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: (.*))?")
Tags = dict[str, list[str]]


class TaggedEntry(Struct, frozen=True):
    """The values of each tag in order, and the line at which the entry starts."""

    line: int
    tags: Tags
    is_nbib: bool
    problem: str = ""
    warnings: tuple[str, ...] = ()


def read_tagged_entries(path: Path) -> Iterator[TaggedEntry]:
    """From `TY  -` to `ER  -`, or from `PMID-` to the next; what is before the first is no entry."""
    pending: list[NumberedLine] = []
    for line in read_lines(path):
        tag = _tag_of(line.text)
        if tag in ("TY", "PMID") and pending:
            yield _entry(pending)
            pending = []
        if tag in ("TY", "PMID") or pending:
            pending.append(line)
        if tag == "ER" and pending:
            yield _entry(pending)
            pending = []
    if pending:
        yield _entry(pending)


def _tag_of(text: str) -> str:
    found = _TAG.match(text)
    return found[1] if found else ""


def _entry(lines: Sequence[NumberedLine]) -> TaggedEntry:
    tags: Tags = {}
    tag = ""
    for line in lines:
        found = _TAG.match(line.text)
        if found:
            tag = found[1]
            tags.setdefault(tag, []).append((found[2] or "").strip())
        elif tag and line.text.strip():
            # A value goes on; NBIB indents the rest of it.
            tags[tag][-1] = f"{tags[tag][-1]} {line.text.strip()}".strip()
    problem = next((line.problem for line in lines if line.problem), "")
    if not problem and "PMID" not in tags and "ER" not in tags:
        problem = "no end of the entry (ER)"
    return TaggedEntry(lines[0].number, tags, "PMID" in tags and "TY" not in tags, problem, encoding_warnings(lines))

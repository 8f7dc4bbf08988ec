"""Reads .bib: entries with their @string macros and cross-references resolved, LaTeX turned into text.

The file is split into blocks by line, so that a broken entry does not affect the others.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ingest.bibtex.citation import arxiv_of, date_of, doi_of, title_of, venue_of
from ingest.bibtex.entries import (
    BibtexFields,
    UnreadableEntry,
    has_others,
    latex_names,
    latex_text,
    parse_entries,
    parse_macros,
)
from ingest.entries.entry import BadEntry, BibtexEntry, LocatedEntry, PaperEntry, Problem
from ingest.reading.lines import NumberedLine, encoding_warnings, read_lines
from papercore import limits
from papercore.text import clean_text, one_line

_OPENING = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]\s*([^\s,{}()=]*)")
_NOT_ENTRIES = {"comment", "preamble", "string"}
# What stands for the venue where an entry names neither journal nor book.
_OTHER_VENUES = ("school", "institution", "publisher", "howpublished")
_INHERITED_AS = {"title": "booktitle", "booktitle": "booktitle"}
_NOT_INHERITED = ("author", "doi", "url", "crossref")
_CROSSREF = re.compile(r"\bcrossref\s*+=\s*+(?:[{\"]\s*+)?([^\s{}\",]+)", re.IGNORECASE)
_CROSSREF_FIELD = re.compile(r"\bcrossref\s*=\s*(?:\{[^{}]*\}|\"[^\"]*\")\s*,?\s*", re.IGNORECASE)
# Commas and semicolons outside of braces.
_KEYWORD = re.compile(r"(?:[^;,{}]|\{[^{}]*\}|[{}])+")
_NOT_CLOSED = "not BibTeX: a brace, a quote or a comma is missing"


class BibBlock(Struct, frozen=True):
    """The text from one `@` at the start of a line to the next; with its kind and key."""

    line: int
    kind: str
    key: str
    text: str
    problem: str
    warnings: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.key or self.kind


@dataclass
class _Shared:
    """What entries take from elsewhere in their file: macros, and the fields of entries they refer to."""

    macros: dict[str, str] = field(default_factory=dict)
    parents: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> "_Shared":
        """Collect macros and the entries that others refer to, in a pass of its own."""
        shared, wanted = cls(), set[str]()
        for block in read_blocks(path):
            wanted |= {key.lower() for key in _CROSSREF.findall(block.text)}
            if block.kind == "string" and not block.problem:
                parse_macros(block.text, shared.macros)
        for block in read_blocks(path) if wanted else ():
            if block.key.lower() in wanted and block.kind not in _NOT_ENTRIES:
                for parsed in parse_entries(block.text, shared.macros):
                    if isinstance(parsed, BibtexFields):
                        shared.parents[parsed.key.lower()] = parsed.fields
        return shared


def read_bib(path: Path) -> Iterator[LocatedEntry | Problem]:
    shared, keys = _Shared.of(path), set[str]()
    for block in read_blocks(path):
        if block.kind in _NOT_ENTRIES:
            continue
        # Usually one entry; more if an entry starts on the line on which another ends.
        found = [] if block.problem else list(parse_entries(block.text, shared.macros))
        if not found:
            yield Problem(f"{path}:{block.line}", f"{block.name}: {block.problem or _NOT_CLOSED}")
        for parsed in found:
            line = block.line + parsed.line
            if isinstance(parsed, UnreadableEntry):
                yield Problem(f"{path}:{line}", f"{block.name}: {_NOT_CLOSED}")
                continue
            warnings = [f"{parsed.key}: {name} comes twice; the first counts" for name in parsed.repeated]
            if parsed.key and parsed.key in keys:
                warnings.append(f"{parsed.key}: another entry has the same key; both are kept")
            keys.add(parsed.key)
            try:
                entry = _entry(_with_parent(parsed, shared))
            except BadEntry as error:
                yield Problem(f"{path}:{line}", f"{parsed.key or parsed.entry_type}: {error}")
            else:
                yield LocatedEntry(line, entry, (*warnings, *block.warnings))


def read_blocks(path: Path) -> Iterator[BibBlock]:
    lines: list[NumberedLine] = []
    for line in read_lines(path):
        if _OPENING.match(line.text):
            if lines:
                yield _block(lines)
            lines = [line]
        elif lines:
            lines.append(line)
    if lines:
        yield _block(lines)


def _block(lines: list[NumberedLine]) -> BibBlock:
    text = "\n".join(line.text for line in lines).strip()
    opening = _OPENING.match(text)
    kind, key = (opening[1].lower(), opening[2]) if opening else ("", "")
    problem = next((line.problem for line in lines if line.problem), "")
    return BibBlock(lines[0].number, kind, key, text, problem, encoding_warnings(lines))


def _with_parent(parsed: BibtexFields, shared: _Shared) -> BibtexFields:
    """The entry with what it inherits from the one it refers to, in its text as well."""
    parent = shared.parents.get(parsed.fields.get("crossref", "").strip().lower())
    if parent is None:
        return parsed
    inherited = {_INHERITED_AS.get(name, name): value for name, value in parent.items() if name not in _NOT_INHERITED}
    new = {name: value for name, value in inherited.items() if name not in parsed.fields}
    own = _CROSSREF_FIELD.sub("", parsed.raw).rstrip().removesuffix("}").rstrip().rstrip(",")
    raw = own + "".join(f",\n  {name} = {{{value}}}" for name, value in new.items()) + "\n}"
    return replace(parsed, fields={**new, **parsed.fields}, raw=raw)


def _entry(parsed: BibtexFields) -> PaperEntry:
    fields, key = parsed.fields, one_line(parsed.key)
    if long := next((name for name, value in fields.items() if len(value) > limits.BIBTEX_CHARS), ""):
        raise BadEntry(f"{long} has more than {limits.BIBTEX_CHARS:,} characters")
    title = title_of(fields)
    if not title:
        raise BadEntry("no title")
    other_venue = next((fields[name] for name in _OTHER_VENUES if fields.get(name)), "")
    people = fields.get("author") or fields.get("editor", "")
    listed = _KEYWORD.findall(fields.get("keywords", "") or fields.get("keyword", ""))
    keywords = (one_line(latex_text(word)) for word in listed)
    bibtex = BibtexEntry(raw=clean_text(parsed.raw), key=key, entry_type=parsed.entry_type)
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in latex_names(people))),
        has_more_authors=has_others(people),
        date=date_of(fields),
        venue=venue_of(fields) or one_line(latex_text(other_venue)),
        abstract=latex_text(fields.get("abstract", "")),
        keywords=tuple(dict.fromkeys(word for word in keywords if word)),
        doi=doi_of(fields),
        arxiv=arxiv_of(fields),
        bib_key=key or None,
        bibtex=bibtex if key else None,
    )

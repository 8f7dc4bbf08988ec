"""Reads .bib: entries with their @string macros and cross-references resolved, LaTeX turned into text."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import Entry as ParsedEntry

from papercore.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papers.build.dates import date_text
from papers.build.entry import BadEntry, BibtexEntry, LocatedEntry, PaperEntry, Problem
from papers.build.readers.bib_blocks import Block, read_blocks
from papers.build.readers.latex import latex_names, latex_text
from papers.build.text import clean_line, clean_text

# The parser logs each broken block; ours are reported with file and line instead.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

# Macros may contain macros: forty that double each other would fill any memory.
_MACRO_CHARS = 10_000
_NOT_ENTRIES = {"comment", "preamble", "string"}
_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "publisher", "howpublished")
_INHERITED_AS = {"title": "booktitle", "booktitle": "booktitle"}
_NOT_INHERITED = ("author", "doi", "url")
_CROSSREF = re.compile(r"\bcrossref\s*=\s*[{\"]?\s*([^\s{}\",]+)", re.IGNORECASE)
_PART = re.compile(r'"((?:[^"{}]|\{[^{}]*\})*)"|\{([^{}]*)\}|([^\s"#{}]+)')
_KEYWORDS = re.compile(r"[;,]")


@dataclass
class _Shared:
    """What entries take from elsewhere in their file: macros, and the fields of entries they refer to."""

    macros: dict[str, str] = field(default_factory=dict)
    parents: dict[str, dict[str, str]] = field(default_factory=dict)


def read_bib(path: Path) -> Iterator[LocatedEntry | Problem]:
    shared = _shared(path)
    for block in read_blocks(path):
        if block.kind not in _NOT_ENTRIES:
            yield from _read_block(path, block, shared)


def _read_block(path: Path, block: Block, shared: _Shared) -> Iterator[LocatedEntry | Problem]:
    """Usually one entry; more if an entry starts on the line on which another ends."""
    library = parse_string("" if block.problem else block.text)
    for parsed in library.entries:
        line = block.line + (parsed.start_line or 0)
        try:
            yield LocatedEntry(line, _entry(parsed, shared))
        except BadEntry as error:
            yield Problem(f"{path}:{line}", f"{parsed.key or parsed.entry_type}: {error}")
    for failed in library.failed_blocks:
        reason = clean_line(str(failed.error)).rstrip(".") or "the entry does not end"
        yield Problem(f"{path}:{block.line}", f"{block.key or block.kind}: not BibTeX: {reason}")
    if not library.entries and not library.failed_blocks:
        yield Problem(f"{path}:{block.line}", f"{block.key or block.kind}: {block.problem or 'not BibTeX'}")


def _shared(path: Path) -> _Shared:
    """Collect macros and the entries that others refer to, in a pass of its own."""
    shared, wanted = _Shared(), set[str]()
    for block in read_blocks(path):
        wanted |= {key.lower() for key in _CROSSREF.findall(block.text)}
        if block.kind == "string" and not block.problem:
            for macro in parse_string(block.text).strings:
                value = _value(str(macro.value), macro.enclosing, shared.macros)
                shared.macros[macro.key.lower()] = value[:_MACRO_CHARS]
    for block in read_blocks(path) if wanted else ():
        if block.key.lower() in wanted and block.kind not in _NOT_ENTRIES:
            for parsed in parse_string(block.text).entries:
                shared.parents[parsed.key.lower()] = _fields(parsed, shared)
    return shared


def _fields(parsed: ParsedEntry, shared: _Shared) -> dict[str, str]:
    return {item.key.lower(): _value(str(item.value), item.enclosing, shared.macros) for item in parsed.fields}


def _value(value: str, enclosing: str | None, macros: Mapping[str, str]) -> str:
    """Concatenate a value such as `macro # " text"`, which the parser leaves as it is."""
    if enclosing != "no-enclosing":
        return value
    parts = _PART.findall(value)
    return "".join(quoted or braced or macros.get(bare.lower(), bare) for quoted, braced, bare in parts)


def _entry(parsed: ParsedEntry, shared: _Shared) -> PaperEntry:
    fields = _with_parent(_fields(parsed, shared), shared)
    title = clean_line(latex_text(fields.get("title", "")))
    if not title:
        raise BadEntry("no title")
    key, kind = clean_line(parsed.key), parsed.entry_type.lower()
    doi = canonical_doi(fields.get("doi", "").replace("\\", "") or fields.get("url", ""))
    venue = next((fields[name] for name in _VENUES if fields.get(name)), "")
    return PaperEntry(
        title=title,
        authors=latex_names(fields.get("author") or fields.get("editor", "")),
        date=_date(fields),
        venue=clean_line(latex_text(venue)),
        abstract=latex_text(fields.get("abstract", "")),
        keywords=_keywords(fields.get("keywords", "")),
        doi=doi,
        arxiv=_arxiv(fields) or arxiv_of_doi(doi),
        bib_key=key or None,
        bibtex=BibtexEntry(raw=_self_contained(parsed, shared), key=key, entry_type=kind) if key else None,
    )


def _self_contained(parsed: ParsedEntry, shared: _Shared) -> str:
    """The entry's own text with macros written out, so that it needs nothing from its file."""
    raw = clean_text(parsed.raw or "")
    for item in parsed.fields:
        value = str(item.value)
        if item.enclosing == "no-enclosing" and any(bare.lower() in shared.macros for *_, bare in _PART.findall(value)):
            place = re.search(rf"\b{re.escape(item.key)}\s*=\s*(?={re.escape(value)})", raw, re.IGNORECASE)
            if place:
                written_out = "{" + _value(value, item.enclosing, shared.macros) + "}"
                raw = raw[: place.end()] + written_out + raw[place.end() + len(value) :]
    return raw


def _with_parent(fields: dict[str, str], shared: _Shared) -> dict[str, str]:
    parent = shared.parents.get(fields.get("crossref", "").strip().lower(), {})
    inherited = {_INHERITED_AS.get(name, name): value for name, value in parent.items() if name not in _NOT_INHERITED}
    return {**inherited, **fields}


def _date(fields: Mapping[str, str]) -> str:
    date = clean_line(fields.get("date", ""))
    return date or date_text(clean_line(latex_text(fields.get("year", ""))), clean_line(fields.get("month", "")))


def _arxiv(fields: Mapping[str, str]) -> str | None:
    prefix = fields.get("archiveprefix") or fields.get("eprinttype") or ""
    if prefix.strip().lower() == "arxiv":
        return canonical_arxiv(fields.get("eprint", ""))
    return canonical_arxiv(fields.get("arxiv") or fields.get("arxivid") or fields.get("url", ""))


def _keywords(text: str) -> tuple[str, ...]:
    words = (clean_line(latex_text(word)) for word in _KEYWORDS.split(text))
    return tuple(dict.fromkeys(word for word in words if word))

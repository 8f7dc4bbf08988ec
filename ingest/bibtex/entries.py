"""Parses BibTeX entries into fields, with macros written out."""

import logging
import re
from collections.abc import Iterator, Mapping

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ParsingFailedBlock,
)
from msgspec import Struct

# The parser logs each broken block; ours are reported with file and line instead.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

# Macros may contain macros: forty that double each other would fill any memory.
MACRO_CHARS = 10_000
_PART = re.compile(r'"((?:[^"{}]|\{[^{}]*\})*)"|\{([^{}]*)\}|([^\s"#{}]+)')


class BibtexFields(Struct, frozen=True):
    """An entry's fields by their names in lower case, and the entry's text, which needs nothing from its file.

    `repeated` are the fields that it has twice; the first counts.
    """

    entry_type: str
    key: str
    fields: Mapping[str, str]
    raw: str
    line: int = 0
    repeated: tuple[str, ...] = ()


class UnreadableEntry(Struct, frozen=True):
    line: int


def parse_entries(text: str, macros: Mapping[str, str] | None = None) -> Iterator[BibtexFields | UnreadableEntry]:
    """Every entry in a text, in order."""
    for block in parse_string(text).blocks:
        entry: object = block
        # An entry with a field twice, or with the key of another one, is as good as any.
        if isinstance(block, DuplicateFieldKeyBlock | DuplicateBlockKeyBlock):
            entry = block.ignore_error_block
        if isinstance(entry, Entry):
            fields: dict[str, str] = {}
            for field in entry.fields:
                fields.setdefault(field.key.lower(), _value(str(field.value), field.enclosing, macros or {}))
            raw = _without_macros(entry, macros) if macros else entry.raw or ""
            repeated = sorted(block.duplicate_keys) if isinstance(block, DuplicateFieldKeyBlock) else []
            yield BibtexFields(entry.entry_type.lower(), entry.key, fields, raw, entry.start_line or 0, tuple(repeated))
        elif isinstance(block, ParsingFailedBlock):
            yield UnreadableEntry(block.start_line or 0)


def parse_macros(text: str, known: dict[str, str]) -> None:
    """Add the @string macros of a text to the known ones."""
    for macro in parse_string(text).strings:
        known[macro.key.lower()] = _value(str(macro.value), macro.enclosing, known)[:MACRO_CHARS]


def _value(value: str, enclosing: str | None, macros: Mapping[str, str]) -> str:
    """Concatenate a value such as `macro # " text"`, which the parser leaves as it is."""
    if enclosing != "no-enclosing":
        return value
    parts = _PART.findall(value)
    return "".join(quoted or braced or macros.get(bare.lower(), bare) for quoted, braced, bare in parts)


def _without_macros(entry: Entry, macros: Mapping[str, str]) -> str:
    """The entry's own text with macros written out, so that it needs nothing from its file."""
    raw = entry.raw or ""
    for field in entry.fields:
        value = str(field.value)
        if field.enclosing == "no-enclosing" and any(bare.lower() in macros for *_, bare in _PART.findall(value)):
            place = re.search(rf"\b{re.escape(field.key)}\s*=\s*(?={re.escape(value)})", raw, re.IGNORECASE)
            if place:
                written_out = "{" + _value(value, field.enclosing, macros) + "}"
                raw = raw[: place.end()] + written_out + raw[place.end() + len(value) :]
    return raw

"""Reads stored BibTeX entries once: what they say of the paper, and what is wrong with them."""

from functools import lru_cache

from msgspec import Struct

from ingest.bibtex.entries import BibtexFields, parse_entries
from ingest.bibtex.latex import latex_text
from ingest.bibtex.record import citation_of
from papercore import limits
from papercore.bibliography.bibtex import has_balanced_braces
from papercore.bibliography.citation import Citation

# Fields of a stored entry, of which LaTeX is decoded: 40 characters take a millisecond at worst. Names, and abstracts;
# and all others. What is longer is left out of citations.
BIBTEX_LONG_FIELD_CHARS = 20_000
BIBTEX_FIELD_CHARS = 2_000
UNBALANCED = "The BibTeX entry stored with this paper has unbalanced braces: BibTeX cannot read it."
UNREADABLE = "The BibTeX entry stored with this paper is not well-formed: BibTeX cannot read it."
TOO_LONG = (
    f"The BibTeX entry stored with this paper is longer than {limits.BIBTEX_CHARS:,} characters: it is not checked."
)

_LONG_FIELDS = ("author", "editor", "abstract")
# How many entries are kept: together at most 26 MB of text.
_KEPT_SHORT, _KEPT_LONG = 4_000, 64
_SHORT_CHARS = 5_000


class StoredEntry(Struct, frozen=True):
    """`problem` is empty for an entry that BibTeX reads; `record` and `abstract` are what could be read of any."""

    record: Citation
    abstract: str = ""
    problem: str = ""


_NOTHING = Citation("")


def read_stored_entry(raw: str) -> StoredEntry:
    if len(raw) > limits.BIBTEX_CHARS:
        return StoredEntry(_NOTHING, problem=TOO_LONG)
    return _read_short(raw) if len(raw) <= _SHORT_CHARS else _read_long(raw)


def _read(raw: str) -> StoredEntry:
    found = list(parse_entries(raw))
    first = next((entry for entry in found if isinstance(entry, BibtexFields)), None)
    problem = _problem(raw, is_readable=bool(found) and all(isinstance(entry, BibtexFields) for entry in found))
    if first is None:
        return StoredEntry(_NOTHING, problem=problem)
    fields = {name: value for name, value in first.fields.items() if _is_read(name, value)}
    return StoredEntry(citation_of(first.entry_type, fields), latex_text(fields.get("abstract", "")), problem)


def _problem(raw: str, *, is_readable: bool) -> str:
    if not has_balanced_braces(raw):
        return UNBALANCED
    return "" if is_readable else UNREADABLE


def _is_read(name: str, value: str) -> bool:
    """Decoding LaTeX takes long, and a field that goes on for pages says nothing that a citation needs."""
    return len(value) <= (BIBTEX_LONG_FIELD_CHARS if name in _LONG_FIELDS else BIBTEX_FIELD_CHARS)


_read_short = lru_cache(_KEPT_SHORT)(_read)
_read_long = lru_cache(_KEPT_LONG)(_read)

"""The BibTeX entry of a paper whose inputs have none: the whole record, so that the snapshot keeps all of it."""

import re
from collections.abc import Set

from ingest.entries.entry import BibtexEntry
from ingest.matching.records import Record
from papercore.bibliography.bibtex import bibtex_entry
from papercore.bibliography.citation import Citation, bibtex_key, unique_key
from papercore.bibliography.dates import UNKNOWN
from papercore.bibliography.kinds import bibtex_type
from papercore.bibliography.names import parse_name

# What BibTeX reads as a key.
_KEY = re.compile(r"[^\s,{}()\"'#%~=\\]+")


def generated_bibtex(record: Record, taken: Set[str]) -> BibtexEntry:
    """An entry under the paper's own key, or under one that is not taken."""
    citation = _citation(record)
    key = _own_key(record) or unique_key(bibtex_key(citation), taken)
    entry_type = bibtex_type(citation.known_kind)
    return BibtexEntry(raw=bibtex_entry(citation, key), key=key, entry_type=entry_type)


def has_own_key(record: Record) -> bool:
    return _own_key(record) != ""


def _own_key(record: Record) -> str:
    return next((key for key in record.bib_keys if _KEY.fullmatch(key)), "")


def _citation(record: Record) -> Citation:
    publication = record.publication
    by_name = {name.natural: name for name in publication.authors}
    venue = "" if record.venue in (UNKNOWN, publication.publisher) else record.venue
    return Citation(
        title=record.title,
        authors=tuple(by_name.get(name) or parse_name(name) for name in record.authors),
        editors=publication.editors,
        year="" if record.year == UNKNOWN else record.year,
        date=record.date,
        venue=publication.venue or venue,
        doi=record.doi or "",
        url=publication.url or (f"https://arxiv.org/abs/{record.arxiv}" if record.arxiv and not record.doi else ""),
        keywords=record.keywords,
        **publication.model_dump(exclude={"venue", "authors", "editors", "url"}),
    )

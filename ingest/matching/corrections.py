"""A record as people corrected it, and its BibTeX entry with what other entries and people add to it."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date
from itertools import chain
from typing import Literal, get_args

from msgspec import Struct

from ingest.bibtex.citation import arxiv_of, read_stored_entry
from ingest.bibtex.entries import BibtexFields, latex_names, latex_text, parse_entries
from ingest.entries.entry import BibtexEntry, BuildError, PaperEntry
from ingest.entries.text import natural_name
from ingest.matching.claims import publication_in, publication_of
from ingest.matching.records import Record, merge
from ingest.pdf.names import is_person
from papercore.bibliography.bibtex import bibtex_entry, latex
from papercore.bibliography.citation import Citation, bibtex_key, unique_key
from papercore.bibliography.fields import CSL_KINDS, UNKNOWN, bibtex_type, kind_of_bibtex, parse_date, parse_name
from papercore.bibliography.identifiers import canonical_arxiv, canonical_doi
from papercore.text import clean_text, one_line

Field = Literal[
    "title", "authors", "date", "venue", "abstract", "keywords", "tags", "doi", "arxiv",
    "kind", "volume", "issue", "pages", "publisher", "key",
]  # fmt: skip
FIELDS: tuple[Field, ...] = get_args(Field)
LISTS: tuple[Field, ...] = ("authors", "keywords", "tags")
# What no two papers have in common.
IDENTIFYING: tuple[Field, ...] = ("doi", "arxiv", "key")
_OF_PUBLICATION: tuple[Field, ...] = ("kind", "volume", "issue", "pages", "publisher")
Value = str | tuple[str, ...]
Corrections = Mapping[Field, Value]

_ALIASES: dict[str, Field] = {"year": "date", "author": "authors", "journal": "venue", "booktitle": "venue"}
# What BibTeX reads as a key.
_KEY = re.compile(r"[^\s,{}()\"'#%~=\\]+")
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_WRITTEN_DATE = re.compile(r"[A-Za-z]{3}")
_COMPANY = re.compile(r", (?:Inc|Ltd|LLC|Corp|GmbH)\b")
_VENUES = ("journal", "journaltitle", "booktitle", "maintitle")
_PUBLISHERS = ("publisher", "school", "institution", "organization")
# Fields of BibTeX that say the same, and those that an entry takes over from others about the same paper.
_SAME = {**dict.fromkeys(_VENUES, _VENUES), **dict.fromkeys(_PUBLISHERS, _PUBLISHERS), "year": ("year", "date")}
_SAME |= {"month": ("month", "date"), "number": ("number", "issue"), "pages": ("pages", "eid")}
_SAME |= {"address": ("address", "location")}
_TAKEN_OVER: tuple[str, ...] = (*_VENUES, *_PUBLISHERS, "author", "year", "month", "volume", "number", "pages", "doi")
_TAKEN_OVER += ("editor", "series", "isbn", "issn", "address", "edition")
# The fields of BibTeX that a corrected field of the record is in.
_CORRECTED: dict[Field, tuple[str, ...]] = {
    "title": ("title", "subtitle"),
    "authors": ("author",),
    "date": ("date", "year", "month", "day"),
    "venue": _VENUES,
    "doi": ("doi",),
    "arxiv": ("eprint", "archiveprefix"),
    "keywords": ("keywords", "keyword"),
    "volume": ("volume",),
    "issue": ("number", "issue"),
    "pages": ("pages", "eid"),
    "publisher": _PUBLISHERS,
}


def corrections_of(given: Mapping[str, str]) -> dict[Field, Value]:
    """What people typed, in the forms that records have. BuildError for a field or value that makes no sense."""
    found: dict[Field, Value] = {}
    for name, text in given.items():
        field = _ALIASES.get(name, name)
        if field not in FIELDS:
            raise BuildError(f"There is no field {name}: name one of {', '.join(FIELDS)}.")
        value = one_line(text) if field != "abstract" else clean_text(text)
        if field == "title" and not value:
            raise BuildError("A paper needs a title.")
        if field == "date" and value:
            value = _date(value)
        if field == "kind" and value:
            value = value if value in CSL_KINDS else kind_of_bibtex(value)
            if not value:
                raise BuildError(f"{text} is no kind: write one of {', '.join(sorted(CSL_KINDS))}.")
        if field in ("doi", "arxiv") and value:
            canonical = canonical_doi(value) if field == "doi" else canonical_arxiv(value)
            if canonical is None:
                raise BuildError(f"{value} is no {'DOI' if field == 'doi' else 'arXiv id'}.")
            value = canonical
        if field == "key" and not _KEY.fullmatch(value):
            raise BuildError(f"{value} cannot be the key of a BibTeX entry.")
        parts = text.replace("\n", ";").split(";")
        names = chain.from_iterable(map(_people, parts)) if field == "authors" else map(one_line, parts)
        found[field] = tuple(dict.fromkeys(filter(None, names))) if field in LISTS else value
    return found


def _date(text: str) -> str:
    """`August 1978` as `1978-08`."""
    parsed = parse_date(text)
    if _WRITTEN_DATE.search(text) and UNKNOWN not in (parsed.year, parsed.month):
        return f"{parsed.year}-{parsed.month}"
    found = _ISO_DATE.fullmatch(text)
    if found and parsed.year != UNKNOWN:
        with suppress(ValueError):
            date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
            return text
    raise BuildError(f"{text} is no date: write 1978, 1978-08 or 1978-08-21.")


def _people(text: str) -> list[str]:
    """`Müller, Jörg and Weber, Anna`, as BibTeX has it, is two people; `Ministry of Food and Agriculture` is one."""
    line = one_line(text)
    people = [name.natural for name in latex_names(line)]
    if len(people) > 1 and ("{" in line or all(map(is_person, people))):
        return people
    return [line if _COMPANY.search(line) else natural_name(line)]


def typed(record: Record) -> dict[Field, str]:
    """The fields of a record as people type them: what `corrections_of` reads."""
    publication = record.publication
    in_bibtex = publication_in(record.bibtex) if record.bibtex else publication
    values: dict[Field, str | tuple[str, ...] | None] = {
        "title": record.title,
        "authors": record.authors,
        "date": record.date,
        "venue": publication.venue or in_bibtex.venue or _venue(record),
        "abstract": record.abstract,
        "keywords": record.keywords,
        "tags": record.tags,
        "doi": record.doi,
        "arxiv": record.arxiv,
        "kind": publication.kind or in_bibtex.kind,
        "volume": publication.volume or in_bibtex.volume,
        "issue": publication.issue or in_bibtex.issue,
        "pages": publication.pages or in_bibtex.pages,
        "publisher": publication.publisher or in_bibtex.publisher,
        "key": record.bibtex.key if record.bibtex else own_key(record),
    }
    return {name: "\n".join(value) if isinstance(value, tuple) else value or "" for name, value in values.items()}


class _Entry(Struct):
    entry_type: str
    key: str
    fields: dict[str, str]

    def written(self) -> BibtexEntry:
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in self.fields.items())
        return BibtexEntry(
            raw=f"@{self.entry_type}{{{self.key},\n{lines}\n}}", key=self.key, entry_type=self.entry_type
        )


def record_of(
    entries: Sequence[PaperEntry], disowned: frozenset[str] = frozenset(), corrections: Corrections | None = None
) -> Record:
    """The record of a paper from all that is said about it. `disowned` are DOIs that belong to another paper."""
    if len(entries) < 2 and not corrections:
        return merge(entries, disowned)
    whole = [entry.model_copy(update={"publication": publication_of(entry)}) for entry in entries]
    return with_whole_bibtex(corrected(merge(whole, disowned), corrections or {}), corrections or {})


def corrected(record: Record, corrections: Corrections) -> Record:
    """The record with what people said in place of what the entries say; an empty value takes one away."""
    if not corrections:
        return record
    values: dict[str, object] = {name: corrections[name] for name in corrections if name in Record.model_fields}
    if "date" in corrections:
        parsed = parse_date(str(corrections["date"]))
        values |= {"year": parsed.year, "month": parsed.month}
    if corrections.get("venue") == "":
        values["venue"] = UNKNOWN
    for name in ("doi", "arxiv"):
        if name in values:
            values[name] = values[name] or None
    parts: dict[str, object] = {name: corrections[name] for name in _OF_PUBLICATION if name in corrections}
    if "venue" in corrections:
        parts["venue"] = corrections["venue"]
    if "authors" in corrections:
        parts["authors"] = ()
    values["publication"] = record.publication.model_copy(update=parts)
    if key := corrections.get("key"):
        values["bib_keys"] = (str(key), *(each for each in record.bib_keys if each != key))
    if "abstract" in corrections:
        values["summaries"] = tuple(
            summary.model_copy(update={"text": corrections["abstract"]}) if summary.text == record.abstract else summary
            for summary in record.summaries
        )
    return record.model_copy(update=values)


def with_whole_bibtex(record: Record, corrections: Corrections) -> Record:
    """Its BibTeX entry with the fields that other entries know or say more fully, and with what people corrected."""
    entry = _read(record.bibtex) if record.bibtex else None
    known = _read(generated_bibtex(record, frozenset())) if entry else None
    if record.bibtex is None or entry is None or known is None:
        return record
    wanted = {name: value for name, value in known.fields.items() if name != "author" or record.authors}
    removed = {name for field in corrections for name in _CORRECTED.get(field, ())}
    for field in _said_otherwise(record, record.bibtex):
        removed.update(_CORRECTED[field])
    fields = {name: value for name, value in entry.fields.items() if name not in removed}
    for name in (*_TAKEN_OVER, *sorted(removed)):
        # What an entry calls by another name is not missing: a venue is in `journal` or in `booktitle`.
        if name in wanted and fields.keys().isdisjoint(_SAME.get(name, (name,))):
            fields[name] = wanted[name]
    if "abstract" in fields and latex_text(fields["abstract"]) != record.abstract:
        fields["abstract"] = latex(record.abstract)
    if record.arxiv and not arxiv_of(fields):
        fields |= {"eprint": record.arxiv, "archiveprefix": "arXiv"}
    entry_type = bibtex_type(record.publication.kind) if "kind" in corrections else entry.entry_type
    key = str(corrections.get("key") or entry.key)
    if (entry_type, key, fields) == (entry.entry_type, entry.key, entry.fields):
        return record
    return record.model_copy(update={"bibtex": _Entry(entry_type, key, fields).written()})


def _said_otherwise(record: Record, bibtex: BibtexEntry) -> Iterator[Field]:
    """The fields that the record has from another entry than its BibTeX."""
    citation = read_stored_entry(bibtex.raw).citation
    if citation.authors and record.authors and tuple(name.natural for name in citation.authors) != record.authors:
        yield "authors"
    if citation.venue and record.publication.venue not in ("", citation.venue):
        yield "venue"
    if citation.doi and record.doi not in (None, citation.doi):
        yield "doi"
    if citation.year and record.year != UNKNOWN and record.date != (citation.date or citation.year):
        yield "date"


def _read(bibtex: BibtexEntry) -> _Entry | None:
    found = [each for each in parse_entries(bibtex.raw) if isinstance(each, BibtexFields)]
    return _Entry(bibtex.entry_type, bibtex.key, dict(found[0].fields)) if found else None


def generated_bibtex(record: Record, taken: Set[str]) -> BibtexEntry:
    """An entry under the paper's own key, or under one that is not taken."""
    publication = record.publication
    by_name = {name.natural: name for name in publication.authors}
    # Those who stand in for the authors of a book are named as what they are.
    are_editors = not by_name and {name.natural for name in publication.editors}.issuperset(record.authors)
    citation = Citation(
        title=record.title,
        authors=() if are_editors else tuple(by_name.get(name) or parse_name(name) for name in record.authors),
        editors=publication.editors,
        year="" if record.year == UNKNOWN else record.year,
        date=record.date,
        venue=publication.venue or _venue(record),
        doi=record.doi or "",
        url=publication.url or (f"https://arxiv.org/abs/{record.arxiv}" if record.arxiv and not record.doi else ""),
        keywords=record.keywords,
        **publication.model_dump(exclude={"venue", "authors", "editors", "url"}),
    )
    key = own_key(record) or unique_key(bibtex_key(citation), taken)
    entry_type = bibtex_type(citation.known_kind)
    return BibtexEntry(raw=bibtex_entry(citation, key), key=key, entry_type=entry_type)


def _venue(record: Record) -> str:
    """Where the entries do not tell the venue from its stand-ins: what neither BibTeX nor the publisher's name is."""
    stands_in = record.bibtex is not None or record.venue in (UNKNOWN, record.publication.publisher)
    return "" if stands_in else record.venue


def own_key(record: Record) -> str:
    """The first of the paper's keys that BibTeX can read."""
    return next((key for key in record.bib_keys if _KEY.fullmatch(key)), "")

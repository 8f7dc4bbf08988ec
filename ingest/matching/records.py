"""The entries about each paper, kept on disk while inputs are read, and merged into a record."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry, PaperEntry, Provenance, Publication, Summary
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX

# The preferred template of a paper without any summary; the format requires a name.
NO_TEMPLATE = "default"
_PREFERRED = ("simple", "simple_phi")


class Rank(IntEnum):
    """Whose values count where entries about one paper disagree, the first before the others."""

    BIBLIOGRAPHY = 0
    # What a library that is updated said of the paper before.
    LIBRARY = 1
    # What a file says of itself.
    PDF = 2


class EntryStore:
    """A temporary database in the folder in which the snapshot is built, so that memory does not grow with texts."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, number INTEGER, rank INTEGER, body TEXT)")
        self._database.execute("BEGIN")

    def add(self, number: int, entry: PaperEntry, rank: Rank = Rank.BIBLIOGRAPHY) -> None:
        body = entry.model_dump_json(exclude_defaults=True)
        self._database.execute("INSERT INTO entry (number, rank, body) VALUES (?, ?, ?)", (number, rank, body))

    def renumber(self, root_of: Callable[[int], int], papers: int) -> None:
        """Move the entries of papers that were joined to another one."""
        moved = [(root_of(number), number) for number in range(papers) if root_of(number) != number]
        self._database.execute("CREATE INDEX entry_number ON entry (number)")
        self._database.executemany("UPDATE entry SET number = ? WHERE number = ?", moved)

    def papers(self) -> Iterator[tuple[int, list[str]]]:
        """Every paper's number with its entries as they are stored, by rank, then in order of appearance."""
        rows = self._database.execute("SELECT number, body FROM entry ORDER BY number, rank, id")
        for number, group in groupby(rows, itemgetter(0)):
            yield number, [body for _, body in group]

    def close(self) -> None:
        self._database.close()


class Record(BaseModel):
    """A paper as it goes into the snapshot, without its files."""

    model_config = ConfigDict(frozen=True)

    title: str
    authors: tuple[str, ...]
    date: str
    year: str
    month: str
    venue: str
    abstract: str
    keywords: tuple[str, ...]
    institutions: tuple[str, ...]
    tags: tuple[str, ...]
    doi: str | None
    arxiv: str | None
    bibtex: BibtexEntry | None
    publication: Publication
    summaries: tuple[Summary, ...]
    preferred_template: str
    provenance: Provenance
    source_paths: tuple[str, ...]
    bib_keys: tuple[str, ...]
    source_hash: str
    reading_editions: tuple[str, ...] = ()


def merged(entries: Sequence[str]) -> Record:
    """The record of a paper from its stored entries."""
    return merge([PaperEntry.model_validate_json(entry) for entry in entries])


def merge(entries: Sequence[PaperEntry]) -> Record:
    """The record of a paper; where entries disagree, the first that has a value counts."""
    dates = [entry.date for entry in entries if entry.date]
    date = _first([*(date for date in dates if parse_date(date).month != UNKNOWN), *dates])
    parsed = parse_date(date)
    dois = [entry.doi for entry in entries if entry.doi]
    published = [doi for doi in dois if not doi.startswith(ARXIV_DOI_PREFIX)]
    abstract = _first(e.abstract for e in entries)
    summaries: dict[str, Summary] = {}
    for summary in chain.from_iterable(entry.summaries for entry in entries):
        summaries.setdefault(summary.template, summary)
    if not summaries and abstract:
        summaries[ABSTRACT_TEMPLATE] = Summary(template=ABSTRACT_TEMPLATE, text=abstract)
    # The short summary if there is one, else the first, else an empty one.
    choices = [*(summaries[name] for name in _PREFERRED if name in summaries), *summaries.values()]
    preferred = choices[0] if choices else Summary(template=NO_TEMPLATE, text="")
    return Record(
        title=entries[0].title,
        authors=next((e.authors for e in entries if e.authors), ()),
        date=date,
        year=parsed.year,
        month=parsed.month,
        venue=_first(e.venue for e in entries) or UNKNOWN,
        abstract=abstract,
        keywords=_union(e.keywords for e in entries),
        institutions=_union(e.institutions for e in entries),
        tags=_union(e.tags for e in entries),
        doi=_first([*published, *dois]) or None,
        arxiv=_first(e.arxiv or "" for e in entries) or None,
        bibtex=next((e.bibtex for e in entries if e.bibtex), None),
        publication=next((e.publication for e in entries if e.publication), Publication()),
        summaries=tuple(summaries.values()),
        preferred_template=preferred.template,
        provenance=preferred.provenance,
        source_paths=_union((e.source_path,) for e in entries if e.source_path),
        bib_keys=_union((e.bib_key,) for e in entries if e.bib_key),
        source_hash=_first(e.source_hash for e in entries),
        reading_editions=_reading_editions(entries, abstract),
    )


def _reading_editions(entries: Sequence[PaperEntry], abstract: str) -> tuple[str, ...]:
    """The texts that some entry calls so; the abstract only if it is that entry's."""
    return _union(
        tuple(name for name in entry.reading_editions if name != "abstract" or entry.abstract == abstract)
        for entry in entries
    )


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """All values in order; of spellings that differ only in case, the first."""
    seen: dict[str, str] = {}
    for value in chain.from_iterable(lists):
        seen.setdefault(value.lower(), value)
    return tuple(seen.values())

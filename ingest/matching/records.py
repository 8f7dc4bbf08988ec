"""Merges the entries about one paper into a record: the first entry that has a value wins."""

from collections.abc import Iterable, Sequence
from itertools import chain

from pydantic import BaseModel, ConfigDict

from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry, PaperEntry, Provenance, Publication, Summary
from papercore.bibliography.dates import UNKNOWN, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX

# The preferred template of a paper without any summary; the format requires a name.
NO_TEMPLATE = "default"
_PREFERRED = ("simple", "simple_phi")


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


def merge(entries: Sequence[PaperEntry]) -> Record:
    date = _best_date(entries)
    parsed = parse_date(date)
    summaries = _summaries(entries)
    preferred = _preferred(summaries)
    return Record(
        title=entries[0].title,
        authors=next((e.authors for e in entries if e.authors), ()),
        date=date,
        year=parsed.year,
        month=parsed.month,
        venue=_first(e.venue for e in entries) or UNKNOWN,
        abstract=_first(e.abstract for e in entries),
        keywords=_union(e.keywords for e in entries),
        institutions=_union(e.institutions for e in entries),
        tags=_union(e.tags for e in entries),
        doi=_best_doi(entries),
        arxiv=_first(e.arxiv or "" for e in entries) or None,
        bibtex=next((e.bibtex for e in entries if e.bibtex), None),
        publication=next((e.publication for e in entries if e.publication), Publication()),
        summaries=summaries,
        preferred_template=preferred.template,
        provenance=preferred.provenance,
        source_paths=_union((e.source_path,) for e in entries if e.source_path),
        bib_keys=_union((e.bib_key,) for e in entries if e.bib_key),
        source_hash=_first(e.source_hash for e in entries),
    )


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """All values in order; of spellings that differ only in case, the first."""
    seen: dict[str, str] = {}
    for value in chain.from_iterable(lists):
        seen.setdefault(value.lower(), value)
    return tuple(seen.values())


def _best_date(entries: Sequence[PaperEntry]) -> str:
    dates = [entry.date for entry in entries if entry.date]
    with_month = [date for date in dates if parse_date(date).month != UNKNOWN]
    return _first([*with_month, *dates])


def _best_doi(entries: Sequence[PaperEntry]) -> str | None:
    dois = [entry.doi for entry in entries if entry.doi]
    published = [doi for doi in dois if not doi.startswith(ARXIV_DOI_PREFIX)]
    return _first([*published, *dois]) or None


def _summaries(entries: Sequence[PaperEntry]) -> tuple[Summary, ...]:
    by_template: dict[str, Summary] = {}
    for summary in chain.from_iterable(entry.summaries for entry in entries):
        by_template.setdefault(summary.template, summary)
    abstract = _first(entry.abstract for entry in entries)
    if not by_template and abstract:
        return (Summary(template=ABSTRACT_TEMPLATE, text=abstract),)
    return tuple(by_template.values())


def _preferred(summaries: tuple[Summary, ...]) -> Summary:
    """The short summary if there is one, else the first, else an empty one."""
    by_template = {summary.template: summary for summary in summaries}
    choices = [by_template[name] for name in _PREFERRED if name in by_template]
    return next(iter([*choices, *summaries]), Summary(template=NO_TEMPLATE, text=""))

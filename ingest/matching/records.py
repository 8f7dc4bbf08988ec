"""The record of a work, computed from the entries about it and from what people corrected."""

from collections.abc import Iterable, Sequence
from itertools import chain

from pydantic import BaseModel, ConfigDict

from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry, PaperEntry, Provenance, Publication, Summary
from ingest.matching.claims import (
    authors_of_work,
    best_first,
    date_of_work,
    fullest,
    publication_of_work,
    title_of_work,
    venue_of_work,
)
from ingest.matching.facts import is_stub
from papercore.bibliography.fields import UNKNOWN, parse_date
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
    reading_editions: tuple[str, ...] = ()


def merge(given: Sequence[PaperEntry], disowned: frozenset[str] = frozenset()) -> Record:
    """Each field from the best claim about it, whatever the order in which the entries come.

    `disowned` are DOIs that belong to another paper.
    """
    entries = best_first(given)
    date, authors, venue = date_of_work(entries), authors_of_work(entries), venue_of_work(entries)
    parsed = parse_date(date)
    dois = [entry.doi for entry in entries if entry.doi and entry.doi not in disowned]
    published = [doi for doi in dois if not doi.startswith(ARXIV_DOI_PREFIX)]
    abstract = fullest(entries, lambda entry: entry.abstract)
    summaries = _summaries(entries, abstract)
    # The short summary if there is one, else the first, else an empty one.
    choices = [*(summaries[name] for name in _PREFERRED if name in summaries), *summaries.values()]
    preferred = choices[0] if choices else Summary(template=NO_TEMPLATE, text="")
    telling = [entry for entry in entries if len(entries) < 2 or not is_stub(entry.title)] or entries
    return Record(
        title=title_of_work(entries),
        authors=authors,
        date=date,
        year=parsed.year,
        month=parsed.month,
        # What stands in for a venue, such as a publisher, where there is none.
        venue=venue or _first(entry.venue for entry in entries) or UNKNOWN,
        abstract=abstract,
        keywords=_union(entry.keywords for entry in entries),
        institutions=_union(entry.institutions for entry in entries),
        tags=_union(entry.tags for entry in entries),
        doi=_first([*published, *dois]) or None,
        arxiv=_first(entry.arxiv or "" for entry in entries) or None,
        bibtex=next((entry.bibtex for entry in telling if entry.bibtex), None),
        publication=publication_of_work(entries, authors, venue),
        summaries=tuple(summaries.values()),
        preferred_template=preferred.template,
        provenance=preferred.provenance,
        source_paths=_union((entry.source_path,) for entry in entries if entry.source_path),
        bib_keys=_union((entry.bib_key,) for entry in entries if entry.bib_key),
        source_hash=_first(entry.source_hash for entry in entries),
        reading_editions=_reading_editions(entries, abstract),
    )


def _summaries(entries: Sequence[PaperEntry], abstract: str) -> dict[str, Summary]:
    """The first of each template; an abstract among them is the paper's."""
    found: dict[str, Summary] = {}
    for summary in chain.from_iterable(entry.summaries for entry in entries):
        found.setdefault(summary.template, summary)
    own = found.get(ABSTRACT_TEMPLATE)
    if abstract and (own.text in {entry.abstract for entry in entries} if own else not found):
        provenance = own.provenance if own else Provenance()
        found[ABSTRACT_TEMPLATE] = Summary(template=ABSTRACT_TEMPLATE, text=abstract, provenance=provenance)
    return found


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

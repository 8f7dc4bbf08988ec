"""The record of a work, computed from the entries about it and from what people corrected."""

from collections.abc import Iterable, Sequence
from itertools import chain

from pydantic import BaseModel, ConfigDict

from ingest.bibtex.citation import read_stored_entry
from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry, PaperEntry, Provenance, Publication, Summary, Trust
from ingest.entries.text import surname
from ingest.matching.facts import is_stub
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX

# The preferred template of a paper without any summary; the format requires a name.
NO_TEMPLATE = "default"
_PREFERRED = ("simple", "simple_phi")
_PREPRINT_VENUES = ("arxiv", "corr", "biorxiv", "medrxiv", "ssrn")


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
    """Each field from the best entry that has it, whatever the order in which they come.

    `disowned` are DOIs that belong to another paper.
    """
    entries = best_first(given)
    date = _date(entries)
    parsed = parse_date(date)
    dois = [entry.doi for entry in entries if entry.doi and entry.doi not in disowned]
    published = [doi for doi in dois if not doi.startswith(ARXIV_DOI_PREFIX)]
    abstract = _first(entry.abstract for entry in entries)
    summaries: dict[str, Summary] = {}
    for summary in chain.from_iterable(entry.summaries for entry in entries):
        summaries.setdefault(summary.template, summary)
    if not summaries and abstract:
        summaries[ABSTRACT_TEMPLATE] = Summary(template=ABSTRACT_TEMPLATE, text=abstract)
    # The short summary if there is one, else the first, else an empty one.
    choices = [*(summaries[name] for name in _PREFERRED if name in summaries), *summaries.values()]
    preferred = choices[0] if choices else Summary(template=NO_TEMPLATE, text="")
    titles = [entry.title for entry in entries if entry.title]
    bibtex = next((entry.bibtex for entry in entries if entry.bibtex), None)
    return Record(
        title=next((title for title in titles if not is_stub(title)), "") or _first(titles),
        authors=_authors(entries),
        date=date,
        year=parsed.year,
        month=parsed.month,
        venue=_first(entry.venue for entry in entries) or UNKNOWN,
        abstract=abstract,
        keywords=_union(entry.keywords for entry in entries),
        institutions=_union(entry.institutions for entry in entries),
        tags=_union(entry.tags for entry in entries),
        doi=_first([*published, *dois]) or None,
        arxiv=_first(entry.arxiv or "" for entry in entries) or None,
        bibtex=bibtex,
        publication=_publication(entries),
        summaries=tuple(summaries.values()),
        preferred_template=preferred.template,
        provenance=preferred.provenance,
        source_paths=_union((entry.source_path,) for entry in entries if entry.source_path),
        bib_keys=_union((entry.bib_key,) for entry in entries if entry.bib_key),
        source_hash=_first(entry.source_hash for entry in entries),
        reading_editions=_reading_editions(entries, abstract),
    )


def _reading_editions(entries: Sequence[PaperEntry], abstract: str) -> tuple[str, ...]:
    """The texts that some entry calls so; the abstract only if it is that entry's."""
    return _union(
        tuple(name for name in entry.reading_editions if name != "abstract" or entry.abstract == abstract)
        for entry in entries
    )


def best_first(entries: Sequence[PaperEntry]) -> list[PaperEntry]:
    """The entry that counts most first: by trust, published before preprint, the fuller one, then by what it says."""
    if len(entries) < 2:
        return list(entries)
    distinct = {entry.model_dump_json(exclude_defaults=True): entry for entry in entries}
    return [entry for _, entry in sorted(distinct.items(), key=lambda item: (*_rank(item[1]), item[0]))]


def _rank(entry: PaperEntry) -> tuple[int, bool, bool, int, int, int]:
    publication = entry.publication or publication_of(entry) or Publication()
    values = [*entry.authors, entry.date, entry.venue, entry.doi or "", entry.arxiv or "", entry.title]
    values += [publication.volume, publication.issue, publication.pages, publication.publisher]
    is_preprint = entry.venue.lower().startswith(_PREPRINT_VENUES) or (entry.doi or "").startswith(ARXIV_DOI_PREFIX)
    trust = Trust.BIBLIOGRAPHY if entry.trust == Trust.LIBRARY else entry.trust
    said = [value for value in values if value]
    return trust, is_stub(entry.title), is_preprint, -len(said), -sum(map(len, said)), entry.trust


def publication_of(entry: PaperEntry) -> Publication | None:
    """How the paper was published, by the entry's own fields or by its BibTeX."""
    if entry.publication or entry.bibtex is None:
        return entry.publication
    return publication_in(entry.bibtex)


def publication_in(bibtex: BibtexEntry) -> Publication:
    citation = read_stored_entry(bibtex.raw).citation
    return Publication(**{name: getattr(citation, name) for name in Publication.model_fields})


def _publication(entries: Sequence[PaperEntry]) -> Publication:
    """Each part from the first entry that has it; the parts of one entry's BibTeX are not needed beside it.

    A stub beside other entries says nothing.
    """
    if len(entries) < 2:
        return next((entry.publication for entry in entries if entry.publication), Publication())
    telling = [entry for entry in entries if not is_stub(entry.title)] or entries
    found = [publication for entry in telling if (publication := publication_of(entry))]
    values = {name: [getattr(each, name) for each in found] for name in Publication.model_fields}
    return Publication(**{name: next(filter(None, listed), None) or _EMPTY[name] for name, listed in values.items()})


_EMPTY = {name: field.default for name, field in Publication.model_fields.items()}


def _authors(entries: Sequence[PaperEntry]) -> tuple[str, ...]:
    """The best list. One that ends with `and others` gives way to a whole one that begins with the same names."""
    lists = [entry for entry in entries if entry.authors]
    if not lists or not lists[0].has_more_authors:
        return lists[0].authors if lists else ()
    known = [surname(name) for name in lists[0].authors]
    for entry in sorted(lists, key=lambda entry: entry.has_more_authors):
        names = [surname(name) for name in entry.authors]
        if len(names) > len(known) and names[: len(known)] == known:
            return entry.authors
    return lists[0].authors


def _date(entries: Sequence[PaperEntry]) -> str:
    """The best date; if another one of the same year has a month, that one."""
    dates = [entry.date for entry in entries if entry.date]
    year = parse_date(dates[0]).year if dates else UNKNOWN
    same_year = [date for date in dates if parse_date(date).year == year]
    return _first([*(date for date in same_year if parse_date(date).month != UNKNOWN), *dates])


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """All values in order; of spellings that differ only in case, the first."""
    seen: dict[str, str] = {}
    for value in chain.from_iterable(lists):
        seen.setdefault(value.lower(), value)
    return tuple(seen.values())

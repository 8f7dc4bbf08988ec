"""Which of several claims about one field counts: the best trusted, and of those that are trusted alike the fullest."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from ingest.bibtex.citation import read_stored_entry
from ingest.entries.entry import BibtexEntry, PaperEntry, Publication
from ingest.entries.text import folded, surname
from ingest.matching.facts import compared_title, is_stub
from papercore.bibliography.fields import UNKNOWN, PersonName, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX

_PREPRINT_VENUES = ("arxiv", "corr", "biorxiv", "medrxiv", "ssrn")
_WITH_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def best_first(given: Sequence[PaperEntry]) -> list[PaperEntry]:
    """The entry that counts most first: what says more than an identifier, by trust, published before preprint, the
    fuller one, then by what it says; each with how it was published."""
    if len(given) < 2:
        return list(given)
    distinct = {entry.model_dump_json(exclude_defaults=True): entry for entry in given}
    known = {body: entry.model_copy(update={"publication": publication_of(entry)}) for body, entry in distinct.items()}
    return [entry for _, entry in sorted(known.items(), key=lambda item: (*_rank(item[1]), item[0]))]


def _rank(entry: PaperEntry) -> tuple[bool, int, bool, int, int, int]:
    publication = entry.publication or Publication()
    values = [*entry.authors, entry.date, entry.venue, entry.doi or "", entry.arxiv or "", entry.title]
    values += [publication.volume, publication.issue, publication.pages, publication.publisher]
    said = [value for value in values if value]
    return (
        is_stub(entry.title), entry.trust.place, _is_preprint(entry), -len(said), -sum(map(len, said)), entry.trust
    )  # fmt: skip


def _is_preprint(entry: PaperEntry) -> bool:
    return entry.venue.lower().startswith(_PREPRINT_VENUES) or (entry.doi or "").startswith(ARXIV_DOI_PREFIX)


def publication_of(entry: PaperEntry) -> Publication | None:
    """How the paper was published, by the entry's own fields or by its BibTeX."""
    if entry.publication or entry.bibtex is None:
        return entry.publication
    return publication_in(entry.bibtex)


def publication_in(bibtex: BibtexEntry) -> Publication:
    citation = read_stored_entry(bibtex.raw).citation
    return Publication(**{name: getattr(citation, name) for name in Publication.model_fields})


def fullest(entries: Sequence[PaperEntry], read: Callable[[PaperEntry], str]) -> str:
    """The longest text that the most trusted entries have; of equally long ones the first."""
    return max((read(entry) for entry in _claiming(entries, read)), key=len, default="")


def _claiming(entries: Sequence[PaperEntry], read: Callable[[PaperEntry], object]) -> list[PaperEntry]:
    """Those that are trusted most of the entries that say something; a stub only where nothing else says it."""
    found = [entry for entry in entries if read(entry)]
    return found if len(found) < 2 else [entry for entry in found if _weight(entry) == _weight(found[0])]


def _weight(entry: PaperEntry) -> tuple[bool, int]:
    return is_stub(entry.title), entry.trust.place


def title_of_work(entries: Sequence[PaperEntry]) -> str:
    """The best title; if another begins with it and goes on after a colon, that one."""
    titles = [entry.title for entry in _claiming(entries, lambda entry: entry.title)]
    if len(titles) < 2:
        return "".join(titles)
    main = compared_title(titles[0])
    return max((title for title in titles if main in _with_main_part(title)), key=len)


def _with_main_part(title: str) -> set[str]:
    return {compared_title(title), compared_title(title.partition(":")[0])}


def authors_of_work(entries: Sequence[PaperEntry]) -> tuple[str, ...]:
    """The longest list, and in it each name as it is written out most fully.

    A list that ends with `and others` says that there are more: whatever the trust, one that begins with the same names
    and goes on takes its place. Editors stand in for authors only where no entry names one.
    """
    lists = _claiming(entries, lambda entry: entry.authors)
    if not lists:
        return ()
    written = [entry for entry in lists if not _are_editors(entry)] or lists
    if len(written) < 2 and not written[0].has_more_authors:
        return written[0].authors
    longest = max(written, key=_author_list_order)
    names = tuple(_fullest_names(longest.authors, [entry.authors for entry in written]))
    if not longest.has_more_authors:
        return names
    known = [surname(name) for name in names]
    whole = [entry.authors for entry in entries if [surname(name) for name in entry.authors[: len(known)]] == known]
    return (*names, *max(whole, key=len, default=())[len(known) :])


def _author_list_order(entry: PaperEntry) -> tuple[int, bool, int]:
    return len(entry.authors), not entry.has_more_authors, sum(len(folded(name)) for name in entry.authors)


def _are_editors(entry: PaperEntry) -> bool:
    publication = entry.publication
    return publication is not None and bool(publication.editors) and not publication.authors


def _fullest_names(names: Sequence[str], lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Each name as it is written out most fully; two people of one surname and initial stay as they are."""
    spellings: dict[tuple[str, str], list[str]] = {}
    ambiguous = set[tuple[str, str]]()
    for listed in lists:
        people = [_person(name) for name in listed]
        ambiguous.update(person for person in people if people.count(person) > 1)
        for person, name in zip(people, listed, strict=True):
            spellings.setdefault(person, []).append(name)
    for name in names:
        person = _person(name)
        others = [] if person in ambiguous else spellings[person]
        yield max((name, *others), key=lambda written: len(folded(written)))


def _person(name: str) -> tuple[str, str]:
    """What is the same of one person with given names and with initials."""
    return surname(name), folded(name)[:1]


def date_of_work(entries: Sequence[PaperEntry]) -> str:
    """The best date; if another one of the same year has a month, or of the same month a day, that one."""
    dates = [entry.date for entry in entries if entry.date]
    if not dates:
        return ""
    year = parse_date(dates[0]).year
    same_year = [date for date in dates if parse_date(date).year == year]
    best = next((date for date in same_year if parse_date(date).month != UNKNOWN), dates[0])
    same_month = [date for date in same_year if parse_date(date) == parse_date(best)]
    return next(filter(_WITH_DAY.match, same_month), best)


def venue_of_work(entries: Sequence[PaperEntry]) -> str:
    """The fullest name of the journal or book, of a preprint's only where the paper is in no other."""
    published = [entry for entry in entries if not _is_preprint(entry)]
    return fullest(published or entries, venue_of_entry) or fullest(entries, venue_of_entry)


def venue_of_entry(entry: PaperEntry) -> str:
    """The journal or book that it names. A publisher, a school or an address that stands in for one is none."""
    publication = entry.publication
    if publication is None:
        return entry.venue
    stands_in = entry.bibtex is not None or entry.venue == publication.publisher
    return publication.venue or ("" if stands_in else entry.venue)


def publication_of_work(entries: Sequence[PaperEntry], authors: Sequence[str], venue: str) -> Publication:
    """Each part from the first entry that has it; `authors` and `venue` are those of the record."""
    if len(entries) < 2:
        return next((entry.publication for entry in entries if entry.publication), Publication())
    telling = [entry for entry in entries if not is_stub(entry.title)] or entries
    found = [entry.publication for entry in telling if entry.publication]
    parts: dict[str, PersonName] = {}
    for name in chain.from_iterable(publication.authors for publication in found):
        parts.setdefault(name.natural, name)
    values = {field: [getattr(each, field) for each in found] for field in Publication.model_fields}
    first = {field: next(filter(None, listed)) for field, listed in values.items() if any(listed)}
    known = tuple(parts[name] for name in authors if name in parts)
    return Publication(**(first | {"authors": known, "venue": venue}))

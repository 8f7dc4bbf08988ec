"""Compares a bibliography entry with the works it may mean: what agrees, what differs, and what is of another work."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import PersonName, family_words, parse_name
from papercore.bibliography.identifiers import (
    ARXIV_DOI_PREFIX,
    Identifier,
    arxiv_of_doi,
    canonical_arxiv,
    canonical_doi,
)
from papercore.bibliography.venues import same_venue
from papercore.text import folded_words

EntryVerdict = Literal["matches", "differs", "mixed", "retracted", "preprint_of", "duplicate", "unknown_here"]

# Titles that share so much are one title with a slip; with less, they are two.
SAME_TITLE, NEAR_TITLE = 0.97, 0.75
# Journals, proceedings and preprints date the same work a year apart.
YEARS_APART = 1
# The share of an entry's authors that a work must have.
SAME_AUTHORS = 0.5
_GROUP = re.compile(
    r"\b(?:group|team|collaboration|consortium|committee|network|investigators|organi[sz]ation)\b", re.I
)
_PAGES = re.compile(r"(\d+)(?:-(\d+))?")
_PREPRINT = re.compile(r"\b(?:arxiv|corr|biorxiv|medrxiv|preprint|ssrn)\b", re.IGNORECASE)
# What publishers write before the title of a retracted work, and what else tells of a retraction.
_RETRACTION_MARK = re.compile(r"^\W*(?:retracted|withdrawn)(?: (?:article|paper|chapter))?\s?[:\])]\W*", re.IGNORECASE)
_RETRACTED = re.compile(r"^\W*(?:retracted|withdrawn)\b|\bretraction\b", re.IGNORECASE)


class KnownWork(Struct, frozen=True):
    """A work that is known: its record may have several names for its venue."""

    work_id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venues: tuple[str, ...] = ()
    dois: frozenset[str] = frozenset()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    retracted: bool = False
    # Whose record this is.
    source: str = "The library"


class BibliographyEntry(Struct, frozen=True):
    """An entry of somebody's bibliography; `truncated`: its authors end with `and others`."""

    key: str
    citation: Citation
    truncated: bool = False

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """Its DOI and its arXiv id."""
        doi = canonical_doi(self.citation.doi)
        arxiv = arxiv_of_doi(doi) or canonical_arxiv(self.citation.url)
        return (*((Identifier("doi", doi),) if doi else ()), *((Identifier("arxiv", arxiv),) if arxiv else ()))


class FieldDifference(Struct, frozen=True):
    """A field, what the entry says, and what the record says."""

    field: str
    entry: str
    record: str


class EntryFinding(Struct, frozen=True):
    verdict: EntryVerdict
    work: KnownWork | None = None
    differences: tuple[FieldDifference, ...] = ()
    # The other work of which the entry has the DOI.
    other: KnownWork | None = None


class FoundElsewhere(Struct, frozen=True):
    """What another place than the library has for an entry; without a work, the note says why."""

    work: KnownWork | None = None
    by_identifier: bool = False
    note: str = ""


# Asks elsewhere about entries, one by one.
Elsewhere = Callable[[Sequence[BibliographyEntry]], Iterator[FoundElsewhere]]


def check_entry(
    entry: BibliographyEntry, with_identifier: Sequence[KnownWork], with_title: Sequence[KnownWork]
) -> EntryFinding:
    """Judge an entry by the works that have its DOI or arXiv id, and by those whose title may be its own."""
    title = entry.citation.title
    titled = [work for work in (*with_identifier, *with_title) if _likeness(title, work.title) >= SAME_TITLE]
    if titled:
        # Of several works with one title, the one that the entry agrees with most. Only an identifier tells a retracted
        # work from the one that was published again in its place.
        compared = [(work, _differences(entry, work)) for work in dict.fromkeys(titled)]
        retracted = [work for work in with_identifier if work.retracted]
        work, differences = min(compared, key=lambda pair: (pair[0] not in retracted, len(pair[1])))
        strangers = [other for other in with_identifier if _likeness(title, other.title) < NEAR_TITLE]
        if strangers:
            taken = FieldDifference("doi", entry.citation.doi, f"it is that of “{strangers[0].title}”")
            return EntryFinding("mixed", work, (taken, *differences), strangers[0])
        return EntryFinding(_verdict(entry, work, differences), work, tuple(differences))
    if not with_identifier:
        return EntryFinding("unknown_here")
    work = max(with_identifier, key=lambda known: _likeness(title, known.title))
    differences = [FieldDifference("title", title, work.title), *_differences(entry, work)]
    is_slip = _likeness(title, work.title) >= NEAR_TITLE
    return EntryFinding("differs" if is_slip else "mixed", work, tuple(differences), None if is_slip else work)


def _verdict(entry: BibliographyEntry, work: KnownWork, differences: Sequence[FieldDifference]) -> EntryVerdict:
    if work.retracted or _RETRACTED.search(work.title):
        return "retracted"
    if any(difference.field == "authors" for difference in differences):
        return "mixed"
    if differences:
        return "differs"
    published = work.venues and not any(map(is_preprint_venue, work.venues))
    return "preprint_of" if is_preprint(entry) and published else "matches"


def without_retraction_mark(title: str) -> str:
    return _RETRACTION_MARK.sub("", title)


def is_preprint(entry: BibliographyEntry) -> bool:
    citation = entry.citation
    return is_preprint_venue(citation.venue) or citation.doi.startswith(ARXIV_DOI_PREFIX)


def is_preprint_venue(venue: str) -> bool:
    return bool(_PREPRINT.search(venue))


def is_surely(entry: BibliographyEntry, work: KnownWork) -> bool:
    """Whether a work has the very title of an entry, and its first author or its year."""
    citation = entry.citation
    if not folded_title(citation.title) or folded_title(citation.title) != folded_title(work.title):
        return False
    first = _family(citation.authors[0]) if citation.authors else ""
    same_author = bool(first and work.authors) and first in folded_words(work.authors[0])
    return same_author or (work.year is not None and citation.year == str(work.year))


def same_work(entry: BibliographyEntry, other: BibliographyEntry) -> bool:
    """Whether two entries of one bibliography are about one work."""
    mine, theirs = entry.citation, other.citation
    if mine.doi and mine.doi == theirs.doi:
        return True
    if _likeness(mine.title, theirs.title) < SAME_TITLE or len(folded_words(mine.title)) < 3:
        return False
    families = [{_family(name) for name in citation.authors} for citation in (mine, theirs)]
    return bool(families[0] & families[1]) or not (families[0] and families[1])


def folded_title(title: str) -> str:
    return "".join(folded_words(title))


def _likeness(title: str, other: str) -> float:
    """How much two titles share. A subtitle that only one of them has is no difference."""
    mine, theirs = folded_title(title), folded_title(other)
    if not mine or not theirs:
        return 0.0
    shorter, longer = sorted((mine, theirs), key=len)
    if shorter == longer or (longer.startswith(shorter) and _main_title(title, other)):
        return 1.0
    return SequenceMatcher(None, mine, theirs, autojunk=False).ratio()


def _main_title(title: str, other: str) -> bool:
    """Whether the longer of two titles ends its main part with a colon or a dash where the shorter one ends."""
    shorter, longer = sorted((title, other), key=lambda text: len(folded_title(text)))
    main = re.split(r"[:?.–—]|\s-\s", longer)[0]
    return folded_title(main) == folded_title(shorter) and len(folded_words(shorter)) >= 3


def _differences(entry: BibliographyEntry, work: KnownWork) -> list[FieldDifference]:
    citation = entry.citation
    found = [*_author_differences(entry, work)]
    published = {doi for doi in work.dois if not doi.startswith(ARXIV_DOI_PREFIX)}
    if citation.doi and published and not citation.doi.startswith(ARXIV_DOI_PREFIX) and citation.doi not in published:
        found.append(FieldDifference("doi", citation.doi, sorted(published)[0]))
    if is_preprint(entry):
        return found
    if citation.year.isdecimal() and work.year and abs(int(citation.year) - work.year) > YEARS_APART:
        found.append(FieldDifference("year", citation.year, str(work.year)))
    if citation.venue and work.venues and not any(same_venue(citation.venue, name) for name in work.venues):
        found.append(FieldDifference("venue", citation.venue, work.venues[0]))
    elif not any(map(is_preprint_venue, work.venues)):
        found += _place_differences(citation, work)
    return found


def _place_differences(citation: Citation, work: KnownWork) -> Iterator[FieldDifference]:
    """Where in its venue the work is. Volumes and issues are counted by journals; by others, in several ways."""
    in_journal = citation.known_kind == "article-journal"
    for field, mine, theirs in (("volume", citation.volume, work.volume), ("issue", citation.issue, work.issue)):
        if in_journal and mine.isdecimal() and theirs.isdecimal() and int(mine) != int(theirs):
            yield FieldDifference(field, mine, theirs)
    if not _same_pages(citation.pages, work.pages, in_journal=in_journal):
        yield FieldDifference("pages", citation.pages, work.pages)


def _same_pages(pages: str, other: str, *, in_journal: bool) -> bool:
    """Whether one range may be the other: as `1735-80`, by its first page alone, or counted within the article.

    Editions of proceedings begin to count at different pages, so that their ranges only overlap.
    """
    mine, theirs = _PAGES.fullmatch(pages), _PAGES.fullmatch(other)
    if not (mine and theirs and mine[2] and theirs[2]) or "1" in (mine[1], theirs[1]):
        return True
    if in_journal:
        return mine[1] == theirs[1] and (mine[2].endswith(theirs[2]) or theirs[2].endswith(mine[2]))
    first, last = max(int(mine[1]), int(theirs[1])), min(_last_page(mine), _last_page(theirs))
    return first <= last


def _last_page(pages: re.Match[str]) -> int:
    """`1780` of `1735-80`."""
    return int(pages[1][: max(0, len(pages[1]) - len(pages[2]))] + pages[2])


def _author_differences(entry: BibliographyEntry, work: KnownWork) -> list[FieldDifference]:
    """`authors` where most are of another work; `author` for one that is missing or is not the work's."""
    names = entry.citation.authors
    if not names or not work.authors:
        return []
    of_work = [{*folded_words(author)} for author in work.authors]
    known = set[str]().union(*of_work)
    strangers = [name for name in names if not family_words(name) & known]
    people = [name for name in strangers if not (name.is_group and len(name.family.split()) > 1)]
    recorded = [author for author in work.authors if not _GROUP.search(author)]
    has_group = len(people) < len(strangers) or len(recorded) < len(work.authors)
    if has_group and (len(strangers) < len(names) or not people or not recorded):
        # Who belongs to a group is not written in either.
        return []
    if len(names) - len(strangers) < SAME_AUTHORS * len(names):
        return [FieldDifference("authors", _listed(name.natural for name in names), _listed(work.authors))]
    families = {word for name in names for word in (*folded_words(name.family), *family_words(name))}
    missing = [] if entry.truncated else [author for author in work.authors if not _is_named(author, families)]
    if not missing and not strangers and not entry.truncated and len(names) < len(work.authors):
        # Of several authors with one family name, some are left out.
        counted = Counter(map(_family, names))
        of_same_name = Counter(_family(parse_name(author)) for author in work.authors)
        missing = [a for a in work.authors if counted[(f := _family(parse_name(a)))] < of_same_name[f]][:1]
    if len(strangers) == len(missing) and strangers:
        # One name for another: a slip in its spelling or a married name is one difference.
        return [FieldDifference("author", a.natural, b) for a, b in zip(strangers, missing, strict=True)]
    found = [FieldDifference("author", name.natural, "") for name in strangers]
    found += [FieldDifference("author", "", author) for author in missing]
    if not found and not _in_order_of(names, of_work):
        found.append(FieldDifference("author order", _listed(name.natural for name in names), _listed(work.authors)))
    return found


def _in_order_of(names: Sequence[PersonName], of_work: Sequence[set[str]]) -> bool:
    left = iter(of_work)
    return all(any(family_words(name) & words for words in left) for name in names)


def _listed(names: Iterable[str]) -> str:
    return "; ".join(names)


def _is_named(author: str, families: set[str]) -> bool:
    name = parse_name(author)
    words = folded_words(name.family) or folded_words(author)
    return bool({*words[:1], *words[-1:], *family_words(name)} & families)


def _family(name: PersonName) -> str:
    words = folded_words(name.family)
    return words[-1] if words else ""

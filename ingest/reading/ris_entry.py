"""What the tags of a RIS entry say of a paper."""

import re
from collections.abc import Iterable, Iterator

from ingest.entries.entry import BadEntry, PaperEntry, Publication
from ingest.reading.markup import without_markup
from ingest.reading.ris_tags import Tags
from papercore.bibliography.dates import UNKNOWN, date_text, parse_date
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.bibliography.kinds import kind_of_ris
from papercore.bibliography.names import PersonName, parse_indexed_name
from papercore.text import clean_text, one_line

# In the order in which they count: programs disagree on which of them is the journal.
_VENUES = ("T2", "JO", "JF", "BT", "JA", "J2", "J1")
_NOT_AUTHORS = re.compile(r"(?:and\s+)?(?:et\.? al\.?|others)", re.IGNORECASE)
_WHOLE_BOOKS = ("book", "thesis", "report")
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?:\s.*)?")


def ris_entry(tags: Tags) -> PaperEntry:
    title = first(tags, "TI", "T1", "CT", "ST")
    kind = kind_of_ris(first(tags, "TY"))
    if not title and kind in _WHOLE_BOOKS:
        title = first(tags, "BT", "T2")
    if not title:
        raise BadEntry("no title")
    url = first(tags, "UR")
    doi = canonical_doi(first(tags, "DO") or url) or canonical_doi(first(tags, "M3"))
    authors = names(values(tags, "AU", "A1"))
    publisher, venue = first(tags, "PB"), first(tags, *_VENUES)
    serial = first(tags, "SN")
    is_isbn = bool(_ISBN.fullmatch(serial))
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in authors)),
        date=_date(tags),
        venue=venue or publisher,
        abstract=without_markup(clean_text(next(iter(values(tags, "AB", "N2")), ""))),
        keywords=keywords(values(tags, "KW")),
        doi=doi,
        arxiv=canonical_arxiv(url) or arxiv_of_doi(doi),
        publication=Publication(
            kind=kind,
            venue=venue,
            authors=authors,
            editors=names(values(tags, "ED", *(() if kind == "patent" else ("A2",)))),
            volume=first(tags, "VL"),
            issue=first(tags, "IS"),
            pages=_pages(tags),
            publisher=publisher,
            place=first(tags, "CY", "PP"),
            series=first(tags, "T3"),
            edition=first(tags, "ET"),
            isbn=serial if is_isbn else "",
            issn="" if is_isbn else serial,
            url=url,
            language=first(tags, "LA"),
            note="; ".join(one_line(note) for note in values(tags, "N1")),
        ),
    )


def values(tags: Tags, *names: str) -> Iterator[str]:
    return (value for name in names for value in tags.get(name, ()) if value)


def first(tags: Tags, *names: str) -> str:
    """The first value of the first of these tags that has one."""
    return one_line(without_markup(next(values(tags, *names), "")))


def names(texts: Iterable[str]) -> tuple[PersonName, ...]:
    """The names that are names: `et al.` is none."""
    lines = (one_line(without_markup(text)) for text in texts)
    found = (parse_indexed_name(line) for line in lines if line and not _NOT_AUTHORS.fullmatch(line))
    return tuple(dict.fromkeys(found))


def keywords(texts: Iterable[str]) -> tuple[str, ...]:
    """Keywords, of which some programs write several on a line. `&amp;` holds no separator."""
    lines = (without_markup(text) for text in texts)
    words = (one_line(word) for line in lines for word in line.split(";"))
    return tuple(dict.fromkeys(word for word in words if word))


def _date(tags: Tags) -> str:
    """The first tag that names a year; a date without one, such as `APR`, only adds its month."""
    given = [date for name in ("DA", "PY", "Y1", "YR") if (date := first(tags, name))]
    dated = next((date for date in given if parse_date(date).year != UNKNOWN), "")
    parts = [part.strip() for part in dated.split("/")]
    if len(parts) > 1:
        return date_text(*parts[:3])
    partial = first(tags, "DA")
    if dated != partial and parse_date(partial).month != UNKNOWN:
        return date_text(parse_date(dated).year, parse_date(partial).month)
    return dated or next(iter(given), "")


def _pages(tags: Tags) -> str:
    start, end = first(tags, "SP"), first(tags, "EP")
    pages = f"{start}-{end}" if start and end else start or end
    return re.sub(r" ?[-‐‑‒–—]+ ?", "-", pages)

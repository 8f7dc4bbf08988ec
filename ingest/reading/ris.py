"""Reads .ris, and PubMed's .nbib, which is written the same way: lines of tags and values."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BadEntry, LocatedEntry, PaperEntry, Problem, Publication
from ingest.reading.fields import without_markup
from ingest.reading.lines import NumberedLine, encoding_warnings, read_lines
from papercore.bibliography.fields import UNKNOWN, PersonName, date_text, kind_of_ris, parse_date, parse_indexed_name
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.text import clean_text, one_line

# RIS has two spaces before the dash, some programs one; NBIB fills names of two to four letters up with spaces.
_TAG = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: (.*))?")
# In the order in which they count: programs disagree on which of them is the journal.
_VENUES = ("T2", "JO", "JF", "BT", "JA", "J2", "J1")
_NOT_AUTHORS = re.compile(r"(?:and\s+)?(?:et\.? al\.?|others)", re.IGNORECASE)
_WHOLE_BOOKS = ("book", "thesis", "report")
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?:\s.*)?")
_DASHES = re.compile(r" ?[-‐‑‒–—]+ ?")
_INITIALS = re.compile(r"(.+) ([A-Z]{1,4})(?: (Jr|Sr|2nd|3rd))?")
_DAY = re.compile(r"\d{4} \w{3,9} (\d{1,2})")
Tags = dict[str, list[str]]


class TaggedEntry(Struct, frozen=True):
    """The values of each tag in order, and the line at which the entry starts."""

    line: int
    tags: Tags
    is_nbib: bool
    problem: str = ""
    warnings: tuple[str, ...] = ()


def read_ris(path: Path) -> Iterator[LocatedEntry | Problem]:
    """The entries of a file, which are RIS or NBIB whatever its name says."""
    for tagged in read_tagged_entries(path):
        try:
            if tagged.problem:
                raise BadEntry(tagged.problem)
            entry = nbib_entry(tagged.tags) if tagged.is_nbib else ris_entry(tagged.tags)
            yield LocatedEntry(tagged.line, entry, tagged.warnings)
        except BadEntry as error:
            yield Problem(f"{path}:{tagged.line}", str(error))


def read_tagged_entries(path: Path) -> Iterator[TaggedEntry]:
    """From `TY  -` to `ER  -`, or from `PMID-` to the next; what is before the first is no entry."""
    pending: list[NumberedLine] = []
    for line in read_lines(path):
        found = _TAG.match(line.text)
        tag = found[1] if found else ""
        if tag in ("TY", "PMID") and pending:
            yield _tagged_entry(pending)
            pending = []
        if tag in ("TY", "PMID") or pending:
            pending.append(line)
        if tag == "ER" and pending:
            yield _tagged_entry(pending)
            pending = []
    if pending:
        yield _tagged_entry(pending)


def _tagged_entry(lines: Sequence[NumberedLine]) -> TaggedEntry:
    tags: Tags = {}
    tag = ""
    for line in lines:
        found = _TAG.match(line.text)
        if found:
            tag = found[1]
            tags.setdefault(tag, []).append((found[2] or "").strip())
        elif tag and line.text.strip():
            # A value goes on; NBIB indents the rest of it.
            tags[tag][-1] = f"{tags[tag][-1]} {line.text.strip()}".strip()
    problem = next((line.problem for line in lines if line.problem), "")
    if not problem and "PMID" not in tags and "ER" not in tags:
        problem = "no end of the entry (ER)"
    return TaggedEntry(lines[0].number, tags, "PMID" in tags and "TY" not in tags, problem, encoding_warnings(lines))


def ris_entry(tags: Tags) -> PaperEntry:
    title = _first(tags, "TI", "T1", "CT", "ST")
    kind = kind_of_ris(_first(tags, "TY"))
    if not title and kind in _WHOLE_BOOKS:
        title = _first(tags, "BT", "T2")
    if not title:
        raise BadEntry("no title")
    url = _first(tags, "UR")
    doi = canonical_doi(_first(tags, "DO") or url) or canonical_doi(_first(tags, "M3"))
    authors = _names(_values(tags, "AU", "A1"))
    publisher, venue = _first(tags, "PB"), _first(tags, *_VENUES)
    serial = _first(tags, "SN")
    is_isbn = bool(_ISBN.fullmatch(serial))
    first_page, last_page = _first(tags, "SP"), _first(tags, "EP")
    pages = f"{first_page}-{last_page}" if first_page and last_page else first_page or last_page
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in authors)),
        date=_ris_date(tags),
        venue=venue or publisher,
        abstract=without_markup(clean_text(next(_values(tags, "AB", "N2"), ""))),
        keywords=_keywords(_values(tags, "KW")),
        doi=doi,
        arxiv=canonical_arxiv(url) or arxiv_of_doi(doi),
        publication=Publication(
            kind=kind,
            venue=venue,
            authors=authors,
            editors=_names(_values(tags, "ED", *(() if kind == "patent" else ("A2",)))),
            volume=_first(tags, "VL"),
            issue=_first(tags, "IS"),
            pages=_DASHES.sub("-", pages),
            publisher=publisher,
            place=_first(tags, "CY", "PP"),
            series=_first(tags, "T3"),
            edition=_first(tags, "ET"),
            isbn=serial if is_isbn else "",
            issn="" if is_isbn else serial,
            url=url,
            language=_first(tags, "LA"),
            note="; ".join(one_line(note) for note in _values(tags, "N1")),
        ),
    )


def _ris_date(tags: Tags) -> str:
    """The first tag that names a year; a date without one, such as `APR`, only adds its month."""
    given = [date for name in ("DA", "PY", "Y1", "YR") if (date := _first(tags, name))]
    dated = next((date for date in given if parse_date(date).year != UNKNOWN), "")
    parts = [part.strip() for part in dated.split("/")]
    if len(parts) > 1:
        return date_text(*parts[:3])
    partial = _first(tags, "DA")
    if dated != partial and parse_date(partial).month != UNKNOWN:
        return date_text(parse_date(dated).year, parse_date(partial).month)
    return dated or next(iter(given), "")


def nbib_entry(tags: Tags) -> PaperEntry:
    title = _first(tags, "TI", "BTI").removesuffix(".")
    if not title:
        raise BadEntry("no title")
    authors = _names(_values(tags, "FAU")) or tuple(map(_short_name, _values(tags, "AU")))
    groups = tuple(PersonName(one_line(text)) for text in _values(tags, "CN"))
    venue = _first(tags, "JT", "TA")
    # `2012 Apr 5` as `2012-04-05`.
    date = _first(tags, "DP", "DEP")
    parsed, day = parse_date(date), _DAY.match(date)
    if parsed.year.isdecimal():
        date = date_text(parsed.year, parsed.month, day[1] if day else "")
    # MeSH headings have a star and qualifiers: `*Heart/physiology`.
    headings = (text.partition("/")[0].replace("*", "") for text in _values(tags, "MH"))
    stated = (text.removesuffix("[doi]") for text in _values(tags, "LID", "AID") if text.endswith("[doi]"))
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in (*authors, *groups))),
        date=date,
        venue=venue,
        abstract=clean_text(next(_values(tags, "AB"), "")),
        keywords=_keywords((*_values(tags, "OT"), *headings)),
        doi=next((doi for text in stated if (doi := canonical_doi(text))), None),
        publication=Publication(
            kind="book" if "BTI" in tags and "TI" not in tags else "article-journal",
            venue=venue,
            authors=(*authors, *groups),
            editors=_names(_values(tags, "FED")),
            volume=_first(tags, "VI"),
            issue=_first(tags, "IP"),
            pages=_first(tags, "PG"),
            publisher=_first(tags, "PB"),
            place=_first(tags, "PL") if "BTI" in tags else "",
            issn=_first(tags, "IS").partition(" ")[0],
            language=_first(tags, "LA"),
            url=f"https://pubmed.ncbi.nlm.nih.gov/{_first(tags, 'PMID')}/",
        ),
    )


def _short_name(text: str) -> PersonName:
    """`Lovelace AK`: the family name, then initials."""
    found = _INITIALS.fullmatch(text)
    return PersonName(found[1], found[2], found[3] or "") if found else parse_indexed_name(text)


def _values(tags: Tags, *names: str) -> Iterator[str]:
    return (value for name in names for value in tags.get(name, ()) if value)


def _first(tags: Tags, *names: str) -> str:
    """The first value of the first of these tags that has one."""
    return one_line(without_markup(next(_values(tags, *names), "")))


def _names(texts: Iterable[str]) -> tuple[PersonName, ...]:
    """The names that are names: `et al.` is none."""
    lines = (one_line(without_markup(text)) for text in texts)
    found = (parse_indexed_name(line) for line in lines if line and not _NOT_AUTHORS.fullmatch(line))
    return tuple(dict.fromkeys(found))


def _keywords(texts: Iterable[str]) -> tuple[str, ...]:
    """Keywords, of which some programs write several on a line. `&amp;` holds no separator."""
    lines = (without_markup(text) for text in texts)
    words = (one_line(word) for line in lines for word in line.split(";"))
    return tuple(dict.fromkeys(word for word in words if word))

"""Reads .ris entry by entry."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import rispy

from papers.build.author_names import natural_name
from papers.build.dates import date_text
from papers.build.entry import BadEntry, LocatedEntry, PaperEntry, Problem
from papers.build.paper_keys import arxiv_of_doi, canonical_arxiv, canonical_doi
from papers.build.readers.fields import Fields, line, paragraphs, words
from papers.build.readers.lines import NumberedLine, read_lines
from papers.build.readers.markup import without_markup

_START = re.compile(r"TY {1,2}-")
_END = re.compile(r"ER {1,2}-")


@dataclass(frozen=True)
class _Chunk:
    line: int
    text: str
    problem: str = ""


def read_ris(path: Path) -> Iterator[LocatedEntry | Problem]:
    for chunk in _chunks(read_lines(path)):
        try:
            yield LocatedEntry(chunk.line, _entry(chunk))
        except BadEntry as error:
            yield Problem(f"{path}:{chunk.line}", str(error))


def _chunks(lines: Iterator[NumberedLine]) -> Iterator[_Chunk]:
    """From each `TY  -` to its `ER  -`, or to the next `TY  -` where the end is missing."""
    held: list[NumberedLine] = []
    for row in lines:
        starts, ends = _START.match(row.text), _END.match(row.text)
        if starts and held:
            yield _chunk(held)
            held = []
        if starts or held:
            held.append(row)
        if ends and held:
            yield _chunk(held)
            held = []
    if held:
        yield _chunk(held)


def _chunk(held: list[NumberedLine]) -> _Chunk:
    problem = next((row.problem for row in held if row.problem), "")
    if not problem and not _END.match(held[-1].text):
        problem = "no end of the entry (ER)"
    return _Chunk(held[0].number, "\n".join(row.text for row in held), problem)


def _entry(chunk: _Chunk) -> PaperEntry:
    if chunk.problem:
        raise BadEntry(chunk.problem)
    try:
        found: list[Fields] = rispy.loads(chunk.text)
    except (ValueError, KeyError, IndexError, rispy.parser.ParseError) as error:
        raise BadEntry(f"not RIS: {error}") from None
    if len(found) != 1:
        raise BadEntry("not RIS: no entry found")
    return _paper(found[0])


def _paper(fields: Fields) -> PaperEntry:
    title = without_markup(line(fields, "title", "primary_title", "short_title"))
    if not title:
        raise BadEntry("no title")
    url = next(iter(words(fields, "urls")), "")
    doi = canonical_doi(line(fields, "doi") or url)
    authors = [*words_as_listed(fields, "authors"), *words_as_listed(fields, "first_authors")]
    return PaperEntry(
        title=title,
        authors=tuple(natural_name(name) for name in authors),
        date=_date(fields),
        venue=line(fields, "journal_name", "secondary_title", "alternate_title3", "alternate_title1", "publisher"),
        abstract=without_markup(paragraphs(fields, "abstract", "notes_abstract")),
        keywords=words(fields, "keywords"),
        doi=doi,
        arxiv=canonical_arxiv(url) or arxiv_of_doi(doi),
    )


def words_as_listed(fields: Fields, name: str) -> tuple[str, ...]:
    value = fields.get(name)
    return words(fields, name) if isinstance(value, list) else ()


def _date(fields: Fields) -> str:
    date = line(fields, "date", "publication_year", "year")
    parts = [part.strip() for part in date.split("/")]
    return date_text(*parts[:3]) if len(parts) > 1 else date

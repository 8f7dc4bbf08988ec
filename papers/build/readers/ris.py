"""Reads .ris entry by entry."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import rispy

from papercore.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papers.build.author_names import natural_name
from papers.build.dates import date_text
from papers.build.entry import BadEntry, LocatedEntry, PaperEntry, Problem
from papers.build.readers.fields import Fields, text_block, text_line, text_list
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
    """From each `TY  -` to its `ER  -`, or to the next `TY  -` if the end is missing."""
    pending: list[NumberedLine] = []
    for line in lines:
        starts, ends = _START.match(line.text), _END.match(line.text)
        if starts and pending:
            yield _chunk(pending)
            pending = []
        if starts or pending:
            pending.append(line)
        if ends and pending:
            yield _chunk(pending)
            pending = []
    if pending:
        yield _chunk(pending)


def _chunk(lines: list[NumberedLine]) -> _Chunk:
    problem = next((line.problem for line in lines if line.problem), "")
    if not problem and not _END.match(lines[-1].text):
        problem = "no end of the entry (ER)"
    return _Chunk(lines[0].number, "\n".join(line.text for line in lines), problem)


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
    title = without_markup(text_line(fields, "title", "primary_title", "short_title"))
    if not title:
        raise BadEntry("no title")
    url = next(iter(text_list(fields, "urls")), "")
    doi = canonical_doi(text_line(fields, "doi") or url)
    authors = [*_listed_words(fields, "authors"), *_listed_words(fields, "first_authors")]
    return PaperEntry(
        title=title,
        authors=tuple(natural_name(name) for name in authors),
        date=_date(fields),
        venue=text_line(fields, "journal_name", "secondary_title", "alternate_title3", "alternate_title1", "publisher"),
        abstract=without_markup(text_block(fields, "abstract", "notes_abstract")),
        keywords=text_list(fields, "keywords"),
        doi=doi,
        arxiv=canonical_arxiv(url) or arxiv_of_doi(doi),
    )


def _listed_words(fields: Fields, name: str) -> tuple[str, ...]:
    value = fields.get(name)
    return text_list(fields, name) if isinstance(value, list) else ()


def _date(fields: Fields) -> str:
    date = text_line(fields, "date", "publication_year", "year")
    parts = [part.strip() for part in date.split("/")]
    return date_text(*parts[:3]) if len(parts) > 1 else date

"""A passage as pages show it: without markup, the words of a query marked, and the sentence that counts set apart."""

import re

from msgspec import Struct, field

from papercore.retrieval import QueryTerms, with_marks
from papercore.text import one_line, sentence_spans
from papers.passages.snippet_text import without_markup

# The sign before a list item or a quotation; nobody reads it.
_LEAD = re.compile(r"^(?:[-*+>]|\d{1,3}[.)])\s+")
_RULE = re.compile(r"[|:\s-]+")
_CELL_END = re.compile(r"(?<!\\)\|")


class MarkedPassage(Struct, frozen=True):
    """[[[ and ]]] stand around the words. Of a single sentence nothing is set apart; a table has rows instead."""

    before: str = ""
    counts: str = ""
    after: str = ""
    rows: list[list[str]] = field(default_factory=list)


def plain_passage(quote: str) -> str:
    return without_markup(_LEAD.sub("", one_line(quote)))


def marked_words(quote: str, sought: QueryTerms) -> str:
    """In one line; of a table the cells, with a dot between them."""
    if _is_table(quote):
        return " · ".join(cell for row in _rows(quote, sought) for cell in row if cell)
    return without_markup(with_marks(_LEAD.sub("", one_line(quote)), sought))


def marked_passage(quote: str, sought: QueryTerms) -> MarkedPassage:
    """Set apart the sentence with most of the words."""
    if _is_table(quote):
        return MarkedPassage(rows=_rows(quote, sought))
    text = _LEAD.sub("", one_line(quote))
    spans = list(sentence_spans(text, 0, len(text)))
    shares = [_share(text[start:end], sought) for start, end in spans]
    if len(spans) < 2 or not max(shares):
        return MarkedPassage(marked_words(text, sought))
    start, end = spans[shares.index(max(shares))]
    before, counts, after = (marked_words(part, sought) for part in (text[:start], text[start:end], text[end:]))
    return MarkedPassage(before, counts, after)


def _is_table(quote: str) -> bool:
    return quote.lstrip().startswith("|")


def _share(sentence: str, sought: QueryTerms) -> int:
    """How many of the words it has."""
    return len({mark.term for mark in sought.marks(sentence)})


def _rows(quote: str, sought: QueryTerms) -> list[list[str]]:
    """The cells of a table, without the line below its head."""
    lines = [line.strip() for line in quote.strip().splitlines()]
    return [
        [marked_words(cell, sought) for cell in _CELL_END.split(line.removeprefix("|").removesuffix("|"))]
        for line in lines
        if not _RULE.fullmatch(line)
    ]

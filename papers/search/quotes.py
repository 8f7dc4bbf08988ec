"""Looks for quotes in the texts of papers."""

from collections.abc import Iterator
from functools import lru_cache

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import Quotable, cut, visible_length
from papercore.retrieval import Request
from papers.catalogue.paper_lookup import find_paper
from papers.passages.addresses import LocatedPassage, TextPassage, find_passage, split_address
from papers.search.results import list_papers
from papers.snapshot.errors import PassageNotFound
from papers.snapshot.models import Paper
from papers.texts.named import NamedText, names_of, read_named


class QuoteTooShort(ValueError):
    """A quote of which too little is left to compare."""


def find_quote(quote: str, where: str) -> LocatedPassage | None:
    """The passage in which a quote begins: in the text or paper named, else in the papers that fit its words best."""
    if visible_length(quote) < limits.QUOTE_LEAST_CHARS:
        raise QuoteTooShort
    found = _find_near(quote, where) if split_address(where) else None
    return found or next(filter(None, (_find_in(text, quote) for text in _texts(quote, where))), None)


def _find_near(quote: str, address: str) -> LocatedPassage | None:
    """In the text of an address, at the passage itself if it is there."""
    try:
        near = find_passage(address)
    except PassageNotFound:
        return None
    return _find_in(near.source, quote, near.passage.start)


def _texts(quote: str, where: str) -> Iterator[NamedText]:
    """The texts to look through, the likeliest first."""
    address = split_address(where)
    if address:
        paper = find_paper(address[0])
        yield read_named(paper, address[1])
        yield from _texts_of(paper, but=address[1])
    elif where.strip():
        yield from _texts_of(find_paper(where.strip()))
    else:
        words = quote.replace('"', " ")[: limits.QUERY_CHARS]
        for listed in list_papers(Request(words, limits.QUOTE_PAPERS, mode="words")).papers:
            yield from _texts_of(find_paper(listed.paper_id))


def _texts_of(paper: Paper, but: str = "") -> Iterator[NamedText]:
    """The paper's texts; one whose file cannot be read is left out."""
    for name in names_of(paper):
        if name != but:
            try:
                yield read_named(paper, name)
            except ToolError:
                continue


def _find_in(source: NamedText, quote: str, start: int = 0) -> LocatedPassage | None:
    found = _quotable(source.text).find(quote, start)
    if found is None:
        return None
    text = cut(source.text)
    passage = text.at(found[0])
    return TextPassage(source, text, passage).located if passage else None


# An agent verifies several quotes of the same papers at once.
@lru_cache(maxsize=16)
def _quotable(text: str) -> Quotable:
    return Quotable(text[: limits.PASSAGE_TEXT_CHARS])

"""Checks that quotes are in the texts of papers."""

from collections.abc import Iterator
from functools import lru_cache

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import Quotable, cut, visible_length
from papercore.retrieval import Request
from papers.catalogue.lookup import find_paper
from papers.passages.addresses import LocatedPassage, TextPassage, find_passage, split_address
from papers.passages.schemas import Quotes, QuoteToVerify, VerifiedQuote, VerifiedQuotes
from papers.passages.tools import place_of
from papers.search.results import list_papers
from papers.snapshot.errors import PassageNotFound
from papers.snapshot.served import paper_tool
from papers.texts.named import NamedText, texts_of


@paper_tool
def verify_quotes(quotes: Quotes) -> VerifiedQuotes:
    """Check that quotes are really in the papers: for each, where it is, or that it is nowhere.

    Call it with every quote of your answer before you give it, each with the address or paper it is from. Spaces,
    hyphens, quotation marks and upper or lower case may differ; nothing else may, so quote without ellipses.
    """
    verified = [_verified(item) for item in quotes]
    return VerifiedQuotes(quotes=verified, all_found=all(item.found for item in verified))


def _verified(item: QuoteToVerify) -> VerifiedQuote:
    problem, found = None, None
    if visible_length(item.quote) < limits.QUOTE_LEAST_CHARS:
        problem = f"Too short: a quote needs at least {limits.QUOTE_LEAST_CHARS} letters or digits."
    else:
        try:
            found = find_quote(item.quote, item.where.strip())
        except ToolError as error:
            problem = error.message
    if not (found or problem or item.where.strip()):
        problem = f"Not in the {limits.QUOTE_PAPERS} papers that fit its words best; name the paper in `where`."
    place = place_of(found) if found else None
    return VerifiedQuote(quote=item.quote, found=found is not None, place=place, problem=problem)


def find_quote(quote: str, where: str) -> LocatedPassage | None:
    """The passage in which a quote begins: at the address or in the paper named, else in the papers that fit best."""
    if split_address(where):
        try:
            near = find_passage(where)
        except PassageNotFound:
            pass
        else:
            if found := _find_in(near.source, quote, near.passage.start):
                return found
    return next(filter(None, (_find_in(text, quote) for text in _texts(quote, where))), None)


def _texts(quote: str, where: str) -> Iterator[NamedText]:
    """The texts to look through, the likeliest first."""
    if address := split_address(where):
        name, text = address
        texts = texts_of(find_paper(name))
        yield texts.read(text)
        yield from texts.readable()
    elif where:
        yield from texts_of(find_paper(where)).readable()
    else:
        words = quote.replace('"', " ")[: limits.QUERY_CHARS]
        for listed in list_papers(Request(words, limits.QUOTE_PAPERS, mode="words", as_typed=True)).papers:
            yield from texts_of(find_paper(listed.paper_id)).readable()


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

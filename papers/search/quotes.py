"""Checks that quotes are in the texts of papers: where they are, whose words they are, and what differs."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import zip_longest
from operator import itemgetter

from msgspec import Struct

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import CutText, Passage, Quotable, cut, visible_length
from papercore.retrieval import Filters, Request
from papercore.text import one_line
from papers.catalogue.lookup import find_paper
from papers.catalogue.text_kinds import OWN_TEXTS
from papers.passages.addresses import LocatedPassage, TextPassage, find_passage, split_address
from papers.passages.marked import readable_quote
from papers.passages.schemas import Quotes, QuoteToVerify, QuoteVerdict, VerifiedQuote, VerifiedQuotes
from papers.passages.tools import place_of
from papers.search.passages import find_passages
from papers.search.results import list_papers
from papers.snapshot.errors import PassageNotFound
from papers.snapshot.served import paper_tool
from papers.texts.named import NamedText, texts_of

# A passage that shares so much of a quote's words, in order, is what was meant to be quoted.
NEAR_SHARE = 0.7
# Passages with most of its words that are compared word by word.
COMPARED_IN_ORDER = 8
# Differences of a near miss that are shown.
SHOWN_DIFFERENCES = 3
_WORD = re.compile(r"\w+(?:[-.,']\w+)*|[^\w\s]")


class QuoteFinding(Struct, frozen=True):
    """A verdict, the passage that it is about, and a sentence where something is to be said."""

    verdict: QuoteVerdict
    located: LocatedPassage | None = None
    problem: str | None = None


@paper_tool
def verify_quotes(quotes: Quotes) -> VerifiedQuotes:
    """Check that quotes are really in the papers: for each, where it is, whose words it is, or what differs.

    Call it with every quote of your answer before you give it, each with the address or paper it is from. Spaces,
    hyphens, quotation marks and upper or lower case may differ; nothing else may, so quote without ellipses.
    """
    verified = []
    for item in quotes:
        finding = find_quote(item)
        verified.append(
            VerifiedQuote(
                quote=item.quote,
                found=finding.verdict == "found",
                verdict=finding.verdict,
                place=place_of(finding.located) if finding.located else None,
                problem=finding.problem,
            )
        )
    return VerifiedQuotes(quotes=verified, all_found=all(item.found for item in verified))


def find_quote(item: QuoteToVerify) -> QuoteFinding:
    """Look in the paper that is named; then where else it may be from, and for what it comes near to."""
    quote, where = item.quote, item.where.strip()
    if visible_length(quote) < limits.QUOTE_LEAST_CHARS:
        least = limits.QUOTE_LEAST_CHARS
        return QuoteFinding("not_checked", problem=f"Too short: a quote needs at least {least} letters or digits.")
    try:
        named = list(_texts_named(where)) if where else []
    except ToolError as error:
        return QuoteFinding("not_checked", problem=error.message)
    at = _start_at(where)
    if where and (found := _found_in(named, quote, at)):
        return _judged(found)
    papers = {text.paper.paper_id for text in named}
    others = [text for text in _likely_texts(quote) if text.paper.paper_id not in papers]
    if found := _found_in(others, quote):
        if not where:
            return _judged(found)
        page = f", page {found.page}" if found.page else ""
        told = f"Not in {where}; in “{found.paper.title}”{page}, at {found.address}."
        return QuoteFinding("elsewhere", found, told)
    if near := _nearest([text for text in named or others if is_own_text(text)], quote):
        return near
    if where:
        return QuoteFinding("not_found")
    unnamed = f"Not in the {limits.QUOTE_PAPERS} papers that fit its words best; name the paper in `where`."
    return QuoteFinding("not_found", problem=unnamed)


def _texts_named(where: str) -> Iterator[NamedText]:
    """The texts of the paper at an address or of this name; the text of the address first."""
    address = split_address(where)
    texts = texts_of(find_paper(address[0] if address else where))
    if address:
        yield texts.read(address[1])
    yield from (text for text in texts.readable() if not address or text.name != address[1])


def _start_at(where: str) -> int:
    """Where in its text an address is, so that of equal words those nearest to it are found."""
    try:
        return find_passage(where).passage.start if split_address(where) else 0
    except PassageNotFound:
        return 0


def _likely_texts(quote: str) -> Iterator[NamedText]:
    """Of the papers with the best passages by its words, and of the best papers."""
    words = " ".join(_WORD.findall(quote.replace('"', " ")))[: limits.QUERY_CHARS]
    ids = [found.located.paper.paper_id for found in find_passages(words, Filters(), (), limits.QUOTE_PAPERS)]
    ids += [
        listed.paper_id
        for listed in list_papers(Request(words, limits.QUOTE_PAPERS, mode="words", as_typed=True)).papers
    ]
    for paper_id in dict.fromkeys(ids):
        yield from texts_of(find_paper(paper_id)).readable()


def _found_in(texts: Sequence[NamedText], quote: str, start: int = 0) -> LocatedPassage | None:
    """The passage in which the quote begins; a paper's own text counts before what retells it."""
    for own in (True, False):
        for place, text in enumerate(texts):
            if is_own_text(text) == own and (found := _found_in_text(text, quote, 0 if place else start)):
                return found
    return None


def is_own_text(text: NamedText) -> bool:
    kind = text.name.partition(":")[0]
    return kind in ("source", "abstract") or text.name == "summary:abstract"


def _found_in_text(source: NamedText, quote: str, start: int) -> LocatedPassage | None:
    found = _quotable(source.text).find(quote, start)
    text = cut(source.text)
    passage = text.at(found[0]) if found else _row_of_table(text, quote)
    return TextPassage(source, text, passage).located if passage else None


def _row_of_table(text: CutText, quote: str) -> Passage | None:
    """The table that has the quote as passages of tables are shown: each cell with its head."""
    tables = [passage for passage in text.passages if passage.kind == "table"] if ":" in quote else []
    return next((table for table in tables if Quotable(readable_quote(text.quote(table))).find(quote)), None)


# An agent verifies several quotes of the same papers at once.
@lru_cache(maxsize=16)
def _quotable(text: str) -> Quotable:
    return Quotable(text[: limits.PASSAGE_TEXT_CHARS])


def _judged(found: LocatedPassage) -> QuoteFinding:
    """Words that are in the paper named: the authors', or not."""
    origin = found.origin
    if origin.kind not in OWN_TEXTS:
        told = f"Only in a text that retells the paper ({origin.label}): not the authors' words, so do not quote it."
        return QuoteFinding("not_authors_words", found, told)
    if origin.authors_words:
        return QuoteFinding("found", found)
    return QuoteFinding("found", found, f"{origin.label}: not known to be the authors' words, so paraphrase it.")


def _nearest(texts: Sequence[NamedText], quote: str) -> QuoteFinding | None:
    """The passage that has most of the quote's words in order, alone or with the next one, and what differs."""
    sought = [word.casefold() for word in _WORD.findall(quote)]
    known = set(sought)
    near: list[tuple[float, TextPassage, list[str]]] = []
    for source in texts:
        text = cut(source.text)
        for passage, following in zip_longest(text.passages, text.passages[1:]):
            for last in filter(None, (passage, following)):
                said = _WORD.findall(text.text[passage.start : last.end])
                share = len(known.intersection(map(str.casefold, said))) / (len(known) or 1)
                near.append((share, TextPassage(source, text, passage), said))
    likely = [item for item in nlargest(COMPARED_IN_ORDER, near, key=itemgetter(0)) if item[0] >= NEAR_SHARE]
    compared = [(_in_order(said, sought), passage, said) for _, passage, said in likely]
    matcher, passage, said = max(compared, key=lambda item: _matched(item[0]), default=(None, None, []))
    if matcher is None or passage is None or _matched(matcher) < NEAR_SHARE * len(sought):
        return None
    words = _WORD.findall(quote)
    differences = [
        f"the text has “{one_line(' '.join(said[a:b]))}”, the quote “{one_line(' '.join(words[c:d]))}”"
        for kind, a, b, c, d in matcher.get_opcodes()
        # What the passage has before and after the quote is no difference.
        if kind != "equal" and not (kind == "delete" and c in (0, len(sought)))
    ]
    if not differences:
        return None
    told = "Not word for word: " + "; ".join(differences[:SHOWN_DIFFERENCES]) + "."
    return QuoteFinding("near_miss", passage.located, told)


def _in_order(said: Sequence[str], sought: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [word.casefold() for word in said], sought, autojunk=False)


def _matched(matcher: SequenceMatcher[str]) -> int:
    """How many words are the same, in order."""
    return sum(block.size for block in matcher.get_matching_blocks())

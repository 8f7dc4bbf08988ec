"""Checks that quotes are in the texts of papers: where they are, whose words they are, and what differs."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import pairwise, takewhile
from operator import itemgetter

from msgspec import Struct

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import Quotable, cut, visible_length
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

# Papers in which a quote without a paper's name is looked for: the best by its words.
QUOTE_PAPERS = 5
# A passage that shares so much of a quote's words, in order, is what was meant to be quoted.
NEAR_SHARE = 0.7
# Passages with most of its words that are compared word by word.
COMPARED_IN_ORDER = 8
# Differences of a near miss that are shown, and words of each.
SHOWN_DIFFERENCES, SHOWN_WORDS = 3, 12
# What may be left out between two parts of a quote, in characters; and places at which its first part is tried.
OMITTED_CHARS, TRIED_PLACES = 3_000, 20
# The letters that a part must have to be looked for.
_PART_LEAST_CHARS = 3
_WORD = re.compile(r"\w+(?:[-.,']\w+)*|[^\w\s]")
# `[t]he` for The; and what stands for words that were left out, or explains them.
_CHANGED_LETTER = re.compile(r"\[(\w)\](?=\w)")
_NOT_QUOTED = re.compile(r"\[[^\[\]]{1,200}\]|\(\s?(?:…|\.\s?\.\s?\.)\s?\)|…|\.\s?\.\s?\.(?:\s?\.)?")


class QuoteFinding(Struct, frozen=True):
    """A verdict, the passage that it is about, and a sentence where something is to be said."""

    verdict: QuoteVerdict
    located: LocatedPassage | None = None
    problem: str | None = None


@paper_tool
def verify_quotes(quotes: Quotes) -> VerifiedQuotes:
    """Check that quotes are really in the papers: for each, where it is, whose words it is, or what differs.

    Call it with every quote of your answer before you give it, each with the address or paper it is from. Spaces,
    hyphens, quotation marks and case may differ; what is left out is `[...]`, your words are in [].
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
    named: list[NamedText] = []
    start = 0
    if where:
        address = split_address(where)
        try:
            texts = texts_of(find_paper(address[0] if address else where))
            # The text of the address comes first.
            named = [texts.read(address[1])] if address else []
            named += [text for text in texts.readable() if not address or text.name != address[1]]
        except ToolError as error:
            return QuoteFinding("not_checked", problem=error.message)
        try:
            # Of equal words those nearest to the address are found.
            start = find_passage(where).passage.start if address else 0
        except PassageNotFound:
            start = 0
    if found := _found_in(named, quote, start):
        return found
    papers = {text.paper.paper_id for text in named}
    others = [text for text in _texts_with_words_of(quote) if text.paper.paper_id not in papers]
    if (found := _found_in(others, quote)) and found.located:
        if not where:
            return found
        page = f", page {found.located.page}" if found.located.page else ""
        there = f"Not in {where}; in “{found.located.paper.title}”{page}, at {found.located.address}."
        return QuoteFinding("elsewhere", found.located, f"{there} {found.problem or ''}".strip())
    if near := _nearest([text for text in named or others if is_own_text(text)], quote):
        return near
    nowhere = f"Not in the {QUOTE_PAPERS} papers that fit its words best; name the paper in `where`."
    return QuoteFinding("not_found", problem=None if where else nowhere)


def _texts_with_words_of(quote: str) -> Iterator[NamedText]:
    """Those of the papers with the best passages by its words, and of the best papers."""
    words = " ".join(_WORD.findall(quote.replace('"', " ")))[: limits.QUERY_CHARS]
    ids = [found.located.paper.paper_id for found in find_passages(words, Filters(), (), QUOTE_PAPERS)]
    request = Request(words, QUOTE_PAPERS, mode="words", as_typed=True)
    ids += [listed.paper_id for listed in list_papers(request).papers]
    for paper_id in dict.fromkeys(ids):
        yield from texts_of(find_paper(paper_id)).readable()


def _found_in(texts: Sequence[NamedText], quote: str, start: int = 0) -> QuoteFinding | None:
    """The passage in which the quote begins, word for word or in parts; a paper's own text before what retells it."""
    in_order = sorted(enumerate(texts), key=lambda item: not is_own_text(item[1]))
    for parts in ([quote], _parts_of(quote)):
        for place, source in in_order:
            found = _place_of_parts(source.text, parts, 0 if place else start)
            text = cut(source.text)
            passage = text.at(found) if found is not None else None
            if passage is None and parts == [quote] and ":" in quote:
                # As passages of tables are shown: each cell with its head.
                tables = (table for table in text.passages if table.kind == "table")
                passage = next((t for t in tables if Quotable(readable_quote(text.quote(t))).find(quote)), None)
            if passage:
                is_cut = parts != [quote]
                return _judged(TextPassage(source, text, passage).located, is_cut=is_cut)
    return None


def is_own_text(text: NamedText) -> bool:
    kind = text.name.partition(":")[0]
    return kind in ("source", "abstract") or text.name == "summary:abstract"


def _parts_of(quote: str) -> list[str]:
    """What is quoted in a quote with `[...]`, `...` or words in brackets; nothing if too little is."""
    parts = [part for part in _NOT_QUOTED.split(_CHANGED_LETTER.sub(r"\1", quote)) if visible_length(part)]
    lengths = [visible_length(part) for part in parts] or [0]
    is_enough = max(lengths) >= limits.QUOTE_LEAST_CHARS and min(lengths) >= _PART_LEAST_CHARS
    return parts if is_enough and parts != [quote] else []


def _place_of_parts(text: str, parts: Sequence[str], start: int) -> int | None:
    """Where the first part begins, if the others follow it closely."""
    quotable = _quotable(text)
    for _ in range(TRIED_PLACES if parts else 0):
        spans = [quotable.find(parts[0], start)]
        for part in parts[1:]:
            spans.append(quotable.find(part, spans[-1][1]) if spans[-1] else None)
        placed = [span for span in spans if span]
        follows = all(0 <= right[0] - left[1] <= OMITTED_CHARS for left, right in pairwise(placed))
        if len(placed) == len(parts) and follows:
            return placed[0][0]
        if not spans[0] or spans[0][0] < start:
            return None
        start = spans[0][0] + 1
    return None


# An agent verifies several quotes of the same papers at once.
@lru_cache(maxsize=16)
def _quotable(text: str) -> Quotable:
    return Quotable(text[: limits.PASSAGE_TEXT_CHARS])


def _judged(found: LocatedPassage, *, is_cut: bool) -> QuoteFinding:
    """Words that are in a text: the authors', or not."""
    said = "Its parts stand there in this order; what is in brackets or left out was not compared." if is_cut else ""
    if note := _not_authors_words(found):
        return QuoteFinding("not_authors_words", found, f"{note} {said}".strip())
    if found.origin.kind == "ocr_text":
        said = f"Letters that OCR read may be wrong: compare it with the PDF. {said}".strip()
    return QuoteFinding("found", found, said or None)


def _not_authors_words(found: LocatedPassage) -> str:
    origin = found.origin
    if origin.authors_words or origin.kind == "ocr_text":
        return ""
    if origin.kind in OWN_TEXTS and origin.kind != "reading_edition":
        return f"{origin.label}: not known to be the authors' words, so paraphrase it."
    return f"In a text that retells the paper ({origin.label}): not the authors' words, so do not quote it."


def _nearest(texts: Sequence[NamedText], quote: str) -> QuoteFinding | None:
    """The words that are most of the quote's in order, and what differs between the two."""
    words = _WORD.findall(quote)
    sought = [word.casefold() for word in words]
    known = set(sought)
    candidates = []
    for source in texts:
        text = cut(source.text)
        for number, passage in enumerate(text.passages):
            # A quote may go on in the next passage.
            for last in text.passages[number : number + 2]:
                said = list(_WORD.finditer(text.text, passage.start, last.end))
                share = len(known.intersection(match[0].casefold() for match in said)) / (len(known) or 1)
                candidates.append((share, source, said))
    best: tuple[int, NamedText, list[re.Match[str]], SequenceMatcher[str]] | None = None
    for share, source, said in nlargest(COMPARED_IN_ORDER, candidates, key=itemgetter(0)):
        if share >= NEAR_SHARE:
            # Around the longest stretch in common, as many words as the quote has, and some.
            folded = [match[0].casefold() for match in said]
            longest = SequenceMatcher(None, folded, sought, autojunk=False).find_longest_match()
            more = 3 + len(sought) // 4
            begin, end = longest.a - longest.b - more, longest.a - longest.b + len(sought) + more
            around = said[max(0, begin) : max(0, end)]
            matcher = SequenceMatcher(None, folded[max(0, begin) : max(0, end)], sought, autojunk=False)
            matched = sum(block.size for block in matcher.get_matching_blocks())
            if matched >= NEAR_SHARE * len(sought) and (best is None or matched > best[0]):
                best = matched, source, around, matcher
    if best is None:
        return None
    _, source, around, matcher = best
    text = cut(source.text)
    first = text.at(around[matcher.get_matching_blocks()[0].a].start())
    if first is None:
        return None
    located = TextPassage(source, text, first).located
    differences = "; ".join(_differences(matcher, [match[0] for match in around], words)[:SHOWN_DIFFERENCES])
    problem = f"Not word for word: {differences or 'the signs between the words differ'}."
    return QuoteFinding("near_miss", located, f"{problem} {_not_authors_words(located)}".strip())


def _differences(matcher: SequenceMatcher[str], said: Sequence[str], words: Sequence[str]) -> list[str]:
    """What either has instead; of the text before and after the quote, the sentence, and little more than the quote."""
    found = []
    for kind, a, b, c, d in matcher.get_opcodes():
        there, here = said[a:b], words[c:d]
        if c == 0:
            there = [*takewhile(_is_word, reversed(there))][: len(here) + 2][::-1] if here else []
        elif d == len(words):
            there = [*takewhile(_is_word, there)][: len(here) + 2] if here else []
        if kind != "equal" and (there or here):
            found.append(f"the text has {_shown(there)}, the quote {_shown(here)}")
    return found


def _is_word(word: str) -> bool:
    return word[0].isalnum()


def _shown(words: Sequence[str]) -> str:
    more = " …" if len(words) > SHOWN_WORDS else ""
    return f"“{one_line(' '.join(words[:SHOWN_WORDS]))}{more}”" if words else "nothing there"

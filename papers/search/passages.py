"""Finds the passages that bear on a query, and checks that quotes are in the texts of papers."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from papercore import limits
from papercore.errors import ToolError
from papercore.passages import Quotable, cut, visible_length
from papercore.passages.ranking import COVERED, Candidate, RankedPassage, rank, rank_by_meaning, rank_by_words
from papercore.retrieval import Filters, Index, PassageRequest, Request
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import Value, VisibleQuery, Year
from papers.passages.addresses import (
    LocatedPassage,
    PlacedCandidate,
    TextPassage,
    find_passage,
    read_candidates,
    searched_passages,
    split_address,
)
from papers.passages.schemas import (
    PassageHit,
    PassageHits,
    PassageLimit,
    Quotes,
    QuoteToVerify,
    SearchedPapers,
    VerifiedQuote,
    VerifiedQuotes,
)
from papers.passages.tools import place_of
from papers.search.results import list_papers
from papers.snapshot import index
from papers.snapshot.errors import PassageNotFound
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection, paper_tool
from papers.texts.named import NamedText, texts_of, texts_of_papers

# Characters of texts that one search cuts into passages: what a second allows.
SEARCHED_CHARS = 1_000_000
# What a query excludes, or asks of the paper, is no word of a passage.
_NOT_SOUGHT = re.compile(
    r"""(?:^|(?<=[\s(]))(?:-|NOT\s|(?:author|venue|keyword|tag|institution|language|year):)(?:"[^"]{0,500}"|[^\s"()]+)"""
)


class FoundPassage(Struct, frozen=True):
    """A passage that bears on a query."""

    located: LocatedPassage
    score: float
    # The share of the query's words that it has.
    covered: float


@paper_tool
def search_passages(
    query: VisibleQuery,
    paper_ids: SearchedPapers = (),
    limit: PassageLimit = limits.DEFAULT_PASSAGE_HITS,
    author: Value | None = None,
    venue: Value | None = None,
    keyword: Value | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
) -> PassageHits:
    """Find the passages that answer a question: a few sentences each, word for word, with address and section.

    The cheapest way to evidence: ask in plain words, or as in search_papers. Looks into abstracts, summaries, full
    texts and translations of the papers that fit best; with `paper_ids` only into those. Then get_passage to read on,
    cite with the address, and verify_quotes before you answer. An empty list means that there is no evidence here.
    """
    named = {"author": author, "venue": venue, "keyword": keyword}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    ids = [find_paper(name).paper_id for name in paper_ids]
    found = find_passages(query, Filters(values, year_from, year_to), ids, limit)
    return PassageHits(passages=[hit_of(item) for item in found])


def hit_of(found: FoundPassage) -> PassageHit:
    return PassageHit(**dict(place_of(found.located)), quote=found.located.quote, score=round(found.score, 3))


def find_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """The best passages, a few of each paper at most; in the papers with these ids, or in those that the query finds.

    In papers that are named, any passage may answer. Elsewhere one must have most of the words, or papers must fit,
    too: of two words, a passage may have a common one alone.
    """
    request = PassageRequest(query, max(limits.PASSAGES_RANKED, 2 * limit), filters, tuple(paper_ids))
    # None without an index, or while it fails.
    found = index.ask(partial(_by_index, request), lambda: None)
    if found is None:
        listed = () if paper_ids else list_papers(Request(query, limits.PASSAGE_PAPERS, filters=filters)).papers
        best = max((paper.score or 0 for paper in listed), default=0) or 1
        fit = {paper.paper_id: (paper.score or 0) / best for paper in listed}
        found = _in_texts(query, fit or dict.fromkeys(paper_ids, 1.0))
    if paper_ids:
        return _without_repetition(found, limit)[:limit]
    covered = max((item.covered for item in found), default=0.0)
    if covered < COVERED and not list_papers(Request(query, 1, filters=filters)).total:
        return []
    return _without_repetition(found, limits.PASSAGES_OF_PAPER)[:limit]


def _by_index(request: PassageRequest, built: Index) -> list[FoundPassage] | None:
    """By words, else by meaning. In papers that are named, words decide: whoever names them waits for many lists."""
    reader = None if request.documents else built.reader(_sought(request.query))
    for by_meaning, rank_candidates in ((False, rank_by_words), (True, rank_by_meaning)):
        candidates = built.passages(replace(request, by_meaning=by_meaning))
        placed = list(read_candidates(candidates))
        if found := _ranked(request.query, placed, partial(rank_candidates, reader=reader)):
            return found
    return []


def _in_texts(query: str, fit: dict[str, float]) -> list[FoundPassage]:
    """Without an index of passages: in the texts of these papers, as many as the time of one search allows.

    `fit` says how well each paper fits the query.
    """
    left = SEARCHED_CHARS
    found = []
    for paper_id, texts in texts_of_papers(papers_with_ids(connection(), fit).values()).items():
        for source in texts.readable():
            if len(source.text) <= left:
                left -= len(source.text)
                text = cut(source.text)
                found += [
                    PlacedCandidate(TextPassage(source, text, passage).located, fit[paper_id])
                    for passage in searched_passages(text)
                ]
    return _ranked(query, found, rank)


def _ranked(
    query: str,
    found: Sequence[PlacedCandidate],
    rank_candidates: Callable[[str, Sequence[Candidate]], list[RankedPassage]],
) -> list[FoundPassage]:
    candidates = [
        Candidate(item.located.quote, f"{item.located.paper.title} {item.located.section}", item.fit) for item in found
    ]
    best = rank_candidates(_sought(query), candidates)
    return [FoundPassage(found[item.candidate].located, item.score, item.covered) for item in best]


def _sought(query: str) -> str:
    return _NOT_SOUGHT.sub(" ", query)


def _without_repetition(ranked: Sequence[FoundPassage], most: int) -> list[FoundPassage]:
    """Each wording once, although an abstract is often in the source, too, and no more than so many of a paper."""
    seen: set[tuple[str, str]] = set()
    taken: Counter[str] = Counter()
    kept = []
    for found in ranked:
        paper_id, check = found.located.paper.paper_id, found.located.check
        if (paper_id, check) not in seen and taken[paper_id] < most:
            seen.add((paper_id, check))
            taken[paper_id] += 1
            kept.append(found)
    return kept


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

"""Finds the passages that bear on a query: what papers say themselves, and apart from that what retells them."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from papercore import limits
from papercore.passages import cut
from papercore.passages.ranking import Candidate, RankedPassage, rank, rank_by_meaning, rank_by_words
from papercore.retrieval import Filters, Index, PassageRequest, Request, query_words
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import Value, VisibleQuery, Year
from papers.catalogue.text_kinds import OWN_TEXTS
from papers.passages.addresses import (
    LocatedPassage,
    PlacedCandidate,
    TextPassage,
    read_candidates,
    searched_passages,
)
from papers.passages.marked import readable_quote
from papers.passages.schemas import PassageHit, PassageHits, PassageLimit, SearchedPapers, TextsAsked
from papers.passages.tools import place_of
from papers.search.list_query import FACETS
from papers.search.results import list_papers
from papers.snapshot import index
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection, paper_tool
from papers.texts.named import texts_of_papers

# Characters of texts that one search cuts into passages: what a second allows.
SEARCHED_CHARS = 1_000_000
# The share of a query's words that a passage must have where no paper answers the query, and where papers may not.
COVERED = {"nothing": 0.8, "unsure": 0.6, "answered": 0.0}
# What retells papers is shown beside their own words, to find them; a few passages are enough.
RETELLING_PASSAGES = 3
# A second passage of a paper waits for the first ones of others whose scores are at most this much lower, a third for
# those twice as much. More helps to find the one paper that a sentence cites, and puts the one passage that bears on a
# claim further down (bench.quality.passages).
WAIT = 0.05


class FoundPassage(Struct, frozen=True):
    """A passage that bears on a query."""

    located: LocatedPassage
    score: float
    # The share of the query's words that it has.
    covered: float

    @property
    def is_retelling(self) -> bool:
        return self.located.origin.kind not in OWN_TEXTS


class FoundPassages(Struct, frozen=True):
    """The best passages of the papers' own texts, and of the texts that retell them."""

    own: list[FoundPassage]
    retelling: list[FoundPassage]


@paper_tool
def search_passages(
    query: VisibleQuery,
    paper_ids: SearchedPapers = (),
    limit: PassageLimit = limits.DEFAULT_PASSAGE_HITS,
    texts: TextsAsked = "authors",
    author: Value | None = None,
    venue: Value | None = None,
    keyword: Value | None = None,
    year_from: Year | None = None,
    year_to: Year | None = None,
) -> PassageHits:
    """Find the passages that answer a question: a few sentences each, word for word, with address and section.

    The cheapest way to evidence: ask in plain words, or as in search_papers. Looks into the papers that fit best; with
    `paper_ids` only into those. Quote only where `authors_words` is true. Then get_passage to read on, cite with the
    address, and verify_quotes before you answer. An empty list means that there is no evidence here.
    """
    named = {"author": author, "venue": venue, "keyword": keyword}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    ids = [find_paper(name).paper_id for name in paper_ids]
    filters = Filters(values, year_from, year_to)
    if texts == "all":
        return PassageHits(passages=[hit_of(item) for item in find_passages(query, filters, ids, limit)])
    found = find_evidence(query, filters, ids, limit)
    own, retelling = map(hit_of, found.own), map(hit_of, found.retelling)
    if texts == "summaries":
        return PassageHits(passages=list(retelling)[:limit])
    return PassageHits(passages=list(own), other_texts=list(retelling)[:RETELLING_PASSAGES])


def hit_of(found: FoundPassage) -> PassageHit:
    return PassageHit(
        **dict(place_of(found.located)), quote=readable_quote(found.located.quote), score=round(found.score, 3)
    )


def find_evidence(
    query: str, filters: Filters, paper_ids: Sequence[str], limit: int, wait: float = WAIT
) -> FoundPassages:
    """The best passages by whose words they are, as many of each."""
    ranked = _ranked_passages(query, filters, paper_ids, limit)
    most = limit if paper_ids else limits.PASSAGES_OF_PAPER
    own, retelling = (
        _spread([item for item in ranked if item.is_retelling == apart], most, wait)[:limit] for apart in (False, True)
    )
    return FoundPassages(own, retelling)


def find_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """The best passages of all texts, a few of each paper at most."""
    ranked = _ranked_passages(query, filters, paper_ids, limit)
    return _spread(ranked, limit if paper_ids else limits.PASSAGES_OF_PAPER, WAIT)[:limit]


def _ranked_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """In the papers with these ids, or in those that the query finds.

    In papers that are named, any passage may answer. Where it is unsure whether papers do, it must have enough words.
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
        return found
    # As far as papers are no evidence, each passage must have the words itself.
    papers = list_papers(Request(query, 1, filters=filters))
    least = COVERED[papers.verdict if papers.total else "nothing"]
    return [item for item in found if item.covered >= least]


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
    """The words that a passage may have: not what the query excludes or asks of the paper."""
    return query_words(query, ("title", *FACETS))


def _spread(ranked: Sequence[FoundPassage], most: int, wait: float) -> list[FoundPassage]:
    """The best passage of each paper before a second one of another that is hardly better.

    Each wording once, although an abstract is often in the source, too, and no more than so many of a paper.
    """
    seen: set[tuple[str, str]] = set()
    taken: Counter[str] = Counter()
    placed: list[tuple[float, FoundPassage]] = []
    for found in ranked:
        paper_id, check = found.located.paper.paper_id, found.located.check
        if (paper_id, check) not in seen and taken[paper_id] < most:
            seen.add((paper_id, check))
            placed.append((found.score - wait * taken[paper_id], found))
            taken[paper_id] += 1
    return [found for _, found in sorted(placed, key=lambda item: -item[0])]

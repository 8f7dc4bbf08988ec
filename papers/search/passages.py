"""Finds the passages that bear on a query: what papers say themselves, and apart from that what retells them."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from papercore import limits
from papercore.passages import cut
from papercore.passages.ranking import PASSAGES_RANKED, Candidate, RankedPassage, rank, rank_by_meaning, rank_by_words
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
from papers.snapshot import served
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
    # The query that was answered, where slips in the one asked were mended, and the words that all papers meet.
    corrected_query: str = ""
    only: tuple[str, ...] = ()


class _Question(Struct, frozen=True):
    """A query as texts are asked it: its slips mended, and the words of it that a passage may have."""

    query: str
    words: str
    # The share of the words that a passage must have.
    least: float = 0.0
    corrected_query: str = ""
    # The words that are conditions on papers; none are read in a query as typed.
    only: tuple[str, ...] = ()
    as_typed: bool = False

    @classmethod
    def of(cls, query: str, filters: Filters, *, as_typed: bool) -> "_Question":
        """As the papers were asked it. As far as these are no evidence, each passage must have the words itself."""
        papers = list_papers(Request(query, 1, filters=filters, as_typed=as_typed))
        mended = papers.corrected_query or query
        words = mended
        for condition in papers.understood.only:
            words = words.replace(condition, " ")
        least = COVERED[papers.verdict if papers.total else "nothing"]
        return cls(mended, _sought(words), least, papers.corrected_query, papers.understood.only, as_typed)


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
    address, and verify_quotes before you answer. An empty list: no evidence here.
    """
    named = {"author": author, "venue": venue, "keyword": keyword}
    values = tuple((name, value) for name, value in named.items() if value is not None)
    ids = [find_paper(name).paper_id for name in paper_ids]
    filters = Filters(values, year_from, year_to)
    question = _question(query, filters, ids)
    told = PassageHits(passages=[], corrected_query=question.corrected_query, only=list(question.only))
    if texts == "all":
        passages = [hit_of(item) for item in _best_passages(question, filters, ids, limit)]
        return told.model_copy(update={"passages": passages})
    found = _evidence(question, filters, ids, limit)
    own, retelling = [hit_of(item) for item in found.own], [hit_of(item) for item in found.retelling]
    if texts == "summaries":
        return told.model_copy(update={"passages": retelling[:limit]})
    return told.model_copy(update={"passages": own, "other_texts": retelling[:RETELLING_PASSAGES]})


def hit_of(found: FoundPassage) -> PassageHit:
    return PassageHit(
        **dict(place_of(found.located)), quote=readable_quote(found.located.quote), score=round(found.score, 3)
    )


def find_evidence(
    query: str,
    filters: Filters,
    paper_ids: Sequence[str],
    limit: int,
    *,
    wait: float = WAIT,
    as_typed: bool = False,
) -> FoundPassages:
    """The best passages by whose words they are, as many of each."""
    return _evidence(_question(query, filters, paper_ids, as_typed=as_typed), filters, paper_ids, limit, wait)


def find_passages(query: str, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """The best passages of all texts, a few of each paper at most."""
    return _best_passages(_question(query, filters, paper_ids), filters, paper_ids, limit)


def _question(query: str, filters: Filters, paper_ids: Sequence[str], *, as_typed: bool = False) -> _Question:
    """In papers that are named, any passage may answer, and nothing is mended."""
    return _Question(query, _sought(query)) if paper_ids else _Question.of(query, filters, as_typed=as_typed)


def _evidence(
    question: _Question, filters: Filters, paper_ids: Sequence[str], limit: int, wait: float = WAIT
) -> FoundPassages:
    ranked = _ranked_passages(question, filters, paper_ids, limit)
    most = limit if paper_ids else limits.PASSAGES_OF_PAPER
    own, retelling = (
        _spread([item for item in ranked if item.is_retelling == apart], most, wait)[:limit] for apart in (False, True)
    )
    return FoundPassages(own, retelling, question.corrected_query, question.only)


def _best_passages(question: _Question, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    ranked = _ranked_passages(question, filters, paper_ids, limit)
    return _spread(ranked, limit if paper_ids else limits.PASSAGES_OF_PAPER, WAIT)[:limit]


def _ranked_passages(question: _Question, filters: Filters, paper_ids: Sequence[str], limit: int) -> list[FoundPassage]:
    """In the papers with these ids, or in those that the query finds."""
    most = max(PASSAGES_RANKED, 2 * limit)
    request = PassageRequest(question.query, most, filters, tuple(paper_ids), as_typed=question.as_typed)
    # None without an index, or while it fails.
    found = served.ask_index(partial(_by_index, request, question.words), lambda: None)
    if found is None:
        asked = Request(question.query, limits.PASSAGE_PAPERS, filters=filters)
        listed = () if paper_ids else list_papers(asked).papers
        best = max((paper.score or 0 for paper in listed), default=0) or 1
        fit = {paper.paper_id: (paper.score or 0) / best for paper in listed}
        found = _in_texts(question.words, fit or dict.fromkeys(paper_ids, 1.0))
    return [item for item in found if item.covered >= question.least]


def _by_index(request: PassageRequest, words: str, built: Index) -> list[FoundPassage] | None:
    """By words, else by meaning. In papers that are named, words decide: whoever names them waits for many lists."""
    reader = None if request.documents else built.reader(words)
    for by_meaning, rank_candidates in ((False, rank_by_words), (True, rank_by_meaning)):
        candidates = built.passages(replace(request, by_meaning=by_meaning))
        placed = list(read_candidates(candidates))
        if found := _ranked(words, placed, partial(rank_candidates, reader=reader)):
            return found
    return []


def _in_texts(words: str, fit: dict[str, float]) -> list[FoundPassage]:
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
    return _ranked(words, found, rank)


def _ranked(
    words: str,
    found: Sequence[PlacedCandidate],
    rank_candidates: Callable[[str, Sequence[Candidate]], list[RankedPassage]],
) -> list[FoundPassage]:
    candidates = [
        Candidate(item.located.quote, f"{item.located.paper.title} {item.located.section}", item.fit) for item in found
    ]
    best = rank_candidates(words, candidates)
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

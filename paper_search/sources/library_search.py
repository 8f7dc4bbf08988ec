"""Searches a library through its engine: by a query, and towards or away from papers that were marked."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from paper_search.models import SearchConstraints, SearchQuery, SourceFacts
from paper_search.queries import SYNONYM_WEIGHT, wordings
from paper_search.sources.interface import MENTIONS
from paper_search.text import words
from papercore.retrieval import INDEX_HITS, INDEX_QUERY_CHARS, DocumentNotFound, Filters, Hit, Request, Results

# Each pair of an author and a venue is a request of its own.
MAX_REQUESTS = 12
# How marks move a ranking, relative to the query's own score. Chosen on three judged collections, see
# docs/performance.md; the quality is flat around them.
RELEVANT_WEIGHT, IRRELEVANT_WEIGHT = 1.2, 0.6
# What the query with the words that were learned counts beside the query itself, where papers are marked relevant.
LEARNED_SHARE = 0.2
# The papers marked last speak for all; each costs a search.
MARKED_PAPERS = 20
# How many neighbours of a marked paper count.
NEIGHBOURS = 200
# A neighbour that the query does not find must be this near, as a share of the nearest.
NEAR_SHARE = 0.4


class Engine(Protocol):
    """An index, or whatever else finds papers by a request and papers similar to one."""

    def search(self, request: Request) -> Results: ...

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]: ...


class ScoredId(Struct, frozen=True):
    """A paper that was found, and how well it fits, from 0 to 1."""

    paper_id: str
    score: float
    # It does not answer the question, but nothing in the library is nearer.
    only_nearest: bool = False

    @property
    def facts(self) -> SourceFacts:
        """What the paper's record says of it."""
        return SourceFacts(only_nearest=True) if self.only_nearest else SourceFacts(match=self.score)


def search_library(engine: Engine, query: SearchQuery, filters: SearchConstraints) -> list[ScoredId]:
    """The best papers for the query and the marks, without those marked irrelevant."""
    asked = [(filters, 1.0)]
    if filters.more_like and filters.like_papers:
        # With and without the learned words, and what each counts.
        asked = [(filters.model_copy(update={"more_like": []}), 1 - LEARNED_SHARE), (filters, LEARNED_SHARE)]
    scores: defaultdict[str, float] = defaultdict(float)
    answers: list[Results] = []
    for narrowed, share in asked:
        found, best_matches = _best_matches(engine, query, narrowed)
        answers += found
        for paper_id, score in best_matches.items():
            scores[paper_id] += share * score
    # The engine's scores mean the same for every question, so the best paper keeps its own.
    level = max((hit.score or 0.0 for answer in answers for hit in answer.hits), default=1.0) or 1.0
    if filters.like_papers or filters.unlike_papers:
        scores = defaultdict(float, {scored.paper_id: scored.score for scored in scaled(scores.items())})
        _add_neighbours(engine, scores, filters.like_papers, RELEVANT_WEIGHT)
        _add_neighbours(engine, scores, filters.unlike_papers, -IRRELEVANT_WEIGHT)
    excluded = set(filters.unlike_papers)
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    best = scaled([item for item in ranked if item[0] not in excluded][: filters.max_results])
    if not best:
        return [ScoredId(hit.id, 0.0, only_nearest=True) for answer in answers for hit in answer.nearest]
    return [replace(item, score=item.score * level) for item in best]


def _best_matches(
    engine: Engine, query: SearchQuery, filters: SearchConstraints
) -> tuple[list[Results], dict[str, float]]:
    """What the query finds, in its own words and with its synonyms; of each paper, its best score."""
    answers: list[Results] = []
    best: dict[str, float] = {}
    for number, wording in enumerate(wordings(query)):
        found = [engine.search(request) for request in _requests(wording, filters)]
        scores: defaultdict[str, float] = defaultdict(float)
        for answer in found:
            # A paper by two of the authors asked for comes before one by either.
            _add(scores, answer.hits, SYNONYM_WEIGHT if number else 1.0)
        best |= {paper_id: max(score, best.get(paper_id, 0.0)) for paper_id, score in scores.items()}
        answers += found
    return answers, best


def _requests(text: str, filters: SearchConstraints) -> list[Request]:
    """The text with what was learned, once for each author and venue: a paper needs only one of them."""
    named = {word for name in (*filters.authors, *filters.venues) for word in words(name)} | {"and", "or"}
    if all(word in named for word in words(text)):
        text = ""  # it only repeats names, which are filters already
    # A word that is repeated counts more: the question's own count three times as much as those learned.
    text = " ".join((text, text, text, *filters.more_like)) if filters.more_like else text
    requests = []
    for author, venue in list(product(filters.authors or [""], filters.venues or [""]))[:MAX_REQUESTS]:
        values = tuple((facet, value) for facet, value in (("author", author), ("venue", venue)) if value)
        requests.append(
            Request(
                text[:INDEX_QUERY_CHARS],
                limit=min(filters.max_results, INDEX_HITS),
                sort="relevance" if text.strip() else "year",
                filters=Filters(values=values, year_from=filters.year_from, year_to=filters.year_to),
            )
        )
    return requests


def mentions_request(phrases: Sequence[str]) -> Request:
    """The papers that have all of the phrases as they are."""
    return Request(" ".join(f'"{" ".join(words(phrase))}"' for phrase in phrases), limit=MENTIONS, mode="words")


def scaled(ranked: Iterable[tuple[str, float]]) -> list[ScoredId]:
    """Each score as a share of the best one."""
    pairs = list(ranked)
    best = max((score for _, score in pairs), default=0.0) or 1.0
    return [ScoredId(paper_id, max(0.0, min(1.0, score / best))) for paper_id, score in pairs]


def _add_neighbours(engine: Engine, scores: defaultdict[str, float], marked: Sequence[str], weight: float) -> None:
    """Move what was found towards marked papers or away from them; what is near a relevant one is found by that."""
    found = set(scores)
    for paper_id in marked[-MARKED_PAPERS:]:
        try:
            hits = engine.similar(paper_id, NEIGHBOURS)
        except DocumentNotFound:
            continue  # a paper of another source
        best = max((hit.score or 0.0 for hit in hits), default=0.0) or 1.0
        near = [hit for hit in hits if hit.id in found or (weight > 0 and (hit.score or 0.0) >= NEAR_SHARE * best)]
        _add(scores, near, weight / best / min(len(marked), MARKED_PAPERS))


def _add(scores: defaultdict[str, float], hits: Sequence[Hit], weight: float) -> None:
    for position, hit in enumerate(hits):
        # Of a list that is not ordered by relevance all are answers, the first ones better.
        scores[hit.id] += weight * (1 - position / len(hits) / 2 if hit.score is None else hit.score)

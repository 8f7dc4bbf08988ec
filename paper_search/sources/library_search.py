"""Searches a library through its engine: by a query, and towards or away from papers that were marked."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from paper_search.models import SearchConstraints, SearchQuery
from paper_search.skills.wordings import SYNONYM_WEIGHT, wordings
from paper_search.sources.library_request import library_requests
from papercore.retrieval import DocumentNotFound, Hit, Request, Results

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
    def raw_data(self) -> dict[str, object]:
        """What the paper's record says of it."""
        return {"only_nearest": True} if self.only_nearest else {"match": self.score}


def search_library(engine: Engine, query: SearchQuery, filters: SearchConstraints) -> list[ScoredId]:
    """The best papers for the query and the marks, without those marked irrelevant."""
    scores: defaultdict[str, float] = defaultdict(float)
    answers: list[Results] = []
    for asked, share in _shares(filters):
        found, best_matches = _best_matches(engine, query, asked)
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
        asked = query.model_copy(update={"keywords": [wording]})
        found = [engine.search(request) for request in library_requests(asked, filters)]
        scores: defaultdict[str, float] = defaultdict(float)
        for answer in found:
            # A paper by two of the authors asked for comes before one by either.
            _add(scores, answer.hits, SYNONYM_WEIGHT if number else 1.0)
        best |= {paper_id: max(score, best.get(paper_id, 0.0)) for paper_id, score in scores.items()}
        answers += found
    return answers, best


def _shares(filters: SearchConstraints) -> list[tuple[SearchConstraints, float]]:
    """The filters with and without the learned words, and what each counts."""
    if not (filters.more_like and filters.like_papers):
        return [(filters, 1.0)]
    return [(filters.model_copy(update={"more_like": []}), 1 - LEARNED_SHARE), (filters, LEARNED_SHARE)]


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
        # A list that is not ordered by relevance says how good a hit is by its place.
        scores[hit.id] += weight * (1 - position / len(hits) if hit.score is None else hit.score)

"""All the hits of one question in order: a ranked head, and behind it whatever else has one of the words."""

from dataclasses import dataclass

import numpy as np
import tantivy
from tantivy import Occur, Query

from paper_search.retrieval import fusion, query, schema
from paper_search.retrieval.fusion import BY_MEANING, BY_WORDS
from paper_search.retrieval.generation import Generation, Ranked, restricted
from paper_search.retrieval.meaning import Meaning, Rows
from paper_search.retrieval.question import Question
from paper_search.retrieval.results import Sort
from paper_search.retrieval.storage import count_of
from paper_search.retrieval.wordvectors import Vector

# How many are offered when only meaning is asked for; further ones have nothing to do with the question.
NEAREST, NEAREST_SHARE = 1_000, 0.3
_ORDER = {
    "year": (schema.YEAR, tantivy.Order.Desc),
    "oldest": (schema.YEAR_OLDEST, tantivy.Order.Asc),
    "title": (schema.TITLE_KEY, tantivy.Order.Asc),
}


@dataclass(frozen=True)
class Place:
    """One hit's place in the order."""

    address: tantivy.DocAddress
    score: float | None
    by_meaning: bool = False


@dataclass(frozen=True)
class Head:
    """The hits that were ranked by more than their words, and which of them have none of the words."""

    places: list[Place]
    rows: frozenset[int]
    wordless: frozenset[int]
    total: int


class Listing:
    """The hits of one question, any stretch of which can be taken."""

    def __init__(self, generation: Generation, question: Question) -> None:
        self.generation = generation
        self.words = question.words
        self.head: Head | None = None
        if generation.meaning is not None and question.vector is not None:
            rank = _by_meaning if question.mode == "meaning" else _hybrid
            self.head = rank(generation, generation.meaning, question, question.vector)
        self.only_head = question.mode == "meaning"

    def everything(self) -> Query:
        """All the hits, for counting and for other orders."""
        wordless = self.generation.queries.rows(self.head.wordless) if self.head else None
        if wordless is None:
            return self.words
        if self.only_head:
            return wordless
        return Query.boolean_query([(Occur.Should, self.words), (Occur.Should, wordless)])

    def page(self, offset: int, limit: int) -> tuple[list[Place], int]:
        """A stretch of the hits by relevance, and how many there are in all."""
        head = self.head
        if head is None:
            found = self.generation.ranked(self.words, limit, offset)
            return _places(found), found.total
        places = head.places[offset : offset + limit]
        if len(places) == limit or self.only_head:
            return places, head.total
        skipped = max(0, offset - len(head.places))
        return [*places, *self._behind_head(head, skipped, limit - len(places))], head.total

    def _behind_head(self, head: Head, skipped: int, wanted: int) -> list[Place]:
        """The best by words are all in the head; of those behind them, some may be there by meaning."""
        if head.total == len(head.places):
            return []
        found = self.generation.ranked(self.words, skipped + wanted + BY_MEANING, offset=BY_WORDS)
        rows = self.generation.rows(found.addresses)
        behind = [address for row, address in zip(rows.tolist(), found.addresses, strict=True) if row not in head.rows]
        return [Place(address, 0.0) for address in behind[skipped : skipped + wanted]]

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> tuple[list[Place], int]:
        """A stretch of the hits in another order than by relevance."""
        field, order = _ORDER[sort]
        found = self.generation.searcher.search(
            self.everything(), limit, offset=offset, order_by_field=field, order=order
        )
        return [Place(address, None) for _, address in found.hits], count_of(found)


def _places(found: Ranked) -> list[Place]:
    return [Place(address, float(score)) for address, score in zip(found.addresses, found.scores, strict=True)]


def _by_meaning(generation: Generation, meaning: Meaning, question: Question, vector: Vector) -> Head:
    rows, cosines = meaning.nearest(vector, NEAREST, NEAREST_SHARE)
    allowed = _allowed(generation, question, rows)
    places = [
        Place(allowed[row], float(cosine), by_meaning=True)
        for row, cosine in zip(rows.tolist(), cosines, strict=True)
        if row in allowed
    ]
    return Head(places, frozenset(allowed), frozenset(allowed), len(places))


def _hybrid(generation: Generation, meaning: Meaning, question: Question, vector: Vector) -> Head:
    best = generation.ranked(question.words, BY_WORDS)
    rows = generation.rows(best.addresses)
    vector = _taught(generation, meaning, question, vector, best, rows)
    near, _ = meaning.nearest(vector, BY_MEANING, fusion.NEAR_SHARE)
    others = _allowed(generation, question, np.setdiff1d(near, rows))
    wordless = frozenset(others) - frozenset(generation.within(question.words, np.array([*others], np.int64)))
    candidates = np.concatenate([rows, np.array([*others], dtype=np.int64)])
    scores = _fused(generation, meaning, question, vector, best.scores, candidates)
    addresses = [*best.addresses, *others.values()]
    order = np.lexsort((candidates, -scores))
    places = [Place(addresses[i], float(scores[i]), int(candidates[i]) in wordless) for i in order]
    return Head(places, frozenset(candidates.tolist()), wordless, best.total + len(wordless))


def _allowed(generation: Generation, question: Question, rows: Rows) -> dict[int, tantivy.DocAddress]:
    """Those of the rows that match the filters and whatever the query requires or excludes."""
    rest = query.required(question.node)
    required = [*question.filters, *([generation.queries.of(rest)] if rest else [])]
    return generation.within(restricted(Query.all_query(), required), rows)


def _taught(
    generation: Generation, meaning: Meaning, question: Question, vector: Vector, best: Ranked, rows: Rows
) -> Vector:
    """What is learned from the best must not depend on the filters: a filter only ever takes hits away."""
    if question.filters:
        best = generation.ranked(question.unfiltered, BY_WORDS)
        rows = generation.rows(best.addresses)
    return fusion.taught(meaning, vector, rows, best.scores)


def _fused(
    generation: Generation,
    meaning: Meaning,
    question: Question,
    vector: Vector,
    word_scores: Vector,
    rows: Rows,
) -> Vector:
    scores = np.zeros(len(rows), dtype=np.float32)
    scores[: len(word_scores)] = fusion.spread(word_scores)
    near = fusion.share_of_best(meaning.cosines(vector, rows))
    if generation.model is None or generation.sentences is None:
        return scores + fusion.MEANING_WEIGHT * near
    sense = generation.sentences[rows].astype(np.float32) @ generation.model.vector(question.text)
    scores += fusion.WORD_VECTOR_WEIGHT * near + fusion.SENTENCE_WEIGHT * fusion.share_of_best(sense)
    return scores

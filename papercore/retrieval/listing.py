"""All the hits of one question in order: a ranked head, and behind it whatever else has one of the words."""

from dataclasses import dataclass

import numpy as np
import tantivy
from tantivy import Occur, Query

from papercore.retrieval import fusion, query, schema
from papercore.retrieval.fusion import BY_MEANING, BY_WORDS
from papercore.retrieval.generation import Generation, Ranked, restricted
from papercore.retrieval.meaning import Meaning, Rows, nearest
from papercore.retrieval.question import Question
from papercore.retrieval.results import Sort
from papercore.retrieval.storage import count_of
from papercore.retrieval.wordvectors import Vector

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
    """The hits that were ranked by more than their words, best first, and which of them have none of the words."""

    addresses: list[tantivy.DocAddress]
    rows: Rows
    scores: Vector
    wordless: frozenset[int]

    def places(self, offset: int, limit: int) -> list[Place]:
        part = slice(offset, offset + limit)
        return [
            Place(address, score, row in self.wordless)
            for address, row, score in zip(
                self.addresses[part], self.rows[part].tolist(), self.scores[part].tolist(), strict=True
            )
        ]


class Listing:
    """The hits of one question, any stretch of which can be taken."""

    def __init__(self, generation: Generation, question: Question) -> None:
        self.generation = generation
        self.question = question
        self.head: Head | None = None
        if generation.meaning is not None and question.vector is not None:
            rank = _by_meaning if question.mode == "meaning" else _hybrid
            self.head = rank(generation, generation.meaning, question, question.vector)
        self.only_head = question.mode == "meaning"

    def everything(self) -> Query:
        """All the hits, for counting and for other orders."""
        if self.head is None:
            return self.question.hits
        wordless = self.generation.matching.rows(self.head.wordless)
        if self.only_head:
            return wordless
        return Query.boolean_query([(Occur.Should, self.question.hits), (Occur.Should, wordless)])

    def page(self, offset: int, limit: int) -> tuple[list[Place], int]:
        """A stretch of the hits by relevance, and how many there are in all."""
        head = self.head
        if head is None:
            found, total = self.generation.ranked_and_counted(self.question.words, limit, offset)
            return [Place(*pair) for pair in zip(found.addresses, found.scores.tolist(), strict=True)], total
        places = head.places(offset, limit)
        if self.only_head:
            return places, len(head.rows)
        if len(places) < limit:
            places += self._behind_head(head, max(0, offset - len(head.rows)), limit - len(places))
        return places, self.generation.count(self.question.hits) + len(head.wordless)

    def _behind_head(self, head: Head, skipped: int, wanted: int) -> list[Place]:
        """The best by words are all in the head; of those behind them, some may be there by meaning."""
        found = self.generation.ranked(self.question.words, skipped + wanted + BY_MEANING, offset=BY_WORDS)
        ranked_already = np.isin(self.generation.rows(found.addresses), head.rows)
        behind = [address for address, there in zip(found.addresses, ranked_already, strict=True) if not there]
        return [Place(address, 0.0) for address in behind[skipped : skipped + wanted]]

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> tuple[list[Place], int]:
        """A stretch of the hits in another order than by relevance, and how many there are in all."""
        field, order = _ORDER[sort]
        everything, searcher = self.everything(), self.generation.searcher
        found = searcher.search(everything, limit, offset=offset, order_by_field=field, order=order)
        return [Place(address, None) for _, address in found.hits], count_of(found)


def _by_meaning(generation: Generation, meaning: Meaning, question: Question, vector: Vector) -> Head:
    cosines = meaning.scan(vector)
    rows = nearest(cosines, NEAREST, NEAREST_SHARE)
    scores = cosines[rows]
    if (sense := _sense(generation, question, rows)) is not None:
        scores = fusion.sensed(scores, sense)
        order = np.lexsort((rows, -scores))
        rows, scores = rows[order], scores[order]
    allowed = np.isin(rows, _allowed(generation, question, rows))
    rows, scores = rows[allowed], scores[allowed]
    return Head(generation.addresses_of(rows), rows, scores, frozenset(rows.tolist()))


def _hybrid(generation: Generation, meaning: Meaning, question: Question, vector: Vector) -> Head:
    best = generation.ranked(question.words, BY_WORDS)
    rows = generation.rows(best.addresses)
    cosines = meaning.scan(_taught(generation, meaning, question, vector, best, rows))
    near = nearest(cosines, BY_MEANING, fusion.NEAR_SHARE)
    others = _allowed(generation, question, np.setdiff1d(near, rows))
    wordless = np.setdiff1d(others, generation.within(question.hits, others))
    candidates = np.concatenate([rows, others])
    scores = _fused(generation, question, best.scores, candidates, cosines[candidates])
    order = np.lexsort((candidates, -scores))
    addresses = [*best.addresses, *generation.addresses_of(others)]
    return Head([addresses[i] for i in order], candidates[order], scores[order], frozenset(wordless.tolist()))


def _allowed(generation: Generation, question: Question, rows: Rows) -> Rows:
    """Those of the rows that match the filters and whatever the query requires or excludes."""
    rest = query.required(question.node)
    required = [*question.filters, *([generation.matching.of(rest)] if rest else [])]
    return generation.within(restricted(Query.all_query(), required), rows) if required else rows


def _taught(
    generation: Generation, meaning: Meaning, question: Question, vector: Vector, best: Ranked, rows: Rows
) -> Vector:
    """What is learned from the best must not depend on the filters: a filter only ever takes hits away."""
    if question.filters:
        best = generation.ranked(question.unfiltered, BY_WORDS)
        rows = generation.rows(best.addresses)
    return fusion.taught(meaning, vector, rows, best.scores)


def _fused(generation: Generation, question: Question, word_scores: Vector, rows: Rows, cosines: Vector) -> Vector:
    """The scores of the candidates: those found by words come first, with their scores."""
    scores = np.zeros(len(rows), dtype=np.float32)
    scores[: len(word_scores)] = fusion.spread(word_scores)
    sense = _sense(generation, question, rows)
    if sense is None:
        return scores + fusion.MEANING_WEIGHT * fusion.share_of_best(cosines)
    return scores + fusion.sensed(cosines, sense)


def _sense(generation: Generation, question: Question, rows: Rows) -> Vector | None:
    """How near the documents of these rows are by the sentence model; None without one."""
    if generation.model is None or generation.sentences is None:
        return None
    sense = generation.sentences[rows].astype(np.float32) @ generation.model.vector(question.text)
    return np.asarray(sense, dtype=np.float32)

"""All hits of a search in order: a head ranked by words and meaning, then the other documents with one of the words."""

from dataclasses import dataclass

import numpy as np

from papercore.retrieval import query
from papercore.retrieval.engine import HitSet, Rows, ScoredRows, WordQuery
from papercore.retrieval.generation import Generation
from papercore.retrieval.meaning import Meaning, unit
from papercore.retrieval.results import Sort
from papercore.retrieval.search_plan import SearchPlan
from papercore.retrieval.word_vectors import Matrix, Vector

# How scores by words and by meaning are combined. The numbers come from cross-validation over three judged
# collections; the quality is flat around them.
# Candidates taken by words and by meaning.
BY_WORDS, BY_MEANING = 200, 100
# A document without any of the words must be this near, as a share of the nearest document's cosine.
NEAR_SHARE = 0.6
# Pseudo-relevance feedback: how many of the best documents the query is moved towards.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model, which says more, the word vectors count less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.6
# Hits when only meaning is asked for; further documents have nothing to do with the question.
NEAREST, NEAREST_SHARE = 1_000, 0.3


@dataclass(frozen=True)
class RankedDocument:
    """A hit, and why it is in its place."""

    row: int
    score: float | None
    by_meaning: bool = False


@dataclass(frozen=True)
class Head:
    """The hits that were ranked by more than their words, best first, and the rows that have none of the words."""

    found: ScoredRows
    wordless: frozenset[int]

    def page(self, offset: int, limit: int) -> list[RankedDocument]:
        part = slice(offset, offset + limit)
        scored = zip(self.found.rows[part].tolist(), self.found.scores[part].tolist(), strict=True)
        return [RankedDocument(row, score, row in self.wordless) for row, score in scored]


class Ranking:
    """The hits of one search, any page of which can be taken."""

    def __init__(self, generation: Generation, plan: SearchPlan) -> None:
        self.words = generation.words
        self.plan = plan
        self.head: Head | None = None
        if generation.meaning is not None and plan.vector is not None:
            rank = _by_meaning if plan.mode == "meaning" else _hybrid
            self.head = rank(generation, generation.meaning, plan, plan.vector)
        self.only_head = plan.mode == "meaning"

    def all_hits(self) -> HitSet:
        """All hits, to count them or to sort them otherwise."""
        wordless = self.head.wordless if self.head else frozenset()
        return HitSet(None if self.head and self.only_head else self.plan.query, wordless)

    def page(self, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits by relevance, and the number of hits in all."""
        head = self.head
        if head is None:
            found, total = self.words.ranked_and_counted(self.plan.query, limit, offset)
            return Head(found, frozenset()).page(0, len(found.rows)), total
        documents = head.page(offset, limit)
        if self.only_head:
            return documents, len(head.found.rows)
        if len(documents) < limit:
            skipped = max(0, offset - len(head.found.rows))
            documents += self._behind_head(head.found.rows, skipped, limit - len(documents))
        return documents, self.words.count(self.plan.query) + len(head.wordless)

    def _behind_head(self, in_head: Rows, skipped: int, wanted: int) -> list[RankedDocument]:
        """The hits after the head. The best by words are all in it; some of the others may be, for their meaning."""
        found = self.words.ranked(self.plan.query, skipped + wanted + BY_MEANING, offset=BY_WORDS)
        behind = found.rows[~np.isin(found.rows, in_head)]
        return [RankedDocument(row, 0.0) for row in behind[skipped : skipped + wanted].tolist()]

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits in another order, and the number of hits in all."""
        rows, total = self.words.sorted(self.all_hits(), sort, offset, limit)
        return [RankedDocument(row, None) for row in rows.tolist()], total


def _by_meaning(generation: Generation, meaning: Meaning, plan: SearchPlan, vector: Vector) -> Head:
    found = meaning.nearest(vector, NEAREST, NEAREST_SHARE)
    sentence_cosines = _sentence_cosines(generation, plan, found.rows)
    if sentence_cosines is not None:
        found = _best_first(found.rows, with_sentence_model(found.scores, sentence_cosines))
    found = found.only(_allowed(generation, plan, found.rows))
    return Head(found, frozenset(found.rows.tolist()))


def _hybrid(generation: Generation, meaning: Meaning, plan: SearchPlan, vector: Vector) -> Head:
    words = generation.words
    best = words.ranked(plan.query, BY_WORDS)
    best_vectors = meaning.vectors.of(best.rows)
    feedback, feedback_vectors = best, best_vectors
    if plan.query.filters:  # feedback must not depend on them: a filter only ever removes hits
        feedback = words.ranked(plan.query.unfiltered(), BY_WORDS)
        feedback_vectors = meaning.vectors.of(feedback.rows)
    moved = with_feedback(vector, feedback.scores, feedback_vectors)
    near = meaning.nearest(moved, BY_MEANING, NEAR_SHARE)
    others = near.only(_allowed(generation, plan, np.setdiff1d(near.rows, best.rows)))
    wordless = np.setdiff1d(others.rows, words.within(plan.query, others.rows))
    candidates = np.concatenate([best.rows, others.rows])
    # The others have no score by words.
    word_scores = np.concatenate([min_max(best.scores), np.zeros_like(others.scores)])
    cosines = np.concatenate([best_vectors @ moved, others.scores])
    sentence_cosines = _sentence_cosines(generation, plan, candidates)
    if sentence_cosines is None:
        scores = word_scores + MEANING_WEIGHT * share_of_best(cosines)
    else:
        scores = word_scores + with_sentence_model(cosines, sentence_cosines)
    return Head(_best_first(candidates, scores), frozenset(wordless.tolist()))


def _best_first(rows: Rows, scores: Vector) -> ScoredRows:
    order = np.lexsort((rows, -scores))
    return ScoredRows(rows[order], scores[order])


def _allowed(generation: Generation, plan: SearchPlan, rows: Rows) -> Rows:
    """Those of the rows that match the filters and whatever the query requires or excludes."""
    required = WordQuery(query.required(plan.query.node), plan.query.filters)
    return generation.words.within(required, rows) if required != WordQuery(None) else rows


def _sentence_cosines(generation: Generation, plan: SearchPlan, rows: Rows) -> Vector | None:
    """How near the documents of these rows are by the sentence model; None without one."""
    if generation.model is None or generation.sentences is None:
        return None
    return np.asarray(generation.sentences.of(rows) @ generation.model.vector(plan.text), dtype=np.float32)


def min_max(scores: Vector) -> Vector:
    """Scores scaled to 0..1; all 1 where they are equal."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def with_feedback(vector: Vector, word_scores: Vector, vectors: Matrix) -> Vector:
    """The query's vector, moved towards the documents on which words and meaning agree, given by score and vector."""
    if not len(word_scores):
        return vector
    scores = min_max(word_scores) + FEEDBACK_WEIGHT * min_max(vectors @ vector)
    best = np.argsort(-scores, kind="stable")[:FEEDBACK_DOCUMENTS]
    return unit(vector + unit(scores[best] @ vectors[best]))


def share_of_best(cosines: Vector) -> Vector:
    """Cosines as shares of the best one, from 0 to 1."""
    best = float(cosines.max(initial=0.0))
    return np.asarray(np.maximum(cosines, 0) / (best or 1.0), dtype=np.float32)


def with_sentence_model(word_cosines: Vector, sentence_cosines: Vector) -> Vector:
    """Similarity by the word vectors and by a sentence model together."""
    return WORD_VECTOR_WEIGHT * share_of_best(word_cosines) + SENTENCE_WEIGHT * share_of_best(sentence_cosines)

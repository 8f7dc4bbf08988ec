"""The first hits of a search: the best documents by words and by meaning, judged, and ranked by both together."""

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import query
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordQuery
from papercore.retrieval.ranking.judge import LOOKED_AT, JudgedCandidates, Judgement, judge
from papercore.retrieval.ranking.plan import BY_WORDS, RankingPlan
from papercore.retrieval.ranking.sentence_scores import SentenceScores
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector
from papercore.retrieval.vectors.meaning import NO_ROWS, Meaning, ScoredRows, min_max, share_of_best, unit

# The numbers come from cross-validation over three judged collections; the quality is flat around them.
# Candidates taken by meaning.
BY_MEANING = 100
# Documents without any of the words are hits where those with the words leave room for them among the first of all.
FIRST_HITS = 20
# A document without any of the words must be this near, as a share of the nearest document's cosine.
NEAR_SHARE = 0.6
# Hits when only meaning is asked for; further documents have nothing to do with the question.
NEAREST_HITS, NEAREST_SHARE = 1_000, 0.3
# Pseudo-relevance feedback: how many of the best documents the query is moved towards.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model, which says more, the word vectors count less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.8
# In a question in another language than the papers, a word in common is mostly a coincidence.
FOREIGN_WORD_WEIGHT, FOREIGN_SENTENCE_WEIGHT = 0.25, 1.0
# With a model words count by this power of the share that the best document has of the question.
WORD_SHARE_POWER = 3
# A document reaches the mark by its score with this share of the best one's.
MARK_SCORE = 0.6


class RankedDocument(Struct, frozen=True):
    """A hit, and why it is in its place."""

    row: int
    score: float | None
    by_meaning: bool = False


class Head(Struct, frozen=True):
    """The hits that were ranked by more than their words, best first, and the rows that have none of the words."""

    found: ScoredRows
    wordless: frozenset[int]
    # How many of the best by words are in it.
    by_words: int = BY_WORDS
    # The rows that reach the mark by their score.
    reached: Rows = NO_ROWS.rows

    def with_first(self, rows: Rows, worded: Rows, behind: int) -> "Head":
        """With these behind so many of the others; `worded` are those of them that have the words."""
        rows = rows[~np.isin(rows, self.found.rows[:behind])]
        others = self.found.without(rows)
        # As good as the best hit, or as the one before them.
        before = others.scores[behind - 1 : behind] if behind else self.found.scores
        best = np.full(len(rows), before.max(initial=0.0) or 1.0, dtype=np.float32)
        found = ScoredRows(np.insert(others.rows, behind, rows), np.insert(others.scores, behind, best))
        wordless = self.wordless | (frozenset(rows.tolist()) - frozenset(worded.tolist()))
        return Head(found, wordless, self.by_words, np.union1d(self.reached, rows))

    def page(self, offset: int, limit: int) -> list[RankedDocument]:
        part = slice(offset, offset + limit)
        scored = zip(self.found.rows[part].tolist(), self.found.scores[part].tolist(), strict=True)
        return [RankedDocument(row, score, row in self.wordless) for row, score in scored]


class Candidates(Struct, frozen=True):
    """The best documents by words, from which the question is judged and the head is made."""

    generation: Generation
    meaning: Meaning
    plan: RankingPlan
    vector: Vector
    best: ScoredRows
    best_vectors: Matrix
    # The same whatever the filters are: a filter only ever removes hits.
    unfiltered: ScoredRows
    unfiltered_vectors: Matrix
    model: SentenceScores | None

    @classmethod
    def of(cls, generation: Generation, meaning: Meaning, plan: RankingPlan, vector: Vector) -> "Candidates":
        best = unfiltered = generation.words.ranked(plan.query, BY_WORDS)
        best_vectors = unfiltered_vectors = meaning.vectors.of(best.rows)
        if plan.query.filters:
            unfiltered = generation.words.ranked(plan.query.unfiltered(), BY_WORDS)
            unfiltered_vectors = meaning.vectors.of(unfiltered.rows)
        model = SentenceScores.of(generation, plan.text)
        return cls(generation, meaning, plan, vector, best, best_vectors, unfiltered, unfiltered_vectors, model)

    def judgement(self) -> Judgement:
        node = self.plan.query.node
        if not self.plan.judged:
            return Judgement(1.0, node)
        if self.model and self.model.across_languages:
            answered = self.model.is_answered()
            return Judgement(float(answered), None)
        best, vectors = self.unfiltered.rows[:LOOKED_AT], self.unfiltered_vectors[:LOOKED_AT]
        model = self.model if self.model and self.model.understands else None
        return judge(self.generation, self.meaning, node, JudgedCandidates(self.vector, best, vectors, model))

    def head(self, judgement: Judgement) -> Head:
        """The best by words and the nearest others, ranked by words and meaning together."""
        if self.plan.mode == "meaning":
            return self._head_by_meaning(judgement)
        moved = _with_feedback(self.vector, self.unfiltered.scores, self.unfiltered_vectors)
        unfiltered = ByWords.of(self.unfiltered, self.unfiltered_vectors @ moved)
        best = ByWords.of(self.best, self.best_vectors @ moved) if self.plan.query.filters else unfiltered
        with_wordless = self.model is not None or unfiltered.leaves_room(FIRST_HITS)
        others, wordless = NO_ROWS, NO_ROWS.rows
        if with_wordless or best.leaves_room(self.plan.shown.stop):
            others, wordless = self._others(moved, best, with_wordless=with_wordless)
        rows = np.concatenate([best.rows, others.rows])
        # The others have no score by words.
        word_scores = np.concatenate([best.scores, np.zeros_like(others.scores)])
        shares = share_of_best(np.concatenate([best.cosines, others.scores]), best.nearest)
        fused = _fused(word_scores, shares, self.model, rows, judgement.word_share)
        found = _best_first(rows, fused).as_shares(scale=judgement.confidence)
        # Documents that are in the head only where this page has room for them are not counted.
        counted = found.only(np.concatenate([best.rows, wordless]))
        return Head(found, frozenset(wordless.tolist()), len(best.rows), counted.above(MARK_SCORE))

    def _head_by_meaning(self, judgement: Judgement) -> Head:
        found = self.meaning.nearest(self.vector, NEAREST_HITS, NEAREST_SHARE)
        if self.model:
            found = self._with_rows(found, self.vector, self.model.nearest(NEAREST_SHARE))
            shares = share_of_best(found.scores)
            found = _best_first(found.rows, _fused(np.zeros_like(shares), shares, self.model, found.rows))
        found = self._allowed(found).as_shares(scale=judgement.confidence)
        return Head(found, frozenset(found.rows.tolist()), 0, found.above(MARK_SCORE))

    def _others(self, vector: Vector, best: "ByWords", *, with_wordless: bool) -> tuple[ScoredRows, Rows]:
        """The nearest documents that are not among the best by words, and those of them that have none of the words."""
        near = self.meaning.nearest(vector, BY_MEANING, NEAR_SHARE)
        if self.model:
            near = self._with_rows(near, vector, self.model.nearest(NEAR_SHARE))
        others = self._allowed(near.without(best.rows))
        if self.best.total == len(self.best.rows):
            worded = NO_ROWS.rows  # all that have the words are among the best
        else:
            worded = self.generation.words.within(self.plan.query, others.rows)
        wordless = others.without(worded).rows
        return (others, wordless) if with_wordless else (others.without(wordless), NO_ROWS.rows)

    def _with_rows(self, found: ScoredRows, vector: Vector, rows: Rows) -> ScoredRows:
        """The documents found, and behind them those of the rows that are not among them."""
        added = np.setdiff1d(rows, found.rows)
        scores = np.asarray(self.meaning.vectors.of(added) @ vector, dtype=np.float32)
        return ScoredRows(np.concatenate([found.rows, added]), np.concatenate([found.scores, scores]))

    def _allowed(self, found: ScoredRows) -> ScoredRows:
        """Those that meet the query's conditions."""
        rows = allowed(self.generation, self.plan.query, found.rows)
        return found if rows is found.rows else found.only(rows)


class ByWords(Struct, frozen=True):
    """The best documents by words, with their scores from 0 to 1 and their cosines."""

    rows: Rows
    scores: Vector
    cosines: Vector
    # The cosine of the nearest. Documents that are nearer and not among these gain nothing by it, so that a page is the
    # same whether they are looked for or not.
    nearest: float

    @classmethod
    def of(cls, best: ScoredRows, cosines: Vector) -> "ByWords":
        return cls(best.rows, min_max(best.scores), cosines, float(cosines.max(initial=0.0)))

    def leaves_room(self, first: int) -> bool:
        """Whether a document with none of the words can be among so many first hits for its meaning."""
        if not first or len(self.rows) < first:
            return bool(first)
        fused = _fused(self.scores, share_of_best(self.cosines, self.nearest), None, self.rows)
        return bool(np.partition(fused, -first)[-first] <= MEANING_WEIGHT)


def _with_feedback(vector: Vector, word_scores: Vector, vectors: Matrix) -> Vector:
    """The query's vector, moved towards the documents on which words and meaning agree, given by score and vector."""
    if not len(word_scores):
        return vector
    scores = min_max(word_scores) + FEEDBACK_WEIGHT * min_max(vectors @ vector)
    best = np.argsort(-scores, kind="stable")[:FEEDBACK_DOCUMENTS]
    return unit(vector + unit(scores[best] @ vectors[best]))


def _fused(
    word_scores: Vector, shares: Vector, model: SentenceScores | None, rows: Rows, word_share: float = 1.0
) -> Vector:
    """Scores by words, by the word vectors and by a sentence model together.

    Words that say little of the question must not outweigh a model that understands it.
    """
    without = word_scores + MEANING_WEIGHT * shares
    by_model = model.of_candidates(rows, without) if model else None
    if model is None or by_model is None:
        return without
    if model.across_languages:
        fused = FOREIGN_WORD_WEIGHT * word_scores + FOREIGN_SENTENCE_WEIGHT * by_model
    else:
        fused = word_share**WORD_SHARE_POWER * word_scores + WORD_VECTOR_WEIGHT * shares + SENTENCE_WEIGHT * by_model
    return np.asarray(fused, dtype=np.float32)


def _best_first(rows: Rows, scores: Vector) -> ScoredRows:
    order = np.lexsort((rows, -scores))
    return ScoredRows(rows[order], scores[order])


def allowed(generation: Generation, asked: WordQuery, rows: Rows) -> Rows:
    """Those of the rows that meet the conditions of a query."""
    conditions = conditions_of(asked)
    return generation.words.within(conditions, rows) if conditions else rows


def conditions_of(asked: WordQuery) -> WordQuery | None:
    """The filters and whatever the query requires or excludes, as one query; None if there is nothing of it."""
    required = WordQuery(query.required(asked.node), asked.filters)
    return required if required != WordQuery(None) else None

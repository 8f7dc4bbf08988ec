"""All hits of a search in order: a head ranked by words and meaning, then the other documents with one of the words."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from papercore.retrieval.basics import query
from papercore.retrieval.basics.request import Sort
from papercore.retrieval.engines.generation import Generation, Meaning
from papercore.retrieval.engines.interface import NO_ROWS, HitSet, ScoredRows, WordQuery, among
from papercore.retrieval.ranking.judge import LOOKED_AT, Judgement, judge
from papercore.retrieval.ranking.plan import BY_WORDS, SearchPlan
from papercore.retrieval.ranking.sentence_scores import SentenceScores
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector, min_max, share_of_best, unit

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
# How many documents are offered apart where nothing answers the question.
NEAREST = 3


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

    def with_first(self, rows: Rows, worded: Rows) -> "Head":
        """With these before all others; `worded` are those of them that have the words."""
        others = self.found.without(rows)
        best = np.full(len(rows), self.found.scores.max(initial=0.0) or 1.0, dtype=np.float32)
        found = ScoredRows(np.concatenate([rows, others.rows]), np.concatenate([best, others.scores]))
        return Head(found, self.wordless | (frozenset(rows.tolist()) - frozenset(worded.tolist())), self.by_words)

    def page(self, offset: int, limit: int) -> list[RankedDocument]:
        part = slice(offset, offset + limit)
        scored = zip(self.found.rows[part].tolist(), self.found.scores[part].tolist(), strict=True)
        return [RankedDocument(row, score, row in self.wordless) for row, score in scored]


class Ranking:
    """The hits of one search, any page of which can be taken."""

    def __init__(self, generation: Generation, plan: SearchPlan) -> None:
        self.words = generation.words
        self.query = plan.query
        self.head: Head | None = None
        self.answered = True
        # What is nearest where nothing answers.
        self.nearest: list[RankedDocument] = []
        # How many documents have the words, if that is known.
        self._worded: int | None = None
        if generation.meaning is not None and plan.vector is not None:
            candidates = _Candidates.of(generation, generation.meaning, plan, plan.vector)
            verdict = candidates.verdict()
            self.answered = verdict.answered
            self.query = replace(plan.query, node=verdict.node)
            self._worded = candidates.best.total if self.query == plan.query else None
            if verdict.answered:
                self.head = candidates.head(verdict)
                if plan.named.rows:
                    named = np.array(plan.named.rows, dtype=np.int64)
                    named = named[among(named, allowed(generation, plan.query, named))]
                    self.head = self.head.with_first(named, generation.words.within(plan.query, named))
            else:
                self.nearest = candidates.head(replace(verdict, node=plan.query.node, by_meaning=True)).page(0, NEAREST)
        self.only_head = plan.mode == "meaning"

    def page(self, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits by relevance, and the number of hits in all."""
        head = self.head
        if not self.answered:
            return [], 0
        if head is None:
            found, total = self.words.ranked_and_counted(self.query, limit, offset)
            best = self.words.ranked(self.query, 1) if offset else found
            return Head(found.as_shares(best.scores.max(initial=0.0)), frozenset()).page(0, len(found.rows)), total
        documents = head.page(offset, limit)
        if self.only_head:
            return documents, len(head.found.rows)
        if len(documents) < limit:
            skipped, wanted = max(0, offset - len(head.found.rows)), limit - len(documents)
            # The best by words are all in the head; some of the others may be, for their meaning.
            others = self.words.ranked(self.query, skipped + wanted + BY_MEANING, offset=head.by_words).rows
            behind = others[~np.isin(others, head.found.rows)][skipped : skipped + wanted]
            documents += [RankedDocument(row, 0.0) for row in behind.tolist()]
        worded = self.words.count(self.query) if self._worded is None else self._worded
        return documents, worded + len(head.wordless)

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits in another order, and the number of hits in all."""
        rows, total = self.words.sorted(self.all_hits(), sort, offset, limit)
        return [RankedDocument(row, None) for row in rows.tolist()], total

    def all_hits(self) -> HitSet:
        """All hits, to count them or to sort them otherwise."""
        if not self.answered:
            return HitSet(None)
        wordless = self.head.wordless if self.head else frozenset()
        return HitSet(None if self.head and self.only_head else self.query, wordless)

    def best(self, limit: int) -> ScoredRows:
        """The best hits, without counting all of them."""
        if self.head is None:
            return self.words.ranked(self.query, limit)
        return ScoredRows(self.head.found.rows[:limit], self.head.found.scores[:limit])


class _Candidates(Struct, frozen=True):
    """The best documents by words, from which the question is judged and the head is made."""

    generation: Generation
    meaning: Meaning
    plan: SearchPlan
    vector: Vector
    best: ScoredRows
    best_vectors: Matrix
    # The same whatever the filters are: a filter only ever removes hits.
    unfiltered: ScoredRows
    unfiltered_vectors: Matrix
    model: SentenceScores | None

    @classmethod
    def of(cls, generation: Generation, meaning: Meaning, plan: SearchPlan, vector: Vector) -> "_Candidates":
        best = unfiltered = generation.words.ranked(plan.query, BY_WORDS)
        best_vectors = unfiltered_vectors = meaning.vectors.of(best.rows)
        if plan.query.filters:
            unfiltered = generation.words.ranked(plan.query.unfiltered(), BY_WORDS)
            unfiltered_vectors = meaning.vectors.of(unfiltered.rows)
        model = SentenceScores.of(generation, plan.text)
        return cls(generation, meaning, plan, vector, best, best_vectors, unfiltered, unfiltered_vectors, model)

    def verdict(self) -> Judgement:
        if not self.plan.judged:
            return Judgement(1.0, self.plan.query.node, by_meaning=True)
        if self.model and self.model.across_languages:
            answered = self.model.is_answered()
            return Judgement(float(answered), self.plan.query.node if answered else None, by_meaning=answered)
        best, vectors = self.unfiltered.rows[:LOOKED_AT], self.unfiltered_vectors[:LOOKED_AT]
        return judge(self.generation, self.meaning, self.plan.query.node, self.vector, best, vectors)

    def head(self, verdict: Judgement) -> Head:
        """The best by words that the verdict leaves, and the nearest others, ranked by words and meaning together."""
        if self.plan.mode == "meaning" and verdict.by_meaning:
            return self._head_by_meaning(verdict)
        query = replace(self.plan.query, node=verdict.node)
        moved = _with_feedback(self.vector, self.unfiltered.scores, self.unfiltered_vectors)
        unfiltered = ByWords.of(self.unfiltered, self.unfiltered_vectors @ moved)
        best = ByWords.of(self.best, self.best_vectors @ moved) if self.plan.query.filters else unfiltered
        with_wordless = verdict.by_meaning and (self.model is not None or unfiltered.leaves_room(FIRST_HITS))
        if query != self.plan.query:
            best = best.only(self.generation.words.within(query, best.rows))
        others, wordless = NO_ROWS, NO_ROWS.rows
        if with_wordless or (verdict.by_meaning and best.leaves_room(self.plan.shown.stop)):
            others, wordless = self._others(query, moved, best, with_wordless=with_wordless)
        rows = np.concatenate([best.rows, others.rows])
        # The others have no score by words.
        word_scores = np.concatenate([best.scores, np.zeros_like(others.scores)])
        shares = share_of_best(np.concatenate([best.cosines, others.scores]), best.nearest)
        found = _best_first(rows, _fused(word_scores, shares, self.model, rows)).as_shares(scale=verdict.confidence)
        return Head(found, frozenset(wordless.tolist()), len(best.rows))

    def _head_by_meaning(self, verdict: Judgement) -> Head:
        found = self.meaning.nearest(self.vector, NEAREST_HITS, NEAREST_SHARE)
        if self.model:
            found = self._with_rows(found, self.vector, self.model.nearest(NEAREST_SHARE))
            shares = share_of_best(found.scores)
            found = _best_first(found.rows, _fused(np.zeros_like(shares), shares, self.model, found.rows))
        found = self._allowed(found).as_shares(scale=verdict.confidence)
        return Head(found, frozenset(found.rows.tolist()), 0)

    def _others(
        self, query: WordQuery, vector: Vector, best: "ByWords", *, with_wordless: bool
    ) -> tuple[ScoredRows, Rows]:
        """The nearest documents that are not among the best by words, and those of them that have none of the words."""
        near = self.meaning.nearest(vector, BY_MEANING, NEAR_SHARE)
        if self.model:
            near = self._with_rows(near, vector, self.model.nearest(NEAR_SHARE))
        others = self._allowed(near.without(best.rows))
        if self.best.total == len(self.best.rows):
            worded = NO_ROWS.rows  # all that have the words are among the best
        else:
            worded = self.generation.words.within(query, others.rows)
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

    def only(self, rows: Rows) -> "ByWords":
        chosen = among(self.rows, rows)
        return ByWords(self.rows[chosen], self.scores[chosen], self.cosines[chosen], self.nearest)

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


def _fused(word_scores: Vector, shares: Vector, model: SentenceScores | None, rows: Rows) -> Vector:
    """Scores by words, by the word vectors and by a sentence model together."""
    without = word_scores + MEANING_WEIGHT * shares
    by_model = model.of_candidates(rows, without) if model else None
    if model is None or by_model is None:
        return without
    if model.across_languages:
        fused = FOREIGN_WORD_WEIGHT * word_scores + FOREIGN_SENTENCE_WEIGHT * by_model
    else:
        fused = word_scores + WORD_VECTOR_WEIGHT * shares + SENTENCE_WEIGHT * by_model
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

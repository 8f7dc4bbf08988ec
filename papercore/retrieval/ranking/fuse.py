"""How scores by words and by meaning are combined."""

import numpy as np
from msgspec import Struct

from papercore.retrieval.engines.interface import ScoredRows, among
from papercore.retrieval.ranking.sentence_scores import SentenceScores
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector, min_max, share_of_best, unit

# The numbers come from cross-validation over three judged collections; the quality is flat around them.
# Pseudo-relevance feedback: how many of the best documents the query is moved towards.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model, which says more, the word vectors count less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.8
# In a question in another language than the papers, a word in common is mostly a coincidence.
FOREIGN_WORD_WEIGHT, FOREIGN_SENTENCE_WEIGHT = 0.25, 1.0


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

    def fused(self) -> Vector:
        return fused(self.scores, share_of_best(self.cosines, self.nearest), None, self.rows)

    def leaves_room(self, first: int) -> bool:
        """Whether a document that only its meaning speaks for can be among so many first hits."""
        if not first or len(self.rows) < first:
            return bool(first)
        return bool(np.partition(self.fused(), -first)[-first] <= MEANING_WEIGHT)


def fused(word_scores: Vector, shares: Vector, model: SentenceScores | None, rows: Rows) -> Vector:
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


def best_first(rows: Rows, scores: Vector) -> ScoredRows:
    order = np.lexsort((rows, -scores))
    return ScoredRows(rows[order], scores[order])


def with_feedback(vector: Vector, word_scores: Vector, vectors: Matrix) -> Vector:
    """The query's vector, moved towards the documents on which words and meaning agree, given by score and vector."""
    if not len(word_scores):
        return vector
    scores = min_max(word_scores) + FEEDBACK_WEIGHT * min_max(vectors @ vector)
    best = np.argsort(-scores, kind="stable")[:FEEDBACK_DOCUMENTS]
    return unit(vector + unit(scores[best] @ vectors[best]))

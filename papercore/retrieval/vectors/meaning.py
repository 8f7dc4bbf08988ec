"""How near the documents of a build are to a text: their vectors compared with its own, and scores of documents."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval.basics import analysis
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors

# Below this cosine two texts have nothing in common.
UNRELATED = 0.2
# Distinct words kept with their vectors; queries and snippets repeat themselves.
CACHED_WORDS = 50_000


def unit(vectors: Matrix) -> Matrix:
    """Each row scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def min_max(scores: Vector) -> Vector:
    """Scores scaled to 0..1; all 1 where they are equal."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def share_of_best(cosines: Vector, best: float = 0.0) -> Vector:
    """Cosines as shares of the best one, from 0 to 1; of another one, if there is one, with nothing above it."""
    best = best or float(cosines.max(initial=0.0)) or 1.0
    return np.asarray(np.clip(cosines / best, 0, 1), dtype=np.float32)


def best_rows(scores: Vector, count: int) -> Rows:
    """The rows with the highest scores, best first; ties by row."""
    rows = np.arange(len(scores))
    if 0 < count < len(scores):
        rows = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    order = np.lexsort((rows, -scores[rows]))
    return np.asarray(rows[order][:count], dtype=np.int64)


def among(rows: Rows, others: Rows) -> NDArray[np.bool_]:
    """Which of the rows are among the others. Of some hundred rows a set tells it faster than numpy's table of bits."""
    known = frozenset(others.tolist())
    return np.fromiter((row in known for row in rows.tolist()), dtype=np.bool_, count=len(rows))


class ScoredRows(Struct, frozen=True):
    """Documents with their scores, best first."""

    rows: Rows
    scores: Vector
    # How many there are in all, where the engine found it out in passing.
    total: int | None = None

    def only(self, rows: Rows) -> "ScoredRows":
        """Those that are among the given ones."""
        return self._kept(among(self.rows, rows))

    def without(self, rows: Rows) -> "ScoredRows":
        """Those that are not among the given ones."""
        return self._kept(~among(self.rows, rows))

    def _kept(self, kept: NDArray[np.bool_]) -> "ScoredRows":
        return ScoredRows(self.rows[kept], self.scores[kept])

    def as_shares(self, best: float | None = None, scale: float = 1.0) -> "ScoredRows":
        """With each score as a share of the best one, times a scale."""
        highest = float(self.scores.max(initial=0.0)) if best is None else best
        return ScoredRows(self.rows, np.maximum(self.scores, 0) * np.float32(scale / (highest or 1.0)))

    def above(self, share: float) -> Rows:
        """The rows with at least this share of the best score."""
        return np.asarray(self.rows[self.scores >= share * self.scores.max(initial=0.0)])

    def scores_of(self, rows: Rows) -> Vector:
        """The score of each of the rows given; zero for one that is not among these."""
        scores = dict(zip(self.rows.tolist(), self.scores.tolist(), strict=True))
        return np.array([scores.get(row, 0.0) for row in rows.tolist()], dtype=np.float32)


NO_ROWS = ScoredRows(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))


class VectorEngine(Protocol):
    """A vector of each document, by its words or by the sentence model."""

    def of(self, rows: Rows) -> Matrix:
        """The vectors of these documents, a row each; a row of NaN for one that the sentence model has not read yet."""

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """The nearest documents by cosine, as far as this engine looks for them; ties by row."""


class Meaning:
    """The documents' vectors of an opened build, and the vectors of texts to compare them with."""

    def __init__(self, word_vectors: WeightedWordVectors, vectors: VectorEngine) -> None:
        self.word_vectors = word_vectors
        self.vectors = vectors
        self._word = lru_cache(maxsize=CACHED_WORDS)(word_vectors.word)

    def vector(self, text: str) -> Vector | None:
        """The vector of a text; None if none of its words has one."""
        words = analysis.words(text)
        if not words:
            return None
        total = np.sum([self._word(word) for word in words], axis=0, dtype=np.float32)
        return unit(np.asarray(total)) if total.any() else None

    def nearest_text(self, vector: Vector, texts: Sequence[str]) -> str:
        """The nearest of the texts; empty if none of them has a word."""
        words = [analysis.words(text) for text in texts]
        worded = [(text, found) for text, found in zip(texts, words, strict=True) if found]
        if not worded:
            return ""
        table = np.array([self._word(word) for _, found in worded for word in found])
        starts = np.cumsum([0, *(len(found) for _, found in worded[:-1])])
        cosines = unit(np.add.reduceat(table, starts, axis=0)) @ vector
        return worded[int(cosines.argmax())][0]

    def nearest(self, vector: Vector, count: int, share: float) -> ScoredRows:
        """The nearest documents, best first, down to this share of the best cosine."""
        found = self.vectors.nearest(vector, count)
        near = found.scores >= max(UNRELATED, share * float(found.scores.max(initial=0.0)))
        return ScoredRows(found.rows[near], found.scores[near])

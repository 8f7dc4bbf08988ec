"""Meaning as vectors: weighted and reduced word vectors, and the search for the nearest documents."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.interface import ScoredRows, VectorEngine
from papercore.retrieval.vectors.word_vectors import Matrix, Vector, WordVectors

# How fast a word loses weight as it becomes common; chosen by cross-validation.
RARITY = 6.0
# The first principal component is what all papers share; the next ones distinguish them.
DROPPED, KEPT = 1, 80
# Below this cosine two texts have nothing in common.
FLOOR = 0.2
# Distinct words kept with their vectors; queries and snippets repeat themselves.
CACHED_WORDS = 50_000


def unit(vectors: Matrix) -> Matrix:
    """Each row scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def weight(frequency: int, documents: int) -> float:
    """The weight of a word, by the share of documents that have it."""
    return 1.0 / (1.0 + RARITY * frequency / max(documents, 1))


def principal(vectors: Matrix) -> Matrix:
    """The principal components that distinguish documents, one column each, without the first."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    ordered = directions[:, ::-1][:, DROPPED : DROPPED + KEPT]
    return np.ascontiguousarray(ordered, dtype=np.float32)


class WeightedWordVectors(Struct, frozen=True):
    """Vectors of words in the reduced space, weighted by how rare they are."""

    vectors: WordVectors
    projection: Matrix
    # The number of documents with a term, and of all documents.
    frequency: Callable[[str], int]
    documents: int

    def table(self, words: Sequence[str]) -> Matrix:
        """One weighted, reduced row per word; zeros for a stop word."""
        weights = np.array([self.weight(word) for word in words], dtype=np.float32)
        return np.asarray(self.vectors.words(words) @ self.projection * weights[:, None], dtype=np.float32)

    def word(self, word: str) -> Vector:
        """The row of one word."""
        return np.asarray(self.vectors.word(word) @ self.projection * self.weight(word), dtype=np.float32)

    def weight(self, word: str) -> float:
        if analysis.is_stop_word(word):
            return 0.0
        return weight(self.frequency(analysis.term(word)), self.documents)


class Meaning:
    """The documents' vectors of one opened index, and the vectors of texts to compare them with."""

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
        near = found.scores >= max(FLOOR, share * float(found.scores.max(initial=0.0)))
        return ScoredRows(found.rows[near], found.scores[near])

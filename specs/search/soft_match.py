"""Soft BM25: ranks requirements by words that mean about the same, with word vectors deciding how much."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from papercore.retrieval.wordvectors import Matrix, Vector, WordVectors
from specs.search.words import Word

# Chosen on paraphrased queries over real specs; bench/specs.py measures them.
NO_MATCH = 0.05
# Closer to nothing than this hardly changes the ranking, and costs most of the time.
NEGLIGIBLE = 0.005
SATURATION = 0.8
LENGTH_SHARE = 0.9
IDF_POWER = 0.5


@dataclass(frozen=True)
class WordSpace:
    """Word vectors without the direction that all words share."""

    vectors: WordVectors
    common: Vector

    @classmethod
    def load(cls) -> "WordSpace":
        vectors = WordVectors.load()
        return cls(vectors, principal_direction(vectors.table))

    def embed(self, surfaces: Sequence[str]) -> Matrix:
        """One row of length one per word; zeros for an empty one, which then matches nothing but itself."""
        rows = _unit(self.vectors.words(surfaces))
        return _unit(rows - np.outer(rows @ self.common, self.common))

    def embed_few(self, surfaces: Sequence[str]) -> Matrix:
        """The same for a query's words, without the threads that many words are worth."""
        rows = np.zeros((len(surfaces), self.vectors.dimensions), dtype=np.float32)
        for row, surface in zip(rows, surfaces, strict=True):
            row += self.vectors.word(surface)
        rows = _unit(rows)
        return _unit(rows - np.outer(rows @ self.common, self.common))


def principal_direction(table: Matrix) -> Vector:
    _, directions = np.linalg.eigh(table.T @ table)
    return np.asarray(directions[:, -1], dtype=np.float32)


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@dataclass(frozen=True)
class Counts:
    """How often each word occurs where: entries sorted by word, `starts` tells where each word's begin."""

    stems: tuple[str, ...]
    vectors: Matrix
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    counts: NDArray[np.float32]
    size: int

    @cached_property
    def number(self) -> dict[str, int]:
        return {stem: index for index, stem in enumerate(self.stems)}

    @cached_property
    def dampers(self) -> Vector:
        """K of BM25 for each document: longer ones need more evidence."""
        lengths = np.bincount(self.documents, self.counts, self.size)
        share = (1 - LENGTH_SHARE) + LENGTH_SHARE * lengths / max(lengths.sum() / max(self.size, 1), 1e-9)
        return np.asarray(SATURATION * share + 1e-9, dtype=np.float32)

    @cached_property
    def rarity(self) -> Vector:
        """The weight of each word; the last entry is for words that never occur."""
        frequency = np.append(np.diff(self.starts), 0)
        idf = np.log1p((self.size - frequency + 0.5) / (frequency + 0.5))
        return np.asarray(idf**IDF_POWER, dtype=np.float32)

    def evidence(self, closeness: Vector) -> Vector:
        """For each document the counts of its words, each as far as the word is close."""
        active = np.flatnonzero(closeness)
        lengths = self.starts[active + 1] - self.starts[active]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        entries = np.arange(total) + np.repeat(self.starts[active] - ends + lengths, lengths)
        weights = self.counts[entries] * np.repeat(closeness[active], lengths)
        return np.bincount(self.documents[entries], weights, self.size).astype(np.float32)


@dataclass(frozen=True)
class Match:
    """`scores` are 0 to 1, one per document; `known` is the share of the query that the documents speak of.

    `closeness` has a row per word of the query and a column per word of the collection; `weights` are the rows'.
    """

    scores: Vector
    known: float
    weights: Vector
    closeness: Matrix


def match(counts: Counts, space: WordSpace, query: Sequence[Word]) -> Match:
    """Score every document against the words of a query."""
    asked = list(dict.fromkeys(query))
    numbers = np.array([counts.number.get(word.stem, -1) for word in asked], dtype=np.int64)
    weights = counts.rarity[numbers]
    closeness = _closeness(counts, space, asked, numbers)
    scores = np.zeros(counts.size, dtype=np.float32)
    for weight, close in zip(weights, closeness, strict=True):
        found = counts.evidence(close)
        scores += weight * found / (found + counts.dampers)
    total = float(weights.sum()) or 1.0
    return Match(scores / total, float(weights[numbers >= 0].sum()) / total, weights, closeness)


def _closeness(counts: Counts, space: WordSpace, asked: list[Word], numbers: NDArray[np.int64]) -> Matrix:
    """How well each word of the collection stands for each word of the query, 0 to 1."""
    # The large matrix on the left: the other way round the same product takes four times as long.
    cosines = np.ascontiguousarray((counts.vectors @ space.embed_few([word.surface for word in asked]).T).T)
    base = np.maximum((cosines - NO_MATCH) / (1 - NO_MATCH), 0)
    close = base * np.sqrt(base)
    close[close < NEGLIGIBLE] = 0
    rows = np.flatnonzero(numbers >= 0)
    close[rows, numbers[rows]] = 1
    return np.asarray(close, dtype=np.float32)

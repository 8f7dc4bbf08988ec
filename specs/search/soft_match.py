"""Soft BM25: the words of requirements, and their ranking by words of similar meaning, weighted by their vectors."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval import Matrix, Vector, WordVectors, enough_weight
from papercore.text import CJK_AND_SIGNS, IDEOGRAPHS, REQUIREMENT_STOP_WORDS, cjk_pairs, identifier_parts, rarity, stem

CJK = re.compile(f"[{CJK_AND_SIGNS}]+")
IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
# Letters, digits and underscores: a word, or an identifier.
RUN = re.compile(r"\w+")
# Chosen on paraphrased queries over real specs; bench/quality/specs.py measures them.
UNRELATED_COSINE = 0.05
# A lower closeness hardly changes the ranking, and would cost most of the time.
NEGLIGIBLE = 0.005
SATURATION = 0.8
LENGTH_SHARE = 0.9
IDF_POWER = 0.5


class Word(Struct, frozen=True):
    """`stem` is what counts are kept under; `surface` is what has a vector, empty for CJK."""

    stem: str
    surface: str


def words(text: str) -> list[Word]:
    """Every word of the text that may distinguish one requirement from another."""
    return [word for run in RUN.findall(text) for word in _words_of(run)]


@lru_cache(maxsize=100_000)
def _words_of(run: str) -> tuple[Word, ...]:
    """The words in an unbroken run of letters, digits and underscores."""
    found: list[Word] = []
    start = 0
    for match in CJK.finditer(run):
        # Pairs of characters, and each ideograph: paraphrases often share one of a word's two.
        text = match[0]
        pairs = cjk_pairs(text) if len(text) > 1 else []
        found += _latin(run[start : match.start()])
        found += [Word(part, "") for part in [*pairs, *IDEOGRAPH.findall(text)] or [text]]
        start = match.end()
    return tuple(found + _latin(run[start:]))


def _latin(run: str) -> list[Word]:
    parts = identifier_parts(run)
    whole = [run.strip("_")] if len(parts) > 1 else []
    surfaces = [part.lower() for part in [*parts, *whole]]
    return [Word(stem(surface), surface) for surface in surfaces if surface not in REQUIREMENT_STOP_WORDS]


class WordEmbedder(Struct, frozen=True):
    """Word vectors without `common`, the direction that all words share."""

    vectors: WordVectors
    common: Vector

    @classmethod
    def load(cls) -> "WordEmbedder":
        vectors = WordVectors.load()
        return cls(vectors, principal_direction(vectors.table.astype(np.float32)))

    def embed(self, surfaces: Sequence[str]) -> Matrix:
        """One row of length one per word; zeros for an empty one, which then matches nothing but itself."""
        return self._without_common(self.vectors.words(surfaces))

    def embed_few(self, surfaces: Sequence[str]) -> Matrix:
        """The same for the words of a query, which are too few to be worth threads."""
        rows = np.zeros((len(surfaces), self.vectors.dimensions), dtype=np.float32)
        for row, surface in zip(rows, surfaces, strict=True):
            row += self.vectors.word(surface)
        return self._without_common(rows)

    def _without_common(self, rows: Matrix) -> Matrix:
        rows = _unit(rows)
        return _unit(rows - np.outer(rows @ self.common, self.common))


def principal_direction(table: Matrix) -> Vector:
    _, directions = np.linalg.eigh(table.T @ table)
    return np.asarray(directions[:, -1], dtype=np.float32)


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


class WordCounts(Struct, frozen=True, dict=True):
    """How often each word occurs in which document, sorted by word; `starts` has where each word's counts begin."""

    stems: tuple[str, ...]
    vectors: Matrix
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    counts: NDArray[np.float32]
    size: int

    @cached_property
    def number(self) -> dict[str, int]:
        """Each stem's position in `stems`."""
        return {stem: index for index, stem in enumerate(self.stems)}

    @cached_property
    def saturation(self) -> Vector:
        """K of BM25 for each document: in a longer one a word counts less."""
        lengths = np.bincount(self.documents, self.counts, self.size)
        share = (1 - LENGTH_SHARE) + LENGTH_SHARE * lengths / max(lengths.sum() / max(self.size, 1), 1e-9)
        return np.asarray(SATURATION * share + 1e-9, dtype=np.float32)

    @cached_property
    def weights(self) -> Vector:
        """The weight of each word, higher for rarer ones; the last is for words that never occur."""
        frequency = np.append(np.diff(self.starts), 0)
        idf = np.log1p((self.size - frequency + 0.5) / (frequency + 0.5))
        return np.asarray(idf**IDF_POWER, dtype=np.float32)

    def soft_frequency(self, closeness: Vector) -> Vector:
        """For each document the counts of its words, each multiplied by the word's closeness."""
        active = np.flatnonzero(closeness)
        lengths = self.starts[active + 1] - self.starts[active]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        entries = np.arange(total) + np.repeat(self.starts[active] - ends + lengths, lengths)
        weights = self.counts[entries] * np.repeat(closeness[active], lengths)
        return np.bincount(self.documents[entries], weights, self.size).astype(np.float32)


class SoftMatch(Struct, frozen=True):
    """`scores` are 0 to 1, one per document; `shares` how much of the query each document has word for word.

    `closeness` has a row per word of the query and a column per word of the collection; `weights` are the rows', and
    `frequencies` how many documents have each word.
    """

    scores: Vector
    shares: Vector
    frequencies: tuple[int, ...]
    weights: Vector
    closeness: Matrix


def match(counts: WordCounts, embedder: WordEmbedder, query: Sequence[Word]) -> SoftMatch:
    """Score every document against the words of a query."""
    asked = list(dict.fromkeys(query))
    numbers = np.array([counts.number.get(word.stem, -1) for word in asked], dtype=np.int64)
    weights = counts.weights[numbers]
    # How close each word of the collection comes to each word of the query, 0 to 1. The large matrix is on the left:
    # the other way round the same product takes four times as long.
    cosines = np.ascontiguousarray((counts.vectors @ embedder.embed_few([word.surface for word in asked]).T).T)
    base = np.maximum((cosines - UNRELATED_COSINE) / (1 - UNRELATED_COSINE), 0)
    closeness = np.asarray(base * np.sqrt(base), dtype=np.float32)
    closeness[closeness < NEGLIGIBLE] = 0
    rows = np.flatnonzero(numbers >= 0)
    closeness[rows, numbers[rows]] = 1
    scores = np.zeros(counts.size, dtype=np.float32)
    for weight, row in zip(weights, closeness, strict=True):
        frequency = counts.soft_frequency(row)
        scores += weight * frequency / (frequency + counts.saturation)
    frequencies = np.where(numbers >= 0, np.append(np.diff(counts.starts), 0)[numbers], 0)
    return SoftMatch(
        scores / (float(weights.sum()) or 1.0),
        _shares(counts, numbers, frequencies),
        tuple(frequencies.tolist()),
        weights,
        closeness,
    )


def _shares(counts: WordCounts, numbers: NDArray[np.int64], frequencies: NDArray[np.int64]) -> Vector:
    """For each document the share of the words, rare ones counting more, that it has."""
    rarities = np.array([rarity(count, counts.size) for count in frequencies.tolist()])
    held = np.zeros(counts.size, dtype=np.float32)
    for number, weight in zip(numbers.tolist(), rarities.tolist(), strict=True):
        if number >= 0:
            held[counts.documents[counts.starts[number] : counts.starts[number + 1]]] += weight
    enough = min(float(rarities.sum()), enough_weight(counts.size)) or 1.0
    return np.asarray(np.minimum(held / enough, 1), dtype=np.float32)

"""The documents' vectors of one build in memory-mapped files, and the search for the nearest ones."""

from functools import cached_property
from math import sqrt
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.npy import map_array
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.interface import NO_ROWS, Rows, ScoredRows
from papercore.retrieval.vectors.sentence_model import known_rows
from papercore.retrieval.vectors.word_vectors import Matrix, Vector

# Stored vectors are whole numbers of 16 bits, the unit being this.
UNIT = 32_767
# A sketch has a bit for each of so many directions: on which side of the origin the vector lies. In whole words.
SKETCH_BITS, WORD_BITS = 192, 64
# So few documents are all compared by their vectors.
ALL_COMPARED = 8_192
# Of more, those with the nearest sketches: about 5,000 of 100,000 documents and 20,000 of a million where 100 are asked
# for, which finds .99 of them or more (bench.speed.meaning).
CANDIDATES, GROWTH = 0.5, 0.6
# Documents whose sketches are compared at once, as many as stay in the processor's cache.
CHUNK = 65_536
# Documents from which the distance of the candidates is estimated, at least.
DISTANCES_COUNTED = 16_384
# Rows whose maximum is compared first when the nearest are picked.
BLOCK = 64
# The dimensions of a sentence model in which its nearest documents are looked for, and the documents these come from.
SEARCHED_DIMENSIONS, SAMPLE = 128, 5_000

Sketches = NDArray[np.uint64]


def sketches_of(vectors: Matrix, directions: Matrix) -> Sketches:
    """A column of words for each row."""
    bits = np.packbits(vectors @ directions > 0, axis=-1)
    return np.ascontiguousarray(bits.view(np.uint64).T)


class DocumentVectors(Struct, frozen=True):
    """Vectors that are searched: by their sketches, and the candidates found so by themselves."""

    # One row per document.
    matrix: NDArray[np.int16]
    # One column per document: what is compared at once lies together.
    sketches: Sketches
    # One column for each bit of a sketch.
    directions: Matrix

    @classmethod
    def open(cls, path: Path) -> "DocumentVectors":
        return cls(*(map_array(path / name) for name in (folder.VECTORS, folder.SKETCHES, folder.DIRECTIONS)))

    def of(self, rows: Rows) -> Matrix:
        return self.matrix.take(rows, axis=0).astype(np.float32) * np.float32(1 / UNIT)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        rows = self._candidates(vector, count)
        # Not by BLAS, whose threads wait for each other longer than this takes.
        cosines = np.einsum("ij,j->i", self.matrix.take(rows, axis=0), vector / np.float32(UNIT))
        best = top(cosines, count)
        return ScoredRows(rows[best], cosines[best])

    def _candidates(self, vector: Vector, count: int) -> Rows:
        """The rows with the nearest sketches, ascending."""
        total = len(self.matrix)
        wanted = int(CANDIDATES * total**GROWTH * sqrt(count))
        if total <= max(wanted, ALL_COMPARED):
            return np.arange(total)
        distances = self._distances(sketches_of(vector, self.directions))
        step = max(total // DISTANCES_COUNTED, 1)
        within = np.cumsum(np.bincount(distances[::step])) * step
        return np.flatnonzero(distances <= np.uint8(np.searchsorted(within, wanted)))

    def _distances(self, sketch: Sketches) -> NDArray[np.uint8]:
        """In how many bits each document's sketch differs from this one."""
        distances = np.zeros(len(self.matrix), dtype=np.uint8)
        differing, counts = np.empty(CHUNK, dtype=np.uint64), np.empty(CHUNK, dtype=np.uint8)
        for start in range(0, len(distances), CHUNK):
            part = distances[start : start + CHUNK]
            for words, word in zip(self.sketches, sketch, strict=True):
                np.bitwise_xor(words[start : start + CHUNK], word, out=differing[: len(part)])
                part += np.bitwise_count(differing[: len(part)], out=counts[: len(part)])
        return distances


class HalfPrecisionVectors(Struct, frozen=True, dict=True):
    """Vectors of a sentence model, one row per document, in half precision; NaN for a document that has none yet.

    They are searched in fewer dimensions, which are computed at the first search and kept in memory.
    """

    matrix: Matrix

    def of(self, rows: Rows) -> Matrix:
        return np.asarray(self.matrix[rows], dtype=np.float32)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        known = self._known
        if not len(known):
            return NO_ROWS
        projection, columns = self._reduced
        rows = known[top(np.asarray((vector @ projection) @ columns, dtype=np.float32), count)]
        cosines = np.asarray(self.of(rows) @ vector, dtype=np.float32)
        order = np.lexsort((rows, -cosines))
        return ScoredRows(rows[order], cosines[order])

    @cached_property
    def _known(self) -> Rows:
        return np.flatnonzero(known_rows(self.matrix))

    @cached_property
    def _reduced(self) -> tuple[Matrix, Matrix]:
        """The directions in which the vectors differ most, and the known vectors in these, one column each."""
        known = self._known
        sample = self.of(known[np.unique(np.linspace(0, len(known) - 1, SAMPLE).astype(np.int64))])
        _, directions = np.linalg.eigh(sample.T @ sample)
        projection = np.ascontiguousarray(directions[:, ::-1][:, :SEARCHED_DIMENSIONS], dtype=np.float32)
        columns = np.empty((projection.shape[1], len(known)), dtype=np.float32)
        for start in range(0, len(known), SAMPLE):
            part = known[start : start + SAMPLE]
            columns[:, start : start + len(part)] = (self.of(part) @ projection).T
        return projection, columns


def top(scores: Vector, count: int) -> Rows:
    """The rows with the highest scores, best first; ties by row.

    The best `count` rows lie in the `count` blocks with the best maxima, and those as good, so only these are sorted.
    """
    blocks = len(scores) // BLOCK
    if blocks <= count:
        return _sorted_rows(scores, np.arange(len(scores)), count)
    maxima = scores[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
    chosen = np.flatnonzero(maxima >= np.partition(maxima, -count)[-count])
    inside = (chosen[:, None] * BLOCK + np.arange(BLOCK)).ravel()
    rest = np.arange(blocks * BLOCK, len(scores))
    return _sorted_rows(scores, np.concatenate([inside, rest]), count)


def _sorted_rows(scores: Vector, rows: Rows, count: int) -> Rows:
    candidates = scores[rows]
    if len(rows) > count:
        floor = np.partition(candidates, -count)[-count]
        rows = rows[candidates >= floor]
    order = np.lexsort((rows, -scores[rows]))
    return np.asarray(rows[order][:count], dtype=np.int64)

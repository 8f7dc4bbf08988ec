"""The documents' vectors of a generation in memory-mapped files: written, and searched for the nearest ones."""

from functools import cached_property
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from papercore.retrieval.engines.embedded import folder, sketches
from papercore.retrieval.engines.embedded.sketches import Sketches
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector, map_array
from papercore.retrieval.vectors.meaning import NO_ROWS, ScoredRows, best_rows

# Stored vectors are whole numbers of 16 bits, the unit being this.
UNIT = 32_767
# The dimensions of a sentence model in which its nearest documents are looked for, and the documents these come from.
SEARCHED_DIMENSIONS, SAMPLE = 128, 5_000
# Sentence vectors copied at once: bounds the memory.
CHUNK = 10_000


class VectorWriter:
    """The vectors of one generation while they are written; `before` is a generation in the same projection."""

    def __init__(self, path: Path, documents: int, dimensions: int, before: Path | None = None) -> None:
        self._path = path
        self._before = before
        self._matrix = open_memmap(path / folder.VECTORS, "w+", np.int16, (documents, dimensions))

    def take_over(self, rows: Rows | slice, rows_before: Rows | slice) -> None:
        """Copy the vectors that these rows had before."""
        if self._before:
            self._matrix[rows] = map_array(self._before / folder.VECTORS)[rows_before]

    def write(self, rows: Rows, vectors: Matrix) -> None:
        self._matrix[rows] = np.rint(vectors * UNIT)

    def finish(self) -> None:
        self._matrix.flush()
        sketches.write(self._path, self._matrix)


class DocumentVectors(Struct, frozen=True):
    """Answers as VectorEngine asks."""

    # One row per document.
    matrix: NDArray[np.int16]
    # None where all vectors are compared.
    sketches: Sketches | None = None

    @classmethod
    def open(cls, path: Path) -> "DocumentVectors":
        return cls(map_array(path / folder.VECTORS), Sketches.open(path))

    def of(self, rows: Rows) -> Matrix:
        return self.matrix.take(rows, axis=0).astype(np.float32) * np.float32(1 / UNIT)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        scaled = vector / np.float32(UNIT)
        # Not by BLAS, whose threads wait for each other longer than this takes.
        if self.sketches is None:
            cosines = np.einsum("ij,j->i", self.matrix, scaled)
            best = best_rows(cosines, count)
            return ScoredRows(best, cosines[best])
        rows = self.sketches.candidates(vector, count)
        cosines = np.einsum("ij,j->i", self.matrix.take(rows, axis=0), scaled)
        best = best_rows(cosines, count)
        return ScoredRows(rows[best], cosines[best])


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
        rows = known[best_rows(np.asarray((vector @ projection) @ columns, dtype=np.float32), count)]
        cosines = np.asarray(self.of(rows) @ vector, dtype=np.float32)
        order = np.lexsort((rows, -cosines))
        return ScoredRows(rows[order], cosines[order])

    @cached_property
    def _known(self) -> Rows:
        return np.flatnonzero(has_vector(self.matrix))

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


def has_vector(sentence_vectors: Matrix | NDArray[np.float16]) -> NDArray[np.bool_]:
    """Which documents have a vector of the sentence model."""
    return np.asarray(~np.isnan(sentence_vectors[:, 0]))


def open_sentence_vectors(path: Path, documents: int) -> Matrix:
    """The sentence vectors of a generation, memory-mapped, one row per document."""
    return np.memmap(path / folder.SENTENCES, dtype=np.float16, mode="r").reshape(documents, -1).view(np.ndarray)


def write_sentence_vectors(path: Path, dimensions: int, previous: Matrix | None, previous_rows: Rows) -> int:
    """Write the sentence vectors of documents, given the rows that they had before, -1 for none.

    What has no vector before has none now: a row of NaN. Returns how many have one.
    """
    total = len(previous_rows)
    (path / folder.SENTENCES).touch()
    if not total:
        return 0
    vectors = np.memmap(path / folder.SENTENCES, dtype=np.float16, mode="w+", shape=(total, dimensions))
    for start in range(0, total, CHUNK):
        rows = previous_rows[start : start + CHUNK]
        part = np.full((len(rows), dimensions), np.nan, dtype=np.float16)
        if previous is not None:
            part[rows >= 0] = previous[rows[rows >= 0]]
        vectors[start : start + CHUNK] = part
    vectors.flush()
    return int(has_vector(vectors).sum())

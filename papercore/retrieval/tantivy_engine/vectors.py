"""The documents' vectors of one build in memory-mapped files, all compared at every search."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from papercore.retrieval.engine import NOTHING_AHEAD, Ahead, Rows, ScoredRows
from papercore.retrieval.word_vectors import Matrix, Vector

# Rows whose maximum is compared first when the nearest are picked.
BLOCK = 64
# The dimensions of a sentence model in which its nearest documents are looked for, and the documents these come from.
SEARCHED_DIMENSIONS, SAMPLE = 128, 5_000


@dataclass(frozen=True)
class ColumnVectors:
    """Vectors that are searched. One column per document: the scan reads memory in order, twice as fast as by rows."""

    columns: Matrix

    def of(self, rows: Rows) -> Matrix:
        return np.ascontiguousarray(self.columns[:, rows].T)

    def nearest(self, vector: Vector, count: int, ahead: Ahead = NOTHING_AHEAD) -> ScoredRows:
        cosines = np.asarray(vector @ self.columns, dtype=np.float32)
        rows = top(cosines, count)
        return ScoredRows(rows, cosines[rows])


@dataclass(frozen=True)
class HalfPrecisionVectors:
    """Vectors of a sentence model, one row per document, in half precision.

    They are searched in fewer dimensions, which are computed at the first search and kept in memory.
    """

    matrix: Matrix

    def of(self, rows: Rows) -> Matrix:
        return np.asarray(self.matrix[rows], dtype=np.float32)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        projection, columns = self._reduced
        rows = top(np.asarray((vector @ projection) @ columns, dtype=np.float32), count)
        cosines = np.asarray(self.of(rows) @ vector, dtype=np.float32)
        order = np.lexsort((rows, -cosines))
        return ScoredRows(rows[order], cosines[order])

    @cached_property
    def _reduced(self) -> tuple[Matrix, Matrix]:
        """The directions in which the vectors differ most, and the vectors in these, one column each."""
        sample = self.of(np.unique(np.linspace(0, len(self.matrix) - 1, SAMPLE).astype(np.int64)))
        _, directions = np.linalg.eigh(sample.T @ sample)
        projection = np.ascontiguousarray(directions[:, ::-1][:, :SEARCHED_DIMENSIONS], dtype=np.float32)
        columns = np.empty((projection.shape[1], len(self.matrix)), dtype=np.float32)
        for start in range(0, len(self.matrix), SAMPLE):
            part = np.arange(start, min(start + SAMPLE, len(self.matrix)))
            columns[:, part] = (self.of(part) @ projection).T
        return projection, columns


def top(scores: Vector, count: int) -> Rows:
    """The rows with the highest scores, best first; ties by row.

    The best `count` rows lie in the `count` blocks with the best maxima, so only those are sorted.
    """
    blocks = len(scores) // BLOCK
    if blocks <= count:
        return _sorted_rows(scores, np.arange(len(scores)), count)
    maxima = scores[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
    chosen = np.argpartition(maxima, -count)[-count:]
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

"""Writes the vectors of a build and their sketches, taking over those of documents that stay from the build before."""

from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap

from papercore.npy import map_array
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.vectors import SKETCH_BITS, UNIT, WORD_BITS, sketches_of
from papercore.retrieval.engines.interface import Rows
from papercore.retrieval.vectors.word_vectors import Matrix


class VectorWriter:
    """The vectors of one build while they are written; `before` is a build in the same projection."""

    def __init__(self, path: Path, documents: int, dimensions: int, before: Path | None = None) -> None:
        self._path = path
        self._before = before
        self._directions = map_array(before / folder.DIRECTIONS) if before else _directions(dimensions)
        np.save(path / folder.DIRECTIONS, self._directions)
        self._matrix = open_memmap(path / folder.VECTORS, "w+", np.int16, (documents, dimensions))
        shape = (SKETCH_BITS // WORD_BITS, documents)
        self._sketches = open_memmap(path / folder.SKETCHES, "w+", np.uint64, shape)

    def take_over(self, rows: Rows | slice, rows_before: Rows | slice) -> None:
        """Copy the vectors that these rows had before."""
        if self._before:
            self._matrix[rows] = map_array(self._before / folder.VECTORS)[rows_before]
            self._sketches[:, rows] = map_array(self._before / folder.SKETCHES)[:, rows_before]

    def write(self, rows: Rows, vectors: Matrix) -> None:
        self._matrix[rows] = np.rint(vectors * UNIT)
        self._sketches[:, rows] = sketches_of(vectors, self._directions)

    def finish(self) -> None:
        self._matrix.flush()
        self._sketches.flush()


def _directions(dimensions: int) -> Matrix:
    """Directions at right angles to each other, as far as there are so many: they tell more than any others."""
    chance = np.random.default_rng(1)
    bases = [
        np.linalg.qr(chance.standard_normal((dimensions, dimensions)))[0] for _ in range(0, SKETCH_BITS, dimensions)
    ]
    return np.concatenate(bases, axis=1)[:, :SKETCH_BITS].astype(np.float32)

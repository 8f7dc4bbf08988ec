"""The arrays of a search: vectors, rows and scores, the scales on which scores compare, and how files are read."""

from pathlib import Path
from threading import Lock
from tokenize import TokenError
from typing import Any, BinaryIO  # an array of whatever type the file holds

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
# Documents of one build are known by their rows, from 0 in the order in which they were given.
Rows = NDArray[np.int64]
# A map keeps its file open, and an index has dozens of arrays: only those are mapped that workers gain by sharing.
_MAPPED_BYTES = 65_536
# numpy.load parses a header with ast.literal_eval, which in CPython 3.11 fails with SystemError when two threads are in
# it at once.
_one_at_a_time = Lock()


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


def map_array(path: Path) -> NDArray[Any]:
    """The array in a file, a large one read as it is used; ValueError if the file is damaged."""
    return read_array(path, mapped=path.stat().st_size >= _MAPPED_BYTES).view(np.ndarray)


def read_array(source: BinaryIO | Path, *, mapped: bool = False) -> NDArray[Any]:
    """The array in a file; ValueError if it is damaged. Any number of threads may read."""
    try:
        with _one_at_a_time:
            array: NDArray[Any] = np.load(source, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (EOFError, SyntaxError, TokenError) as error:  # a file that is empty, or has a damaged header
        raise ValueError("This is not an array file as numpy.save writes it.") from error
    return array

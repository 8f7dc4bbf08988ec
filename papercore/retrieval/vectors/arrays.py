"""The arrays of a search: vectors, rows of documents, and the scales on which scores of different kinds compare."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
# Documents of one build are known by their rows, from 0 in the order in which they were given.
Rows = NDArray[np.int64]


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

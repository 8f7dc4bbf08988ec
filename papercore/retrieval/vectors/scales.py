"""Scales on which scores of different kinds are comparable."""

import numpy as np

from papercore.retrieval.vectors.word_vectors import Vector


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

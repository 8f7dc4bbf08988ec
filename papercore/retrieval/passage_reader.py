"""A sentence model that reads passages: how much each has to do with a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from papercore.retrieval.sentence_model import SentenceModel
from papercore.retrieval.word_vectors import Vector

# Reading one takes a model tens of milliseconds, and similar questions find the same ones.
_KEPT_VECTORS = 2_000


@dataclass(frozen=True)
class PassageReader:
    """Reads for one question."""

    model: SentenceModel
    question: Vector

    def relatedness(self, texts: Sequence[str]) -> Vector:
        """From 0, for a text that has nothing in common with the question, to 1."""
        cosines = [float(_vector(self.model, text) @ self.question) for text in texts]
        return self.model.relatedness(np.array(cosines, dtype=np.float32))


@lru_cache(maxsize=_KEPT_VECTORS)
def _vector(model: SentenceModel, text: str) -> Vector:
    return model.vector(text)

"""A sentence model that reads passages: how much each has to do with a question."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from papercore.retrieval.vectors.arrays import Vector
from papercore.retrieval.vectors.sentence_model import SentenceModel


class PassageReader(Struct, frozen=True):
    """Reads for one question."""

    model: SentenceModel
    question: Vector

    def relatedness(self, texts: Sequence[str]) -> Vector:
        """From 0, for a text that has nothing in common with the question, to 1."""
        cosines = [float(self.model.vector(text) @ self.question) for text in texts]
        return self.model.relatedness(np.array(cosines, dtype=np.float32))

"""One build of an index, whatever its engine: what its manifest says, and its parts once it is opened."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.interface import PassageEngine, ScoredRows, VectorEngine, WordEngine
from papercore.retrieval.vectors.arrays import Vector, unit
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.retrieval.vectors.word_vectors import WeightedWordVectors, WordVectors

# Raise it whenever the meaning of what a build writes changes: an older index is then built again, never misread.
VERSION = 8
# Below this cosine two texts have nothing in common.
UNRELATED = 0.2
# Distinct words kept with their vectors; queries and snippets repeat themselves.
CACHED_WORDS = 50_000


class BuildReport(Struct, frozen=True):
    """How many documents were indexed, and how many of them had to be embedded."""

    documents: int
    embedded: int


class FileSum(Struct, frozen=True):
    """A file of an index as it was built, by its name within the index's folder."""

    name: str
    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """Describes a build: enough to decide whether it fits the code, the data and the model."""

    version: int
    build_id: str
    documents: int
    facets: tuple[str, ...]
    word_model: str
    # Empty: none was used.
    sentence_model: str
    # Documents from which the directions of the vectors were computed.
    fitted_on: int
    # Documents that have a vector of the sentence model; the others are filled in while the index is served.
    with_sentences: int = 0
    # Not part of what pages are cached by: the other values tell builds apart.
    files: tuple[FileSum, ...] = ()


def has_meaning(manifest: Manifest) -> bool:
    """Whether the word vectors of a build can be compared with those of queries: the same model computed both."""
    return bool(manifest.documents) and manifest.word_model == WordVectors.load().model_id


def is_made_with(manifest: Manifest, model: SentenceModel | None) -> bool:
    """Whether all vectors of a build can be compared with those of queries: the same models computed them."""
    return has_meaning(manifest) and manifest.sentence_model == (model.model_id if model else "")


class Meaning:
    """The documents' vectors of an opened build, and the vectors of texts to compare them with."""

    def __init__(self, word_vectors: WeightedWordVectors, vectors: VectorEngine) -> None:
        self.word_vectors = word_vectors
        self.vectors = vectors
        self._word = lru_cache(maxsize=CACHED_WORDS)(word_vectors.word)

    def vector(self, text: str) -> Vector | None:
        """The vector of a text; None if none of its words has one."""
        words = analysis.words(text)
        if not words:
            return None
        total = np.sum([self._word(word) for word in words], axis=0, dtype=np.float32)
        return unit(np.asarray(total)) if total.any() else None

    def nearest_text(self, vector: Vector, texts: Sequence[str]) -> str:
        """The nearest of the texts; empty if none of them has a word."""
        words = [analysis.words(text) for text in texts]
        worded = [(text, found) for text, found in zip(texts, words, strict=True) if found]
        if not worded:
            return ""
        table = np.array([self._word(word) for _, found in worded for word in found])
        starts = np.cumsum([0, *(len(found) for _, found in worded[:-1])])
        cosines = unit(np.add.reduceat(table, starts, axis=0)) @ vector
        return worded[int(cosines.argmax())][0]

    def nearest(self, vector: Vector, count: int, share: float) -> ScoredRows:
        """The nearest documents, best first, down to this share of the best cosine."""
        found = self.vectors.nearest(vector, count)
        near = found.scores >= max(UNRELATED, share * float(found.scores.max(initial=0.0)))
        return ScoredRows(found.rows[near], found.scores[near])


class Generation(Struct, frozen=True):
    """An opened build: the words of its documents and of their passages, and the meaning of the documents.

    It never changes, so any number of threads may use it at once.
    """

    manifest: Manifest
    words: WordEngine
    passages: PassageEngine
    # None: built with other word vectors than those in use; words alone answer until it is built again.
    meaning: Meaning | None = None
    # None: there is none, or it is another than the one the index was built with.
    model: SentenceModel | None = None
    # The sentence model's vectors.
    sentences: VectorEngine | None = None

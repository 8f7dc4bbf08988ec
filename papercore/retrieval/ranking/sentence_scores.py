"""What the sentence model says about a question: which documents are nearest to it, and how near others are."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.vectors.arrays import Rows, Vector
from papercore.retrieval.vectors.meaning import ScoredRows, VectorEngine, min_max
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.text import has_cjk, is_english

# Documents that the model adds to those found by words and word vectors.
BY_MODEL = 100
# Below this relatedness a question and a document have nothing in common; a document says much beside what is asked.
FLOOR = 0.05
# The nearest document of a question that the library answers. Chosen on questions in five languages over the demo: it
# keeps 35 of 36 that are answered, and empties 38 of 49 that are off topic.
NEAR_ENOUGH = 0.1
# Fewer candidates with a vector do not tell what the others would have: with a tenth of them nDCG@10 falls by .01,
# with a quarter it rises.
ENOUGH_TO_COMPARE, SHARE_TO_COMPARE = 10, 0.2
# A share of unknown words above which the question is in no language of the documents, whatever it is in.
UNKNOWN_IN_ANY_LANGUAGE = 0.4
# In another language than English some words always occur: names, quotations, a few papers in that language.
UNKNOWN_IN_ANOTHER_LANGUAGE = 0.1


class SentenceScores(Struct, frozen=True, dict=True):
    """The model's view of one question."""

    model: SentenceModel
    sentences: VectorEngine
    vector: Vector
    # The question is in another language than the documents: their words say little about it.
    across_languages: bool
    # False while vectors are filled in.
    has_read_all: bool = True
    # A model of English ranks what is asked in French, but says nothing about whether it is answered.
    understands: bool = True

    @classmethod
    def of(cls, generation: Generation, text: str) -> "SentenceScores | None":
        """None without any vector of a model that can read the question, or where it is for other languages alone."""
        model, sentences = generation.model, generation.sentences
        if model is None or sentences is None or not generation.manifest.with_sentences:
            return None
        across = False
        if not model.reads(text):
            return None
        if model.for_other_languages:
            words = analysis.without_stop_words(analysis.words(text))
            across = is_foreign(text, generation.words.frequencies([analysis.term(word) for word in words]))
            if not across:
                return None
        has_read_all = generation.manifest.with_sentences >= generation.manifest.documents
        understands = model.for_other_languages or has_cjk(text) or is_english(text)
        return cls(model, sentences, model.vector(text), across, has_read_all, understands)

    def nearest(self, share: float) -> Rows:
        """The nearest documents, down to this share of the best one's relatedness."""
        related = self.relatedness
        near = related >= max(FLOOR, share * float(related.max(initial=0.0)))
        return self._nearest.rows[near]

    @property
    def knows_nearest(self) -> bool:
        """Whether it knows every document, and its engine looks for the nearest."""
        return self.has_read_all and len(self._nearest.rows) > 0

    @cached_property
    def _nearest(self) -> ScoredRows:
        return self.sentences.nearest(self.vector, BY_MODEL)

    @cached_property
    def relatedness(self) -> Vector:
        """How related the nearest documents are to the question, best first, from 0 to 1."""
        return self.model.relatedness(self._nearest.scores)

    def is_answered(self) -> bool:
        """Whether a document is near enough to a question in another language."""
        return bool(self.relatedness.max(initial=0.0) >= NEAR_ENOUGH)

    def of_candidates(self, rows: Rows, otherwise: Vector) -> Vector | None:
        """The candidates' scores from 0 to 1; None while too few of them have a vector.

        A document without one gets what a document with its score otherwise has on average, so that it neither gains
        nor loses by the wait.
        """
        cosines = np.asarray(self.sentences.of(rows) @ self.vector, dtype=np.float32)
        known = ~np.isnan(cosines)
        if known.all():
            return min_max(cosines)
        if known.sum() < max(ENOUGH_TO_COMPARE, SHARE_TO_COMPARE * len(known)):
            return None
        scores = np.empty_like(cosines)
        scores[known] = min_max(cosines[known])
        # The line through the known scores, by what the documents have otherwise.
        centre, mean = otherwise[known].mean(), scores[known].mean()
        centred = otherwise[known] - centre
        slope = float(centred @ scores[known]) / (float(centred @ centred) or 1.0)
        scores[~known] = np.clip(mean + max(slope, 0.0) * (otherwise[~known] - centre), 0, 1)
        return scores


def is_foreign(text: str, frequencies: Sequence[int]) -> bool:
    """Whether the documents are in other languages than the question, in whose words each occurs so often."""
    if not frequencies:
        return True
    unknown = sum(not frequency for frequency in frequencies) / len(frequencies)
    return unknown > (UNKNOWN_IN_ANY_LANGUAGE if is_english(text) else UNKNOWN_IN_ANOTHER_LANGUAGE)


def can_read(generation: Generation, text: str) -> bool:
    """Whether the library's words or its model know the language of a question well enough to judge it."""
    words = analysis.without_stop_words(analysis.words(text))
    if is_english(text) or not is_foreign(text, generation.words.frequencies([analysis.term(word) for word in words])):
        return True
    scores = SentenceScores.of(generation, text)
    return scores is not None and scores.understands


class PassageReader(Struct, frozen=True):
    """Reads for one question."""

    model: SentenceModel
    question: Vector

    def relatedness(self, texts: Sequence[str]) -> Vector:
        """From 0, for a text that has nothing in common with the question, to 1."""
        cosines = [float(self.model.vector(text) @ self.question) for text in texts]
        return self.model.relatedness(np.array(cosines, dtype=np.float32))

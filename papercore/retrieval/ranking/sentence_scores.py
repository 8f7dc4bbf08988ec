"""What the sentence model says about a question: which documents are nearest to it, and how near others are."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import VectorEngine
from papercore.retrieval.vectors.arrays import Rows, Vector, min_max
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.text import FOREIGN_FUNCTION_WORDS

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


class SentenceScores(Struct, frozen=True):
    """The model's view of one question."""

    model: SentenceModel
    sentences: VectorEngine
    vector: Vector
    # The question is in another language than the documents: their words say little about it.
    across_languages: bool

    @classmethod
    def of(cls, generation: Generation, text: str) -> "SentenceScores | None":
        """None without any vector of a model, or where it is for questions in other languages and this is none."""
        model, sentences = generation.model, generation.sentences
        if model is None or sentences is None or not generation.manifest.with_sentences:
            return None
        across = False
        if model.for_other_languages:
            words = analysis.without_stop_words(analysis.words(text))
            across = is_foreign(text, generation.words.frequencies([analysis.term(word) for word in words]))
            if not across:
                return None
        return cls(model, sentences, model.vector(text), across)

    def nearest(self, share: float) -> Rows:
        """The nearest documents, down to this share of the best one's relatedness."""
        found = self.sentences.nearest(self.vector, BY_MODEL)
        related = self.model.relatedness(found.scores)
        near = related >= max(FLOOR, share * float(related.max(initial=0.0)))
        return found.rows[near]

    def nearest_relatedness(self, count: int) -> Vector:
        """How related the nearest documents are to the question, from 0 to 1."""
        return self.model.relatedness(self.sentences.nearest(self.vector, count).scores)

    def is_answered(self) -> bool:
        """Whether a document is near enough to a question in another language."""
        return bool(self.nearest_relatedness(1).max(initial=0.0) >= NEAR_ENOUGH)

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


def is_english(text: str) -> bool:
    """Whether a question may be in English; a few bare terms are taken to be."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(letter < "\u0250" for letter in letters)
    if latin < len(letters) / 2:
        return False
    words = [analysis.value_key(word) for word in analysis.words(text)]
    foreign = sum(word in FOREIGN_FUNCTION_WORDS for word in words)
    return foreign <= sum(analysis.is_stop_word(word) and word not in FOREIGN_FUNCTION_WORDS for word in words)


def is_foreign(text: str, frequencies: Sequence[int]) -> bool:
    """Whether the documents are in other languages than the question, in whose words each occurs so often."""
    if not frequencies:
        return True
    unknown = sum(not frequency for frequency in frequencies) / len(frequencies)
    return unknown > (UNKNOWN_IN_ANY_LANGUAGE if is_english(text) else UNKNOWN_IN_ANOTHER_LANGUAGE)


class PassageReader(Struct, frozen=True):
    """Reads for one question."""

    model: SentenceModel
    question: Vector

    def relatedness(self, texts: Sequence[str]) -> Vector:
        """From 0, for a text that has nothing in common with the question, to 1."""
        cosines = [float(self.model.vector(text) @ self.question) for text in texts]
        return self.model.relatedness(np.array(cosines, dtype=np.float32))

"""How likely a library answers a question: one scale from 0 to 1 for papers, passages, requirements and searches.

With a sentence model, how near its nearest documents are, and how much of the question's words the best document has.
Without one, how familiar the question's words are, how much of it the best documents have, and how near they are.
"""

from collections.abc import Sequence
from math import exp, log, log1p

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics.request import Verdict
from papercore.retrieval.vectors.arrays import Vector

# The best documents that are averaged; in a small library fewer bear on a question: one of so many.
AVERAGED, ONE_OF = 5, 12
# Of a long question, this many of the rarest words are as good as all of it.
ENOUGH_WORDS = 2.0
# How likely an answer must be for "answered"; below the other it is "nothing", between them "unsure".
ENOUGH, TOO_LITTLE = 0.5, 0.1
# How much each piece of evidence counts, by logistic regression over five libraries, and flatter than that: words say
# less than they seem to, so that fewer questions are told "nothing".
WEIGHTS = (6.5, 2.4, 4.3, 4.1, -4.7)
BIAS = -7.9
# The same with a sentence model: the best document's share of the question's words, how related the nearest document
# is, and the mean of the nearest few, which are as many as a topic has papers: this share of the library. Fitted on six
# libraries of 62 to 4,130 documents; without the library that is judged the verdicts are nearly the same.
MODEL_WEIGHTS = (5.0, 10.2, 17.0)
MODEL_BIAS = -11.4
TOPIC_SHARE = 0.005
# A library in which the fewest questions pass by chance, and those beyond which nothing was measured.
USUAL_SIZE, SMALLEST, LARGEST = 2_200, 60, 110_000
SIZE_SCALE = 6.0
# A word that one in so many documents has, or fewer, is not familiar at all.
UNFAMILIAR = 10_000


def verdict_at(confidence: float) -> Verdict:
    """What is said of a question that is answered so likely."""
    if confidence >= ENOUGH:
        return "answered"
    return "unsure" if confidence >= TOO_LITTLE else "nothing"


def enough_weight(documents: int) -> float:
    """The weight from which more words of a long question say no more."""
    return ENOUGH_WORDS * log1p(2 * documents)


class Evidence(Struct, frozen=True):
    """What speaks for a library's having an answer, each from 0 to 1."""

    # How common the question's words are in the library: from one in ten thousand documents to all, by logarithms.
    familiarity: float
    # How much of the question the best document has, and the best five on average; rare words count more.
    best_share: float
    mean_share: float
    # The cosine of the nearest of these documents.
    nearness: float
    # How far the library is from the usual size. In a large one some document has much of any question by chance; a
    # small one often has long texts, where the same holds.
    unusual_size: float

    @classmethod
    def of(cls, frequencies: Sequence[int], documents: int, shares: Vector, nearness: float) -> "Evidence":
        """Given how many documents have each word, what share of the question the best have, and how near they are."""
        rates = [max(frequency / documents, 1 / UNFAMILIAR) for frequency in frequencies]
        known = [1 + log(rate) / log(UNFAMILIAR) for rate in rates]
        best = np.minimum(np.sort(shares)[::-1], 1.0)
        size = min(max(documents, SMALLEST), LARGEST)
        return cls(
            familiarity=sum(known) / len(known),
            best_share=float(best[:1].sum()),
            mean_share=float(best[: min(AVERAGED, 1 + documents // ONE_OF)].mean()) if len(best) else 0.0,
            nearness=nearness,
            unusual_size=(log(size / USUAL_SIZE) / SIZE_SCALE) ** 2,
        )

    def with_model(self, related: Vector, documents: int) -> float:
        """How likely the library answers the question, given how related its nearest documents are, best first."""
        topic = related[: max(1, round(TOPIC_SHARE * documents))]
        nearness = (self.best_share, float(related.max(initial=0.0)), float(topic.mean()) if len(topic) else 0.0)
        return _logistic(MODEL_WEIGHTS, nearness, MODEL_BIAS)

    @property
    def confidence(self) -> float:
        """How likely the library answers the question, without a sentence model."""
        return _logistic(WEIGHTS, self.values, BIAS)

    @property
    def values(self) -> tuple[float, ...]:
        return (self.familiarity, self.best_share, self.mean_share, self.nearness, self.unusual_size)


def _logistic(weights: Sequence[float], values: Sequence[float], bias: float) -> float:
    return 1 / (1 + exp(-sum(weight * value for weight, value in zip(weights, values, strict=True)) - bias))

"""Words and meaning together: the scores of one become comparable with those of the other."""

import numpy as np

from papercore.retrieval.meaning import Meaning, Rows, unit
from papercore.retrieval.wordvectors import Vector

# How many are looked at by words and by meaning, and how many of the best teach the query; all the numbers
# here come from cross-validation over three judged collections, and the quality is flat around them.
BY_WORDS, BY_MEANING = 200, 100
# A document without any of the words must come this near to the nearest one.
NEAR_SHARE = 0.6
TEACHERS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model: it says more, so the word vectors say less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.6


def spread(scores: Vector) -> Vector:
    """Scores from 0 to 1; all 1 where they are alike."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def taught(meaning: Meaning, vector: Vector, rows: Rows, word_scores: Vector) -> Vector:
    """The query's vector drawn towards the documents that words and meaning agree on."""
    if not len(rows):
        return vector
    scores = spread(word_scores) + FEEDBACK_WEIGHT * spread(meaning.cosines(vector, rows))
    best = np.argsort(-scores, kind="stable")[:TEACHERS]
    pull = unit(scores[best] @ meaning.vectors_of(rows[best]))
    return unit(vector + pull)


def share_of_best(cosines: Vector) -> Vector:
    """Cosines from 0 to 1, as shares of the best one."""
    best = float(cosines.max(initial=0.0))
    return np.asarray(np.maximum(cosines, 0) / (best or 1.0), dtype=np.float32)


def sensed(cosines: Vector, sense: Vector) -> Vector:
    """How near documents are by the word vectors and by a sentence model together."""
    return WORD_VECTOR_WEIGHT * share_of_best(cosines) + SENTENCE_WEIGHT * share_of_best(sense)

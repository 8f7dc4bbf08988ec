"""Combines the scores by words with those by meaning. The numbers come from cross-validation over three judged
collections; the quality is flat around them."""

import numpy as np

from papercore.retrieval.meaning import Meaning, Rows, unit
from papercore.retrieval.word_vectors import Vector

# Candidates taken by words and by meaning.
BY_WORDS, BY_MEANING = 200, 100
# A document without any of the words must be this near, as a share of the nearest document's cosine.
NEAR_SHARE = 0.6
# Pseudo-relevance feedback: how many of the best documents the query is moved towards.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model, which says more, the word vectors count less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.6


def min_max(scores: Vector) -> Vector:
    """Scores scaled to 0..1; all 1 where they are equal."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def with_feedback(meaning: Meaning, vector: Vector, rows: Rows, word_scores: Vector) -> Vector:
    """The query's vector, moved towards the documents on which words and meaning agree."""
    if not len(rows):
        return vector
    scores = min_max(word_scores) + FEEDBACK_WEIGHT * min_max(meaning.cosines(vector, rows))
    best = np.argsort(-scores, kind="stable")[:FEEDBACK_DOCUMENTS]
    return unit(vector + unit(scores[best] @ meaning.vectors_of(rows[best])))


def share_of_best(cosines: Vector) -> Vector:
    """Cosines as shares of the best one, from 0 to 1."""
    best = float(cosines.max(initial=0.0))
    return np.asarray(np.maximum(cosines, 0) / (best or 1.0), dtype=np.float32)


def with_sentence_model(word_cosines: Vector, sentence_cosines: Vector) -> Vector:
    """Similarity by the word vectors and by a sentence model together."""
    return WORD_VECTOR_WEIGHT * share_of_best(word_cosines) + SENTENCE_WEIGHT * share_of_best(sentence_cosines)

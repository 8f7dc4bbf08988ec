"""How well texts match a question, by words and by meaning, within a set of candidates."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from paper_search.skills.text import content_words, stems
from papercore.retrieval import Vector, WordVectors

# BM25's usual constants; the weight of meaning beside words is that of the retrieval engine.
K1, B = 1.2, 0.75
TITLE_WEIGHT = 2
MEANING_WEIGHT = 0.45


class CandidateText(Struct, frozen=True):
    title: str
    body: str = ""


def match_scores(question: str, texts: Sequence[CandidateText]) -> list[float]:
    """A score in [0, 1] for each text: BM25 as a share of the best, plus closeness in meaning."""
    if not texts:
        return []
    by_words = _bm25(stems(question), texts)
    by_words /= float(by_words.max()) or 1.0
    by_meaning = _closeness(question, texts)
    return [float(score) for score in (by_words + MEANING_WEIGHT * by_meaning) / (1 + MEANING_WEIGHT)]


def _bm25(terms: Sequence[str], texts: Sequence[CandidateText]) -> Vector:
    counts = [Counter(stems(text.title) * TITLE_WEIGHT + stems(text.body)) for text in texts]
    lengths = np.array([max(1, count.total()) for count in counts], dtype=np.float32)
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    scores = np.zeros(len(texts), dtype=np.float32)
    for term in set(terms):
        frequency = np.array([count[term] for count in counts], dtype=np.float32)
        documents = int((frequency > 0).sum())
        rarity = math.log(1 + (len(texts) - documents + 0.5) / (documents + 0.5))
        scores += rarity * frequency * (K1 + 1) / (frequency + norm)
    return scores


def _closeness(question: str, texts: Sequence[CandidateText]) -> Vector:
    asked = unit_vector(content_words(question))
    rows = [unit_vector(content_words(f"{text.title} {text.title} {text.body[:2000]}")) for text in texts]
    return np.asarray(np.maximum(np.stack(rows) @ asked, 0.0), dtype=np.float32)


def unit_vector(words: Sequence[str]) -> Vector:
    """The direction of the words' meaning; zero without words."""
    if not words:
        return np.zeros(WordVectors.load().dimensions, dtype=np.float32)
    total = WordVectors.load().words(list(words)).sum(axis=0)
    return np.asarray(total / (np.linalg.norm(total) or 1.0), dtype=np.float32)

"""How well texts match a question, by words and by meaning, within a set of candidates."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from paper_search.text import content_words, stems
from papercore.retrieval import Vector, WordVectors
from papercore.text import bm25_scores, rarity

TITLE_WEIGHT = 2
# The weight of meaning beside words is that of the retrieval engine.
MEANING_WEIGHT = 0.45


class CandidateText(Struct, frozen=True):
    title: str
    body: str = ""


def match_scores(question: str, texts: Sequence[CandidateText]) -> list[float]:
    """A score in [0, 1] for each text: BM25 as a share of the best, plus closeness in meaning."""
    if not texts:
        return []
    by_words = _word_scores(question, texts)
    by_words /= float(by_words.max()) or 1.0
    by_meaning = _closeness(question, texts)
    return [float(score) for score in (by_words + MEANING_WEIGHT * by_meaning) / (1 + MEANING_WEIGHT)]


def _word_scores(question: str, texts: Sequence[CandidateText]) -> Vector:
    counts = [Counter(stems(text.title) * TITLE_WEIGHT + stems(text.body)) for text in texts]
    weights = {term: rarity(sum(term in words for words in counts), len(texts)) for term in stems(question)}
    return np.array(bm25_scores(counts, weights), dtype=np.float32)


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

"""BM25, the usual way to score texts by the words of a question: rare words count more, repeated ones ever less."""

from collections.abc import Mapping, Sequence
from math import log

# The usual constants: how soon repeating a word stops counting, and how much the length of a text counts against it.
SATURATION, LENGTH_SHARE = 1.2, 0.75


def rarity(documents_with: int, documents: int) -> float:
    """The weight of a word that so many of the documents have."""
    return log(1 + (documents - documents_with + 0.5) / (documents_with + 0.5))


def bm25_scores(
    counts: Sequence[Mapping[str, float]],
    weights: Mapping[str, float],
    saturation: float = SATURATION,
    length_share: float = LENGTH_SHARE,
) -> list[float]:
    """A score for each text, of which `counts` says how often it has which word. `weights` has the words asked for."""
    lengths = [max(1.0, sum(words.values())) for words in counts]
    mean = sum(lengths) / (len(lengths) or 1)
    scores = []
    for words, length in zip(counts, lengths, strict=True):
        norm = saturation * (1 - length_share + length_share * length / mean)
        found = ((weight, words[term]) for term, weight in weights.items() if term in words)
        scores.append(sum(weight * count / (count + norm) for weight, count in found))
    return scores

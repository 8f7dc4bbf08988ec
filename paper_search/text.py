"""Words and stems as the rules and sources of a search see a text, and how well texts match a question."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from papercore.passages import cut
from papercore.text import REQUEST_STOP_WORDS, bm25_scores, hyphenated_words, rarity, stem

if TYPE_CHECKING:
    from papercore.retrieval import Vector, WordVectors

TITLE_WEIGHT = 2
# The weight of meaning beside words is that of the retrieval engine.
MEANING_WEIGHT = 0.45
# From here on the judge of a library, papercore.retrieval.verdict_at, says that a question is answered, and below the
# other that it is not. A paper less likely to answer it than that, or by as much less likely as the best, is no result.
ANSWERED, NOTHING = 0.5, 0.1


def words(text: str) -> list[str]:
    """The words of a text in lower case; hyphenated ones stay together."""
    return hyphenated_words(text)


def content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in REQUEST_STOP_WORDS]


def stems(text: str) -> list[str]:
    """The stems of the content words; a hyphen parts two stems."""
    return [stem(part) for word in content_words(text) for part in word.split("-") if part]


def normal_title(title: str) -> str:
    """Letters and digits of a title, for comparing."""
    plain = unicodedata.normalize("NFKD", re.sub(r"<[^>]{1,20}>", "", title).lower())
    return "".join(char for char in plain if char.isalnum())


def mark(best: float) -> float:
    """The score below which a paper is no result, by the best one's."""
    return max(NOTHING, best * NOTHING / ANSWERED)


def best_passage(text: str, question: str) -> str:
    """The passage with most of the question's words, in whole sentences; of several, the first."""
    sought = set(stems(question))
    pieces = cut(text)
    passages = [pieces.quote(passage) for passage in pieces.passages]
    return max(passages, key=lambda passage: len(sought.intersection(stems(passage))), default="")


class CandidateText(Struct, frozen=True):
    title: str
    body: str = ""


def match_scores(question: str, texts: Sequence[CandidateText]) -> list[float]:
    """A score in [0, 1] for each text: BM25 as a share of the best, plus closeness in meaning."""
    counts = [Counter(stems(text.title) * TITLE_WEIGHT + stems(text.body)) for text in texts]
    weights = {term: rarity(sum(term in count for count in counts), len(texts)) for term in stems(question)}
    by_words = bm25_scores(counts, weights)
    best = max(by_words, default=0.0) or 1.0
    if word_vectors() is None:
        return [score / best for score in by_words]
    asked = unit_vector(question)
    by_meaning = (similarity(asked, unit_vector(f"{text.title} {text.title} {text.body[:2000]}")) for text in texts)
    return [
        (score / best + MEANING_WEIGHT * max(0.0, meaning)) / (1 + MEANING_WEIGHT)
        for score, meaning in zip(by_words, by_meaning, strict=True)
    ]


@cache
def word_vectors() -> "WordVectors | None":
    """What words mean; None where the extra `snapshot`, which brings what reads them, is not installed."""
    try:
        from papercore.retrieval import WordVectors
    except ModuleNotFoundError:
        return None
    return WordVectors.load()


def unit_vector(text: str) -> "Vector | None":
    """The direction of a text's meaning; None without words, or without word vectors."""
    vectors, found = word_vectors(), content_words(text)
    if vectors is None or not found:
        return None
    total: Vector = vectors.words(found).sum(axis=0)
    return total / (math.sqrt(total @ total) or 1.0)


def similarity(first: "Vector | None", second: "Vector | None") -> float:
    """The cosine of two unit vectors; 0 where there is nothing to compare."""
    return 0.0 if first is None or second is None else float(first @ second)

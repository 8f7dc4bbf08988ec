"""How requirement text becomes words: camelCase in parts and whole, CJK in characters, stemmed, without noise."""

import re
from functools import lru_cache

from msgspec import Struct

from papercore.text import CJK_AND_SIGNS, IDEOGRAPHS, REQUIREMENT_STOP_WORDS, cjk_pairs, identifier_parts, stem

CJK = re.compile(f"[{CJK_AND_SIGNS}]+")
IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
# Letters, digits and underscores: a word, or an identifier.
RUN = re.compile(r"\w+")


class Word(Struct, frozen=True):
    """`stem` is what counts are kept under; `surface` is what has a vector, empty for CJK."""

    stem: str
    surface: str


def words(text: str) -> list[Word]:
    """Every word of the text that may distinguish one requirement from another."""
    return [word for run in RUN.findall(text) for word in _words_of(run)]


@lru_cache(maxsize=100_000)
def _words_of(run: str) -> tuple[Word, ...]:
    """The words in an unbroken run of letters, digits and underscores."""
    found: list[Word] = []
    start = 0
    for match in CJK.finditer(run):
        found += _latin(run[start : match.start()]) + _cjk(match[0])
        start = match.end()
    return tuple(found + _latin(run[start:]))


def _cjk(run: str) -> list[Word]:
    """Pairs of characters, and each ideograph: paraphrases often share one of a word's two."""
    pairs = cjk_pairs(run) if len(run) > 1 else []
    return [Word(text, "") for text in [*pairs, *IDEOGRAPH.findall(run)] or [run]]


def _latin(run: str) -> list[Word]:
    parts = identifier_parts(run)
    whole = [run.strip("_")] if len(parts) > 1 else []
    surfaces = [part.lower() for part in [*parts, *whole]]
    return [Word(stem(surface), surface) for surface in surfaces if surface not in REQUIREMENT_STOP_WORDS]

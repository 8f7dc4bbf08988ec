"""Names that a question asks for: persons as bibliographies write them, acronyms, and words with digits in them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from papercore.retrieval.basics import analysis

# "Dijkstra," and then "E." or "E.W."
_SURNAME = re.compile(r"[^\W\d_][\w'’-]+,")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[,;]?")


def terms_of_names(words: Sequence[str]) -> frozenset[str]:
    """The terms of the names among the words of a question, as they were typed."""
    persons = {word for word, after in pairwise(words) if _is_person(word, after)}
    shouted = all(word.isupper() for word in words if any(map(str.isalpha, word)))
    named = [
        part
        for word in words
        for part in analysis.words(word)
        if word in persons or _has_digit(part) or (not shouted and _is_acronym(part))
    ]
    return frozenset(term for part in named for term in analysis.text_terms(part))


def _is_person(word: str, after: str) -> bool:
    return word[:1].isupper() and bool(_SURNAME.fullmatch(word)) and bool(_INITIALS.fullmatch(after))


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _has_digit(word: str) -> bool:
    """EL1 or word2vec, but no number: 1985 is not the name of anything."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))

"""Tells whether a question is in another language than the documents, from its script and its commonest words."""

from collections.abc import Sequence

from papercore.retrieval.basics import analysis
from papercore.text import FOREIGN_FUNCTION_WORDS

# A share of unknown words above which the question is in no language of the documents, whatever it is in.
UNKNOWN_IN_ANY_LANGUAGE = 0.4
# In another language than English some words always occur: names, quotations, a few papers in that language.
UNKNOWN_IN_ANOTHER_LANGUAGE = 0.1


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

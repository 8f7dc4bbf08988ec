"""The words of titles and names as they are spelled in the word index; finds those that are like another."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import tantivy
from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import OSA

# More than any library has with one first letter.
EVERY = 10_000_000
# First letters whose words are kept: those of a few alphabets.
KEPT_LETTERS = 128
# Completions of an unfinished word, the commonest.
COMPLETIONS = 30


class FirstLetterWords(Struct, frozen=True):
    """The words with one first letter, with the number of documents that have each."""

    spelled: list[str]
    documents: list[int]


class WordDictionary:
    """The words in these fields of one opened index. Those with a first letter are read when one is looked for."""

    def __init__(self, searcher: tantivy.Searcher, fields: Sequence[str]) -> None:
        self._searcher = searcher
        self._fields = fields
        self._beginning = lru_cache(maxsize=KEPT_LETTERS)(self._read)

    def alike(self, word: str, letters: int, *, unfinished: bool) -> dict[str, int]:
        """The words that differ by at most so many letters, or begin with it, and how many documents have them.

        The first letter may be another only if it was left out, or the first two were swapped: that is how people slip.
        """
        found: dict[str, int] = {}
        for first in dict.fromkeys(word[:2]):
            words, most = self._beginning(first), letters if first == word[0] else 1
            near = process.extract(word, words.spelled, scorer=OSA.distance, score_cutoff=most, limit=None)
            found |= {spelled: words.documents[number] for spelled, _, number in near}
        if unfinished:
            completed = self._counts(word, COMPLETIONS)
            found |= dict(completed.most_common(COMPLETIONS))
        return found

    def _read(self, first: str) -> FirstLetterWords:
        counts = self._counts(first, EVERY)
        return FirstLetterWords(list(counts), list(counts.values()))

    def _counts(self, start: str, limit: int) -> Counter[str]:
        """The words that begin so, at most so many of each field, the commonest."""
        counts: Counter[str] = Counter()
        for field in self._fields:
            counts.update(dict(self._searcher.terms_with_prefix(field, start, limit=limit)))
        return counts

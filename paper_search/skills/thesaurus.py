"""Synonyms from a library's own keywords: other spellings, acronyms and near meanings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from paper_search.skills.text import content_words, stems
from paper_search.skills.text_match import unit_vector
from papercore import limits
from papercore.retrieval import Matrix

MAX_SYNONYMS = 4
# The most used keywords are compared; rarer ones are seldom meant.
MAX_KEYWORDS = 5_000
# Less similar keywords name a related topic, not the same one.
MIN_SIMILARITY = 0.82


@dataclass
class Thesaurus:
    """Reads the keywords when they are first needed."""

    read_keywords: Callable[[], Sequence[str]]

    def synonyms(self, concept: str) -> list[str]:
        found = (*self._spellings(concept), *self._acronyms(concept), *self._neighbours(concept))
        return [word for word in dict.fromkeys(found) if _joined_stems(word) != _joined_stems(concept)][:MAX_SYNONYMS]

    @cached_property
    def _keywords(self) -> list[str]:
        short = (keyword for keyword in self.read_keywords() if len(keyword) <= limits.SYNONYM_CHARS)
        return list(islice(short, MAX_KEYWORDS))

    @cached_property
    def _by_stems(self) -> dict[frozenset[str], list[str]]:
        index: dict[frozenset[str], list[str]] = {}
        for keyword in self._keywords:
            index.setdefault(frozenset(stems(keyword)), []).append(keyword)
        return index

    @cached_property
    def _vectors(self) -> Matrix:
        return np.stack([unit_vector(content_words(keyword) or [keyword]) for keyword in self._keywords])

    def _spellings(self, concept: str) -> list[str]:
        """`message-passing network` for `message passing networks`."""
        return self._by_stems.get(frozenset(stems(concept)), [])

    def _acronyms(self, concept: str) -> list[str]:
        """`gnn` for `graph neural networks`, and the other way round."""
        return [keyword for keyword in self._keywords if _is_acronym(keyword, concept) or _is_acronym(concept, keyword)]

    def _neighbours(self, concept: str) -> list[str]:
        if not self._keywords or not content_words(concept):
            return []
        similarity = self._vectors @ unit_vector(content_words(concept))
        best = np.argsort(-similarity)[:MAX_SYNONYMS]
        return [self._keywords[index] for index in best if similarity[index] >= MIN_SIMILARITY]


def _joined_stems(text: str) -> str:
    return "".join(stems(text))


def _is_acronym(short: str, long: str) -> bool:
    letters = short.lower().removesuffix("s")
    initials = "".join(part[0] for word in content_words(long) for part in word.split("-") if part)
    return len(letters) > 1 and letters.isalpha() and letters == initials

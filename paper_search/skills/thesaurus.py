"""Synonyms from the library itself: abbreviations as its papers introduce them, other spellings, near meanings."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np

from paper_search.skills.abbreviations import abbreviated, written_out
from paper_search.skills.text_match import unit_vector
from paper_search.sources.interface import PaperText
from paper_search.text import content_words, stems, words
from papercore import limits
from papercore.retrieval import Matrix

MAX_SYNONYMS = 4
# The most used keywords are compared; rarer ones are seldom meant.
MAX_KEYWORDS = 5_000
# Less similar keywords name a related topic, not the same one.
MIN_SIMILARITY = 0.82
# A keyword that papers about the concept have, and a word in the place of one of its words, need less.
TOGETHER_SIMILARITY, SAME_PLACE_SIMILARITY = 0.7, 0.75
# Phrases that are looked up for one search, about 40 ms each with 110,486 papers; a pasted abstract has many more.
MAX_LOOKUPS = 30
# Papers that must have such a keyword or word: one may be a slip.
MIN_PAPERS = 2


@dataclass
class Thesaurus:
    """Reads keywords and papers when they are first needed: of each phrase a few, however large the library."""

    read_keywords: Callable[[], Sequence[str]]
    read_mentions: Callable[..., Sequence[PaperText]]
    _mentions: dict[tuple[str, ...], Sequence[PaperText]] = field(default_factory=dict)

    def synonyms(self, concept: str) -> list[str]:
        """The surest first."""
        introduced = [*abbreviated(concept, self._texts), *written_out(concept, self._texts)]
        found = (
            *introduced,
            *self._spellings(concept),
            *([] if introduced else self._acronyms(concept)),
            *self._in_the_same_place(concept),
            *self._together(concept),
            *self._neighbours(concept),
        )
        unique = {_joined_stems(word): word for word in reversed(found) if len(word) <= limits.SYNONYM_CHARS}
        unique.pop(_joined_stems(concept), None)
        return list(reversed(unique.values()))[:MAX_SYNONYMS]

    def _papers(self, *phrases: str) -> Sequence[PaperText]:
        if phrases not in self._mentions and len(self._mentions) < MAX_LOOKUPS:
            self._mentions[phrases] = self.read_mentions(*phrases)
        return self._mentions.get(phrases, ())

    def _texts(self, *phrases: str) -> list[str]:
        return [f"{paper.title}. {paper.abstract}" for paper in self._papers(*phrases)]

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

    @cached_property
    def _by_initials(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for keyword in self._keywords:
            index.setdefault(_initials(keyword), []).append(keyword)
        return index

    def _acronyms(self, concept: str) -> list[str]:
        """`gnn` for `graph neural networks`, and the other way round."""
        parts, initials = words(concept), _initials(concept)
        shorts = [keyword for keyword in self._keywords if len(initials) > 1 and _singular(keyword) == initials]
        return shorts + [
            " ".join(keyword if part == word else part for part in parts)
            for word in parts
            if word.isalpha() and len(_singular(word)) > 1
            for keyword in self._by_initials.get(_singular(word), [])
        ]

    def _in_the_same_place(self, concept: str) -> list[str]:
        """`dialog systems` for `dialogue systems`: papers with the other words have a word like the one left out."""
        parts = words(concept)
        found: list[str] = []
        for place, word in enumerate(parts if len(parts) > 1 else ()):
            before, after = parts[:place], parts[place + 1 :]
            texts = self._texts(" ".join((*before, *after)))
            counts = Counter(other for text in texts for other in _between(words(text), before, after))
            common = [other for other, papers in counts.most_common() if papers >= MIN_PAPERS]
            near = [other for other in common if _similarity(other, word) >= SAME_PLACE_SIMILARITY]
            found += [" ".join((*before, other, *after)) for other in near]
        return found

    def _together(self, concept: str) -> list[str]:
        """Keywords of the papers that have the concept, if they are near it in meaning, too."""
        counts = Counter(keyword for paper in self._papers(concept) for keyword in paper.keywords)
        common = [keyword for keyword, papers in counts.most_common() if papers >= MIN_PAPERS]
        return [keyword for keyword in common if _similarity(keyword, concept) >= TOGETHER_SIMILARITY]

    def _neighbours(self, concept: str) -> list[str]:
        if not self._keywords or not content_words(concept):
            return []
        similarity = self._vectors @ unit_vector(content_words(concept))
        best = np.argsort(-similarity)[:MAX_SYNONYMS]
        return [self._keywords[index] for index in best if similarity[index] >= MIN_SIMILARITY]


def _between(text: Sequence[str], before: list[str], after: list[str]) -> set[str]:
    """The words of a text that stand between others."""
    place, length = len(before), len(before) + 1 + len(after)
    windows = (text[start : start + length] for start in range(len(text) - length + 1))
    return {window[place] for window in windows if window[:place] == before and window[place + 1 :] == after}


def _similarity(text: str, other: str) -> float:
    return float(unit_vector(content_words(text)) @ unit_vector(content_words(other)))


def _joined_stems(text: str) -> str:
    return "".join(stems(text))


def _initials(text: str) -> str:
    return "".join(part[0] for word in content_words(text) for part in word.split("-") if part)


def _singular(short: str) -> str:
    return short.lower().removesuffix("s")

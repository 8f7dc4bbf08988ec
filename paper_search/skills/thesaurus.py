"""Synonyms from the library itself: abbreviations as its papers introduce them, other spellings, near meanings."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from paper_search.skills.abbreviations import abbreviated, written_out
from paper_search.skills.text_match import similarity, unit_vector
from paper_search.sources.interface import PaperText
from paper_search.text import content_words, stems, words
from papercore import limits

if TYPE_CHECKING:
    from papercore.retrieval import Vector

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


class LibraryKeyword(Struct, frozen=True):
    """A keyword of the library, with what it is compared by."""

    text: str
    stems: frozenset[str]
    initials: str
    vector: "Vector | None"


@dataclass
class Thesaurus:
    """Reads keywords and papers when they are first needed: of each phrase a few, however large the library."""

    read_keywords: Callable[[], Sequence[str]] = list
    read_mentions: Callable[..., Sequence[PaperText]] = lambda *phrases: ()
    _mentions: dict[tuple[str, ...], Sequence[PaperText]] = field(default_factory=dict)

    def synonyms(self, concept: str) -> list[str]:
        """The surest first."""
        introduced = [*abbreviated(concept, self._texts), *written_out(concept, self._texts)]
        found = (
            *introduced,
            # `message-passing network` for `message passing networks`
            *(keyword.text for keyword in self._keywords if keyword.stems == frozenset(stems(concept))),
            *([] if introduced else self._acronyms(concept)),
            *self._in_the_same_place(concept),
            *self._near_in_meaning(concept),
        )
        unique = {"".join(stems(word)): word for word in reversed(found) if len(word) <= limits.SYNONYM_CHARS}
        unique.pop("".join(stems(concept)), None)
        return list(reversed(unique.values()))[:MAX_SYNONYMS]

    def _papers(self, *phrases: str) -> Sequence[PaperText]:
        if phrases not in self._mentions and len(self._mentions) < MAX_LOOKUPS:
            self._mentions[phrases] = self.read_mentions(*phrases)
        return self._mentions.get(phrases, ())

    def _texts(self, *phrases: str) -> list[str]:
        return [f"{paper.title}. {paper.abstract}" for paper in self._papers(*phrases)]

    @cached_property
    def _keywords(self) -> list[LibraryKeyword]:
        short = (text for text in self.read_keywords() if len(text) <= limits.SYNONYM_CHARS)
        return [
            LibraryKeyword(text, frozenset(stems(text)), _initials(text), unit_vector(text))
            for text in islice(short, MAX_KEYWORDS)
        ]

    def _acronyms(self, concept: str) -> list[str]:
        """`gnn` for `graph neural networks`, and the other way round."""
        parts, initials = words(concept), _initials(concept)
        shorts = [known.text for known in self._keywords if len(initials) > 1 and _singular(known.text) == initials]
        acronyms = [word for word in parts if word.isalpha() and len(_singular(word)) > 1]
        return shorts + [
            " ".join(keyword.text if part == word else part for part in parts)
            for word in acronyms
            for keyword in self._keywords
            if keyword.initials == _singular(word)
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
            meant = unit_vector(word)
            near = [other for other in common if similarity(unit_vector(other), meant) >= SAME_PLACE_SIMILARITY]
            found += [" ".join((*before, other, *after)) for other in near]
        return found

    def _near_in_meaning(self, concept: str) -> list[str]:
        """Keywords of the papers that have the concept, which need less to be the same; then any keywords."""
        meant = unit_vector(concept)
        counts = Counter(keyword for paper in self._papers(concept) for keyword in paper.keywords)
        common = [keyword for keyword, papers in counts.most_common() if papers >= MIN_PAPERS]
        together = [word for word in common if similarity(unit_vector(word), meant) >= TOGETHER_SIMILARITY]
        scores = {keyword.text: similarity(keyword.vector, meant) for keyword in self._keywords}
        nearest = nlargest(MAX_SYNONYMS, scores, key=lambda keyword: scores[keyword])
        return together + [keyword for keyword in nearest if scores[keyword] >= MIN_SIMILARITY]


def _between(text: Sequence[str], before: list[str], after: list[str]) -> set[str]:
    """The words of a text that stand between others."""
    place, length = len(before), len(before) + 1 + len(after)
    windows = (text[start : start + length] for start in range(len(text) - length + 1))
    return {window[place] for window in windows if window[:place] == before and window[place + 1 :] == after}


def _initials(text: str) -> str:
    return "".join(part[0] for word in content_words(text) for part in word.split("-") if part)


def _singular(short: str) -> str:
    return short.lower().removesuffix("s")

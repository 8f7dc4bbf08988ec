"""Synonyms from the library itself: abbreviations as its papers introduce them, other spellings, near meanings."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from paper_search.sources.interface import PaperText
from paper_search.text import content_words, similarity, stems, unit_vector, words
from papercore import limits
from papercore.text import hyphenated_words

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

# Texts of the library that have all of some phrases.
TextsWith = Callable[..., Sequence[str]]

# Of the texts that have an abbreviation or a phrase, the share that must introduce the pair ...
MIN_SHARE = 0.1
# ... or the number of texts, where most that have it take it as known.
MIN_TEXTS = 3
# A further reading must be introduced this often, relative to the commonest.
FURTHER_SHARE = 0.3
MAX_READINGS = 2
# Words of a long form beyond the letters of its abbreviation, such as `of` and `and`.
EXTRA_WORDS = 3
# How far before its abbreviation a long form may begin.
LONG_CHARS = 120
SHORT_CHARS = range(2, 11)

_BRACKETS = re.compile(r"\(([^()]{2,120})\)")
# No long form goes on behind one of these.
_PHRASE_END = re.compile(r"[.;:!?]\s|[()\[\]\"“”]")
_SHORT = re.compile(r"[^\W_]+(?:[&/+.-][^\W_]+)*")


class Abbreviation(Struct, frozen=True):
    short: str
    long: str


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
        """The surest first; none that is only a part of the concept, as `trees` of `decision trees`."""
        from_papers = [*abbreviated(concept, self._texts), *written_out(concept, self._texts)]
        found = (
            *from_papers,
            # `message-passing network` for `message passing networks`
            *(keyword.text for keyword in self._keywords if keyword.stems == frozenset(stems(concept))),
            *([] if from_papers else self._acronyms(concept)),
            *self._in_the_same_place(concept),
            *self._near_in_meaning(concept),
        )
        short = (word for word in reversed(found) if len(word) <= limits.SYNONYM_CHARS)
        unique = {"".join(stems(word)): word for word in short if not set(stems(word)) < set(stems(concept))}
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


def introduced(text: str) -> Iterator[Abbreviation]:
    """The abbreviations that a text introduces; every bracket looks at a bounded part of it."""
    line = unicodedata.normalize("NFKC", text)
    for found in _BRACKETS.finditer(line):
        before = _PHRASE_END.split(line[max(0, found.start() - LONG_CHARS) : found.start()])[-1].rstrip()
        inside = found[1].replace(";", ",").split(",")[0].strip()
        last = before.rsplit(maxsplit=1)[-1] if before else ""
        for short, long in ((inside, before), (last, inside)):
            if pair := _pair(short, long):
                yield pair


def written_out(concept: str, texts_with: TextsWith) -> list[str]:
    """The concept with its abbreviations in full, as the library's papers introduce them."""
    found: list[str] = []
    for word in dict.fromkeys(words(concept)):
        if len(word) in SHORT_CHARS:
            longs = _long_forms(word, texts_with)
            found += [" ".join(long if part == word else part for part in words(concept)) for long in longs]
    return found


def abbreviated(concept: str, texts_with: TextsWith) -> list[str]:
    """The concept with a long form in it abbreviated, where the library's papers mean that by the abbreviation."""
    parts = words(concept)
    if len(_key(concept)) < 2:
        return []
    pairs = _shorts_within(parts, texts_with(concept))
    for span in (parts, parts[:-1], parts[1:]):
        # Well-known phrases are mostly used without their abbreviation: papers that have both introduce it.
        guess = "".join(piece[0] for part in span for piece in part.split("-") if piece)
        if not pairs and len(guess) in SHORT_CHARS:
            pairs = _shorts_within(parts, texts_with(" ".join(span), guess))
    text = f" {' '.join(parts)} "
    return [
        text.replace(f" {pair.long} ", f" {pair.short} ").strip()
        for pair in pairs
        if any(_key(pair.long) == _key(long) for long in _long_forms(pair.short.lower(), texts_with))
    ]


def _long_forms(word: str, texts_with: TextsWith) -> list[str]:
    texts = texts_with(word)
    longs = [pair.long for pair in _of_all(texts) if _is_short_of(word, pair)]
    if common := _commonest(longs, MIN_SHARE * len(texts)):
        return common
    established = []
    for long in _commonest(longs, 1):
        # Few of the papers with the abbreviation introduce the pair, but several do.
        pairs = [pair for pair in _of_all(texts_with(long, word)) if _is_short_of(word, pair)]
        if sum(_key(pair.long) == _key(long) for pair in pairs) >= MIN_TEXTS:
            established.append(long)
    return established


def _is_short_of(word: str, pair: Abbreviation) -> bool:
    """Also in the plural: `LLMs`."""
    return pair.short.lower() in (word, word.removesuffix("s"))


def _shorts_within(parts: Sequence[str], texts: Sequence[str]) -> list[Abbreviation]:
    """What the texts introduce for the phrase or a part of it, each with the part's own words."""
    spans = {
        _key(" ".join(parts[start:end])): " ".join(parts[start:end])
        for start in range(len(parts))
        for end in range(start + 1, len(parts) + 1)
    }
    longs = {pair.short: spans[key] for pair in _of_all(texts) if (key := _key(pair.long)) in spans}
    shorts = [pair.short for pair in _of_all(texts) if _key(pair.long) in spans]
    return [Abbreviation(short, longs[short]) for short in _commonest(shorts, MIN_SHARE * len(texts))]


def _key(text: str) -> tuple[str, ...]:
    """The same for `part of speech` and `parts-of-speech`."""
    return tuple(stems(text.replace("-", " ")))


def _of_all(texts: Iterable[str]) -> Iterator[Abbreviation]:
    """What the texts introduce, each text's abbreviations once."""
    for text in texts:
        yield from dict.fromkeys(introduced(text))


def _commonest(readings: Sequence[str], needed: float) -> list[str]:
    """The readings that are common enough, spelled as they mostly are; the commonest first."""
    spellings: dict[tuple[str, ...], Counter[str]] = {}
    for reading in readings:
        spellings.setdefault(_key(reading), Counter())[reading] += 1
    ranked = sorted(spellings.values(), key=lambda spelled: -spelled.total())[:MAX_READINGS]
    needed = max(needed, FURTHER_SHARE * ranked[0].total()) if ranked else needed
    return [spelled.most_common(1)[0][0] for spelled in ranked if spelled.total() >= needed]


def _pair(short: str, long: str) -> Abbreviation | None:
    """The pair, if the letters of the one are in the other, the first one at the beginning of a word."""
    if len(short) not in SHORT_CHARS or not _SHORT.fullmatch(short) or sum(char.isupper() for char in short) < 2:
        return None
    short = short.removesuffix("s")
    letters = [char for char in short.lower() if char.isalnum()]
    text = " ".join(hyphenated_words(long)[-len(letters) - EXTRA_WORDS :])
    place = len(text)
    for letter in reversed(letters[1:]):
        place = max(0, text.rfind(letter, 0, place))
    place = text.rfind(letters[0], 0, place)
    while place > 0 and text[place - 1].isalnum():
        place = text.rfind(letters[0], 0, place)
    long = text[place:]
    return (
        Abbreviation(short, long) if place >= 0 and len(stems(long)) > 1 and short.lower() not in words(long) else None
    )

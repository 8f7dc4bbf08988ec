"""Abbreviations as papers introduce them: `word sense disambiguation (WSD)`, or `WSD (word sense disambiguation)`."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from paper_search.text import stems, words

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
_SENTENCE_END = re.compile(r"[.;:!?]\s|[()\[\]\"“”]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SHORT = re.compile(r"[^\W_]+(?:[&/+.-][^\W_]+)*")


class Abbreviation(Struct, frozen=True):
    short: str
    long: str


def introduced(text: str) -> Iterator[Abbreviation]:
    """The abbreviations that a text introduces; every bracket looks at a bounded part of it."""
    line = unicodedata.normalize("NFKC", text)
    for found in _BRACKETS.finditer(line):
        before = _SENTENCE_END.split(line[max(0, found.start() - LONG_CHARS) : found.start()])[-1].rstrip()
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
    text = " ".join(_WORD.findall(long)[-len(letters) - EXTRA_WORDS :]).lower()
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

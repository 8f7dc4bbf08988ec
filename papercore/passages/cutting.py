"""Cuts a text into sections and passages. A passage's number and check depend on nothing but its text."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b

from msgspec import Struct

from papercore import limits
from papercore.text import sentence_spans
from papercore.text.blocks import Block, BlockKind, blocks

# Passages: one to three sentences, enough to be understood alone and short enough to be quoted.
PASSAGE_SENTENCES = 3
# A longer run of sentences is cut between them, a longer sentence at a blank.
PASSAGE_CHARS = 800
# Tables, code, formulas and captions stay whole up to this length; two screens.
WHOLE_BLOCK_CHARS = 4_000
_MARKUP = re.compile(r"^[#\s]+|[\s#]+$|\*\*?|__|`|\$|\\(?=[_*#])")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_CHECK_BYTES = 3


class Section(Struct, frozen=True):
    """A heading and what follows it, down to the next heading of its level; number 0 precedes all headings."""

    number: int
    level: int
    path: tuple[str, ...]
    start: int
    end: int

    @property
    def title(self) -> str:
        return self.path[-1] if self.path else ""


class Passage(Struct, frozen=True):
    """A few sentences of one block. Numbers count from 1; `block` is the number of the block's first passage."""

    number: int
    block: int
    kind: BlockKind
    section: int
    start: int
    end: int
    line: int
    page: int | None


class CutText(Struct, frozen=True, dict=True):
    """A text, its sections in order, and its passages in order."""

    text: str
    sections: tuple[Section, ...]
    passages: tuple[Passage, ...]

    def quote(self, passage: Passage) -> str:
        """The passage as the text has it."""
        return self.text[passage.start : passage.end]

    def path(self, passage: Passage) -> tuple[str, ...]:
        return self.sections[passage.section].path

    def check(self, passage: Passage) -> str:
        """Six hex digits that change with the passage's words."""
        return check_of(self.quote(passage))

    def find(self, number: int, check: str = "") -> Passage | None:
        """A passage by its number. If its check tells that the text changed, the nearest passage with that check."""
        passage = self.passages[number - 1] if 0 < number <= len(self.passages) else None
        if not check or (passage and self.check(passage) == check):
            return passage
        same = [self.passages[place] for place in self._by_check.get(check, ())]
        return min(same, key=lambda passage: abs(passage.number - number), default=None)

    def at(self, offset: int) -> Passage | None:
        """The passage that this place of the text belongs to: the one around it, else the one before it."""
        place = bisect_right(self.passages, offset, key=lambda passage: passage.start)
        return self.passages[max(place - 1, 0)] if self.passages else None

    def within(self, section: Section) -> tuple[Passage, ...]:
        """The passages of a section and of the sections below it."""
        first = bisect_right(self.passages, section.start - 1, key=lambda passage: passage.start)
        last = bisect_right(self.passages, section.end - 1, key=lambda passage: passage.start)
        return self.passages[first:last]

    @cached_property
    def _by_check(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, passage in enumerate(self.passages):
            found.setdefault(self.check(passage), []).append(place)
        return found


def check_of(quote: str) -> str:
    """Six hex digits that change with the words of a passage."""
    words = " ".join(quote.split())
    return blake2b(words.encode("utf-8", "replace"), digest_size=_CHECK_BYTES).hexdigest()


def cut_once(text: str) -> CutText:
    """Cut a text; of an enormous one only its beginning."""
    headings: list[tuple[Block, tuple[str, ...]]] = []
    passages: list[Passage] = []
    above: list[tuple[int, str]] = []
    for block in blocks(text[: limits.PASSAGE_TEXT_CHARS]):
        if block.kind == "heading":
            title = plain_title(text[block.start : block.end])
            above = [*(entry for entry in above if entry[0] < block.level), (block.level, title)]
            headings.append((block, tuple(name for _, name in above)))
        else:
            first = len(passages) + 1
            passages += [
                Passage(first + n, first, block.kind, len(headings), start, end, block.line, block.page)
                for n, (start, end) in enumerate(_pieces(text, block))
            ]
    return CutText(text, _sections(headings, len(text)), tuple(passages))


# Keyed by the text, so that an unchanged one survives a rebuild. Readers and agents come back to the same papers.
cut = lru_cache(maxsize=32)(cut_once)


def plain_title(text: str) -> str:
    """A heading without its marks."""
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())[: limits.NAME_CHARS]


def _sections(headings: list[tuple[Block, tuple[str, ...]]], length: int) -> tuple[Section, ...]:
    """Each section ends where the next one of its level or a higher one begins."""
    ends = [length] * len(headings)
    waiting: list[int] = []
    for place, (block, _) in enumerate(headings):
        while waiting and headings[waiting[-1]][0].level >= block.level:
            ends[waiting.pop()] = block.start
        waiting.append(place)
    begin = Section(0, 0, (), 0, headings[0][0].start if headings else length)
    named = [
        Section(place + 1, block.level, path, block.start, ends[place]) for place, (block, path) in enumerate(headings)
    ]
    return (begin, *named)


def _pieces(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """The spans of a block's passages: one to three sentences each, as even as possible."""
    if block.whole:
        yield from _bounded(text, block.start, block.end, WHOLE_BLOCK_CHARS)
        return
    sentences = list(sentence_spans(text, block.start, block.end))
    count = -(-len(sentences) // PASSAGE_SENTENCES)
    for n in range(count):
        group = sentences[len(sentences) * n // count : len(sentences) * (n + 1) // count]
        first, last = group[0][0], group[-1][1]
        for start, end in [(first, last)] if last - first <= PASSAGE_CHARS else group:
            yield from _bounded(text, start, end, PASSAGE_CHARS)


def _bounded(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """The span, cut at line ends or blanks where it is too long."""
    while end - start > most:
        at = max(text.rfind("\n", start + 1, start + most), text.rfind(" ", start + most // 2, start + most))
        at = at if at > start else start + most
        yield start, at
        start = at + (len(text[at : at + 80]) - len(text[at : at + 80].lstrip()))
    yield start, end

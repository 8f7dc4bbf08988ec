"""Two texts of a paper in rows: what says the same stands side by side.

Blocks are compared by what they keep in every language, and put beside each other in the manner of Gale and Church:
the best path through both texts, in order.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from html import unescape

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.text import CJK

# Blocks of each of two texts that are put side by side by what they say; a paper has 500. The time grows with both:
# two texts of this many blocks take a third of a second.
ALIGNED_BLOCKS = 1_500
# Numbers, names and formulas of a block that are compared; more do not make it easier to recognise.
BLOCK_MARKS = 60
Numbers = NDArray[np.floating]

_KINDS = [
    ("heading", re.compile(r"<h[2-6]\b")),
    ("formula", re.compile(r'<div class="formula"|<p[^<>]*><math [^<>]*display="block"')),
    ("picture", re.compile(r'<p[^<>]*>(?:<img |<span class="no-image">)')),
    ("table", re.compile(r'<div class="scroll-x"')),
    ("code", re.compile(r'<div class="code"|<pre\b')),
    ("notes", re.compile(r'<section class="footnotes"')),
]
# Formulas are not nested, and no text between their tags has a bare "<".
_FORMULA = re.compile(r"<math\b(?:(?!<math\b).)*?</math>", re.DOTALL)
_PICTURE = re.compile(r'<img src="([^"]*)"')
_TAG = re.compile(r"<[^<>]*>")
_SPACE_AND_PUNCTUATION = re.compile(r"[\s.,;:\u2009\u200a]+")
_NUMBER_OR_NAME = re.compile(r"\d+(?:[.,]\d+)*|[a-zà-ɏ][a-zà-ɏ0-9-]{2,}")
_CJK = re.compile(f"[{CJK}]")
# A character of Chinese, Japanese or Korean says as much as three letters.
_CJK_LETTERS = 3
# What it is worth to put two blocks of a kind beside each other. bench.quality.alignment measures what these do.
_KIND_WORTH = {"heading": 3.0, "text": 0.5}
# Length: this much if they are equally long, less by the square of the difference, in standard deviations.
_LENGTH_WORTH = 3.0
_MOST_LENGTH_LOSS = 1.5
# Gale and Church measured 6.8 for sentences; whole paragraphs differ more.
_VARIANCE_PER_LETTER = 18.0
# Marks that both have: a picture, a formula of some length, a word or number. Each is worth the less, the more blocks
# have it, and nothing if it is everywhere.
_PICTURE_WORTH = 5.0
_FORMULA_WORTH = 2.0
_FORMULA_LETTERS = 10
_MOST_MARKS_WORTH = 8.0
_COMMON = 36

_STEPS = [(1, 1), (1, 2), (2, 1), (1, 0), (0, 1)]
_ONE_TO_ONE, _ONE_TO_TWO, _TWO_TO_ONE, _LEFT_ALONE, _RIGHT_ALONE = range(5)
# A side of this many letters fits every window, so it can stay in view while the longer one is read.
_FITS_LETTERS = 900


class BlockTraits(Struct, frozen=True):
    """What a block keeps in every language: its kind, its length, its numbers, names, formulas and pictures."""

    kind: str
    length: int
    marks: frozenset[str]

    @property
    def is_text(self) -> bool:
        return self.kind == "text"


class Side(Struct, frozen=True):
    """The blocks of one text in a row."""

    html: str
    stays_in_view: bool


class SideBySideRow(Struct, frozen=True):
    left: Side
    right: Side


# Keyed by the texts themselves. A row holds its HTML again, so only a few are kept.
@lru_cache(maxsize=16)
def rows(left: tuple[str, ...], right: tuple[str, ...]) -> list[SideBySideRow]:
    """The blocks of two rendered texts, aligned."""
    first, second = [block_traits(block) for block in left], [block_traits(block) for block in right]
    return [
        SideBySideRow(_side(left, first, row.left), _side(right, second, row.right))
        for row in joined(align(first, second), first, second)
    ]


def _side(blocks: Sequence[str], traits: Sequence[BlockTraits], shown: range) -> Side:
    lengths = sum(traits[number].length for number in shown)
    small = all(traits[number].kind in ("heading", "text", "formula") for number in shown)
    return Side("".join(blocks[number] for number in shown), small and lengths <= _FITS_LETTERS)


def block_traits(block: str) -> BlockTraits:
    """Read a block of rendered HTML."""
    kind = next((name for name, pattern in _KINDS if pattern.match(block)), "text")
    formulas = ["=" + _plain(formula) for formula in _FORMULA.findall(block)]
    words = unescape(_TAG.sub(" ", _FORMULA.sub(" ", block))).casefold()
    length = sum(map(len, words.split())) + sum(map(len, formulas)) + (_CJK_LETTERS - 1) * len(_CJK.findall(words))
    found = [*_PICTURE.findall(block), *formulas, *map(_plain, _NUMBER_OR_NAME.findall(words))]
    return BlockTraits(kind, length, frozenset(list(dict.fromkeys(found))[:BLOCK_MARKS]))


def _plain(text: str) -> str:
    """Without what differs between languages: 1,039 and 1.039; a formula that ends its sentence or not."""
    return _SPACE_AND_PUNCTUATION.sub("", _TAG.sub("", text))


class AlignedRow(Struct, frozen=True):
    """Blocks that stand beside each other, as ranges of both texts; one of them may be empty."""

    left: range
    right: range


def align(left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> list[AlignedRow]:
    """Both texts in order, every block in one row. What comes after the limit is one last row."""
    first, second = left[:ALIGNED_BLOCKS], right[:ALIGNED_BLOCKS]
    steps = _best_steps(first, second)
    rows: list[AlignedRow] = []
    row, column = len(first), len(second)
    while row or column:
        taken, beside = _STEPS[steps[row, column]]
        rows.append(AlignedRow(range(row - taken, row), range(column - beside, column)))
        row, column = row - taken, column - beside
    rows.reverse()
    if len(left) > len(first) or len(right) > len(second):
        rows.append(AlignedRow(range(len(first), len(left)), range(len(second), len(right))))
    return rows


def joined(rows: Sequence[AlignedRow], left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> list[AlignedRow]:
    """The rows with blocks that stand alone added to the row before them; a section of its own stays alone."""
    found: list[AlignedRow] = []
    for row in rows:
        previous = found[-1] if found else row
        alone, before, text = (row.left, previous.left, left) if row.left else (row.right, previous.right, right)
        stays = (row.left and row.right) or not before or text[alone.start].kind == "heading"
        if stays or previous is row:
            found.append(row)
        else:
            left_range = range(previous.left.start, row.left.stop)
            found[-1] = AlignedRow(left_range, range(previous.right.start, row.right.stop))
    return found


def _best_steps(left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> NDArray[np.int8]:
    """For each pair of places in the two texts, the last step of the best way there."""
    width = len(right) + 1
    steps = np.full((len(left) + 1, width), _RIGHT_ALONE, dtype=np.int8)
    worth = _Worth(left, right)
    before_last, last = np.full(width, -np.inf, np.float32), np.zeros(width, np.float32)
    for row in range(1, len(left) + 1):
        ways = np.full((4, width), -np.inf, dtype=np.float32)
        ways[_LEFT_ALONE] = last
        ways[_ONE_TO_ONE, 1:] = last[:-1] + worth.one_to_one(row - 1)
        ways[_ONE_TO_TWO, 2:] = last[:-2] + worth.one_to_two(row - 1)
        if row > 1:
            ways[_TWO_TO_ONE, 1:] = before_last[:-1] + worth.two_to_one(row - 1)
        best = ways.max(axis=0)
        # A way may also come from the left, over blocks that stand alone in the right text.
        reached = np.maximum.accumulate(best)
        steps[row] = np.where(best >= reached, ways.argmax(axis=0), _RIGHT_ALONE)
        before_last, last = last, reached
    return steps


class _Worth:
    """What it is worth to put blocks beside each other: a row of numbers, one for each block of the right text."""

    def __init__(self, left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> None:
        kinds = {kind: number for number, kind in enumerate({block.kind for block in [*left, *right]})}
        self._left_kinds = np.array([kinds[block.kind] for block in left])
        self._right_kinds = np.array([kinds[block.kind] for block in right])
        self._kind_worth = [_KIND_WORTH.get(block.kind, 0.0) for block in left]
        self._left_text = [block.is_text for block in left]
        self._right_text = np.array([block.is_text for block in right], dtype=bool)
        self._left_lengths = np.array([block.length for block in left], dtype=np.float32)
        self._right_lengths = np.array([block.length for block in right], dtype=np.float32)
        self._marks = _shared_marks(left, right)
        # A heading is known by what follows it up to the next.
        rows = [number for number, block in enumerate(left) if block.kind == "heading"]
        columns = [number for number, block in enumerate(right) if block.kind == "heading"]
        if rows and columns:
            shared = np.add.reduceat(np.add.reduceat(self._marks, rows, axis=0), columns, axis=1)
            self._marks[np.ix_(rows, columns)] += np.minimum(shared, _MOST_MARKS_WORTH)

    def one_to_one(self, row: int) -> Numbers:
        marks = np.minimum(self._marks[row], _MOST_MARKS_WORTH)
        worth = self._kind_worth[row] + marks + _length_worth(self._left_lengths[row], self._right_lengths)
        return np.where(self._right_kinds == self._left_kinds[row], worth, -np.inf)

    def one_to_two(self, row: int) -> Numbers:
        if not self._left_text[row]:
            return np.full(max(0, len(self._right_text) - 1), -np.inf, dtype=np.float32)
        marks = np.minimum(self._marks[row, 1:] + self._marks[row, :-1], _MOST_MARKS_WORTH)
        lengths = self._right_lengths[1:] + self._right_lengths[:-1]
        worth = _KIND_WORTH["text"] + marks + _length_worth(self._left_lengths[row], lengths)
        return np.where(self._right_text[1:] & self._right_text[:-1], worth, -np.inf)

    def two_to_one(self, row: int) -> Numbers:
        if not (self._left_text[row] and self._left_text[row - 1]):
            return np.full(len(self._right_text), -np.inf, dtype=np.float32)
        marks = np.minimum(self._marks[row] + self._marks[row - 1], _MOST_MARKS_WORTH)
        lengths = self._left_lengths[row] + self._left_lengths[row - 1]
        worth = _KIND_WORTH["text"] + marks + _length_worth(lengths, self._right_lengths)
        return np.where(self._right_text, worth, -np.inf)


def _length_worth(length: np.floating, others: Numbers) -> Numbers:
    deviations = (length - others) ** 2 / (_VARIANCE_PER_LETTER * (length + others + 2) / 2)
    return _LENGTH_WORTH - np.minimum(deviations / 2, _MOST_LENGTH_LOSS)


def _shared_marks(left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> Numbers:
    """What the marks that two blocks share are worth, for all pairs; marks that are everywhere say nothing."""
    worth = np.zeros((len(left), len(right)), dtype=np.float32)
    places: dict[str, list[int]] = defaultdict(list)
    for column, block in enumerate(right):
        for mark in block.marks:
            places[mark].append(column)
    count = Counter(mark for block in left for mark in block.marks)
    for row, block in enumerate(left):
        for mark in block.marks & places.keys():
            commonness = count[mark] * len(places[mark])
            if commonness <= _COMMON:
                worth[row, places[mark]] += _mark_worth(mark) / commonness**0.5
    return worth


def _mark_worth(mark: str) -> float:
    if mark.startswith("="):
        return _FORMULA_WORTH * min(1, len(mark) / _FORMULA_LETTERS)
    return _PICTURE_WORTH if mark.startswith("/") else 1.0

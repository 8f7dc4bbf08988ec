"""Which blocks of two texts say the same, in the manner of Gale and Church: the best path through both, in order."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore import limits
from papers.texts.block_traits import BlockTraits

Numbers = NDArray[np.floating]

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


class AlignedRow(Struct, frozen=True):
    """Blocks that stand beside each other, as ranges of both texts; one of them may be empty."""

    left: range
    right: range


def align(left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> list[AlignedRow]:
    """Both texts in order, every block in one row. What comes after the limit is one last row."""
    first, second = left[: limits.ALIGNED_BLOCKS], right[: limits.ALIGNED_BLOCKS]
    rows = _walk_back(_best_steps(first, second))
    if len(left) > len(first) or len(right) > len(second):
        rows.append(AlignedRow(range(len(first), len(left)), range(len(second), len(right))))
    return rows


def _walk_back(steps: NDArray[np.int8]) -> list[AlignedRow]:
    found = []
    row, column = steps.shape[0] - 1, steps.shape[1] - 1
    while row or column:
        left, right = _STEPS[steps[row, column]]
        found.append(AlignedRow(range(row - left, row), range(column - right, column)))
        row, column = row - left, column - right
    return found[::-1]


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
        self._add_sections(left, right)

    def _add_sections(self, left: Sequence[BlockTraits], right: Sequence[BlockTraits]) -> None:
        """A heading is known by what follows it up to the next."""
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

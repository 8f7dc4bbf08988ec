"""Formulas in a text, `$...$` and `$$...$$`, which an excerpt must not cut in two."""

import re
from collections.abc import Iterator
from typing import Protocol, TypeVar

# A price is not a formula: inside single signs, the first and the last character are not blank.
_FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?=[^\s$])(?:\\.|[^$\\])*?(?<=[^\s\\])\$(?!\d)", re.DOTALL)
# A formula ends with its paragraph at the latest, and none is longer than this.
_PARAGRAPH = "\n\n"
CHARS = 2_000


class _Span(Protocol):
    @property
    def start(self) -> int: ...


Place = TypeVar("Place", bound=_Span)


def uncut(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """The excerpt from start to end, adjusted so that it cuts no formula in two.

    A formula at an edge is included if that takes no more than `room` characters, otherwise left out.
    """
    if "$" not in text:
        return start, end
    for first, last in _formulas_around(text, start, end):
        if first < start < last:
            start = first if start - first <= room else last
        if first < end < last:
            end = last if last - end <= room else max(first, start)
    return start, max(start, end)


def outside(text: str, start: int, end: int, marks: list[Place]) -> list[Place]:
    """The marks in an excerpt that are in no formula, which a mark would break."""
    if not marks or text.find("$", start, end) < 0:
        return marks
    inside = [match.span() for match in _FORMULA.finditer(text, start, end)]
    return [mark for mark in marks if not any(first <= mark.start < last for first, last in inside)]


def _formulas_around(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    earliest = max(0, start - CHARS)
    begin = max(text.rfind(_PARAGRAPH, earliest, start), earliest)
    stop = text.find(_PARAGRAPH, end, end + CHARS)
    stop = stop if stop >= 0 else end + CHARS
    if text.find("$", begin, stop) < 0:  # far cheaper than the pattern
        return
    for match in _FORMULA.finditer(text, begin, stop):
        if match.start() >= end:
            return
        yield match.span()

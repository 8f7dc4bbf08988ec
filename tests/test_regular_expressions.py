"""No text makes a regular expression of the project slow: the time of each grows with the text, not faster."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any  # a pattern of text or bytes

import pytest

from papercore.rendering.slow import TooSlow
from tests.growth import grows_too_fast, seconds
from tests.regular_expressions import PACKAGES, Expression, expressions, hostile_texts

SIZE = 1_000
# What a linear expression never takes for a text of that size, and one that tries again from every place always does.
SUSPICIOUS_SECONDS = 0.000_3


@cache
def collected() -> list[Expression]:
    return expressions()


def test_expressions_of_every_package_are_found() -> None:
    places = {expression.place.partition(".")[0] for expression in collected()}
    assert places >= set(PACKAGES) - {"searches"}
    assert any(":" in expression.place for expression in collected()), "none that is written where it is used"


@pytest.mark.parametrize("part", range(4))
def test_no_regular_expression_grows_faster_than_its_text(part: int) -> None:
    first_cases = ((item.place, next(_slow_cases(item), "")) for item in collected()[part::4])
    assert not [f"{place}: {case}" for place, case in first_cases if case]


def _slow_cases(expression: Expression) -> Iterator[str]:
    for method in expression.methods or {"search"}:
        run = _runner(expression.pattern, method)
        for head, part, end in sorted(hostile_texts(expression.pattern)):
            text = partial(_repeated, head, part, end)
            if _is_quick(run, text(SIZE)):
                continue
            # Up to its bound, a bounded repetition grows as an unbounded one does; four times further it is linear.
            if grows_too_fast(run, text, SIZE) and (times := grows_too_fast(run, text, 4 * SIZE, least_attempts=4)):
                yield f"{method} of {head!r}, then {part!r} often, then {end!r}: {times}"


def _is_quick(run: Callable[[str], object], text: str) -> bool:
    try:
        return seconds(run, text) < SUSPICIOUS_SECONDS
    except TooSlow:
        return False


def _repeated(head: str, part: str, end: str, size: int) -> str:
    return head + part * (size // len(part) + 1) + end


def _runner(pattern: re.Pattern[Any], method: str) -> Callable[[str], object]:
    is_bytes = isinstance(pattern.pattern, bytes)
    function = getattr(pattern, method)
    more = (b"" if is_bytes else "",) if method in ("sub", "subn") else ()

    def run(text: str) -> object:
        result = function(*more, text.encode("latin-1", "replace") if is_bytes else text)
        return list(result) if method == "finditer" else result

    return run


@pytest.mark.parametrize(
    ("pattern", "method"),
    [(r"[ \t]+#+[ \t]*$", "sub"), (r"^\s*[-*]\s+\[", "search"), (r"\s*(.+?)\**\s*$", "match"), (r"<[^>]*>", "findall")],
)
def test_a_slow_expression_would_be_noticed(pattern: str, method: str) -> None:
    assert next(_slow_cases(Expression("here", re.compile(pattern, re.MULTILINE), {method})), "")

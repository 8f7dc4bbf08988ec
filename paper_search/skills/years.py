"""Reads years in a question: `since 2018`, `between 2010 and 2015`, `the last five years`."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

_YEAR = r"((?:19|20)\d\d)"
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_RANGE = re.compile(
    rf"\b(?:(?:from|between|in|during)\s+)?{_YEAR}\s*(?:-|–|—|to|and|until|till|through|\.\.)\s*{_YEAR}\b", re.I
)
_SINCE = re.compile(
    rf"\b(?:published\s+)?(?:(since|from|starting(?:\s+in)?)|(after|later\s+than|newer\s+than))\s+{_YEAR}\b", re.I
)
_UNTIL = re.compile(
    rf"\b(?:published\s+)?(?:(until|till|up\s+to|through)|(before|prior\s+to|older\s+than))\s+{_YEAR}\b", re.I
)
_OR_LATER = re.compile(rf"\b{_YEAR}\s*(?:\+|onwards?|or\s+(?:later|newer)|and\s+(?:later|newer))", re.I)
_IN = re.compile(rf"\b(?:published\s+)?(?:in|of|during)\s+{_YEAR}\b", re.I)
_LAST = re.compile(
    r"\b(?:(?:in|over|from|during|within)\s++)?(?:the\s++)?(?:last|past)\s++"
    rf"(?:(\d{{1,2}}|{'|'.join(_NUMBERS)}|few)\s*+)?(years?|decade)\b",
    re.I,
)


@dataclass(frozen=True)
class YearRange:
    first: int | None = None
    last: int | None = None
    rest: str = ""


def read_years(text: str, this_year: int | None = None) -> YearRange:
    """The years that the text names, and the text without those words."""
    now = this_year or datetime.now(UTC).year
    if match := _RANGE.search(text):
        years = int(match[1]), int(match[2])
        return YearRange(min(years), max(years), _without(text, match))
    if match := _LAST.search(text):
        return YearRange(now - _span(match), None, _without(text, match))
    if match := _OR_LATER.search(text):
        return YearRange(int(match[1]), None, _without(text, match))
    if match := _IN.search(text):
        return YearRange(int(match[1]), int(match[1]), _without(text, match))
    first = last = None
    if match := _SINCE.search(text):
        first = int(match[3]) + bool(match[2])
        text = _without(text, match)
    if match := _UNTIL.search(text):
        last = int(match[3]) - bool(match[2])
        text = _without(text, match)
    return YearRange(first, last, text)


def _span(match: re.Match[str]) -> int:
    if match[2].lower() == "decade":
        return 10
    word = (match[1] or "1").lower()
    return _NUMBERS.get(word) or (3 if word == "few" else int(word))


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " + text[match.end() :]

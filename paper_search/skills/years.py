"""Reads years in a text: `since 2018`, `2009-2014`, `before 2005`, `in the 1990s`, `the last three years`."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct

# Texts have single blanks when they get here, so the patterns repeat nothing and take linear time.
_YEAR = r"(?<!\d)((?:19|20)\d\d)(?!\d)"
_MONTHS = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
_MONTH = rf"(?:(?P<month>{_MONTHS}|nov(?:ember)?|dec(?:ember)?|early|mid|late)\.?[ -](?:of )?)?"
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)}|fifteen|twenty)"
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}
# What a text takes the place of that was understood.
TAKEN = " | "


class YearRange(Struct, frozen=True):
    """`rest` is the text without the words that named the years."""

    first: int | None = None
    last: int | None = None
    rest: str = ""


def _range(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    years = [int(year) for year in re.findall(r"(?:19|20)\d\d", found[0])]
    return min(years), max(years)


def _since(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    return int(found[found.lastindex or 1]), None


def _after(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    """After 2020 is from 2021 on; after March 2020 is from 2020 on."""
    return int(found[found.lastindex or 1]) + (not found["month"]), None


def _until(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    return None, int(found[found.lastindex or 1])


def _before(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    return None, int(found[found.lastindex or 1]) - (not found["month"])


def _decade(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    named = found["decade"].lower()
    digits = named.removesuffix("s").strip("'")
    first = _DECADES.get(named) or (int(digits) if len(digits) == 4 else 1900 + int(digits))
    start, end = {"early": (0, 3), "mid": (4, 6), "late": (6, 9)}.get((found["part"] or "").lower(), (0, 9))
    return first + start, first + end


def _span(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    word = (found.groupdict().get("count") or "ten").lower()
    others = {"fifteen": 15, "twenty": 20}
    return now - (int(word) if word.isdecimal() else others.get(word) or _NUMBERS.index(word) + 1), None


def _this_year(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    return now, now


def _last_year(found: re.Match[str], now: int) -> tuple[int | None, int | None]:
    return now - 1, now - 1


# Each rule is tried in turn on what the others left; the first that names the one end of the range decides it.
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], tuple[int | None, int | None]]], ...] = tuple(
    (re.compile(pattern, re.I), read)
    for pattern, read in (
        (
            rf"(?:\b(?:from|between|in|during|published) )?(?:the years? )?{_YEAR}"
            rf"(?: ?[-–—] ?| (?:to|and|until|through) ){_YEAR}",
            _range,
        ),
        (rf"(?:\b(?:from|since) )?{_YEAR} ?(?:-|–|—|to|until) ?(?:the )?(?:present|now|today|date)\b", _since),
        (
            r"\b(?:in |from |during |of )?the (?:(?P<part>early|mid|late)[- ])?"
            rf"(?P<decade>(?:19|20)\d0s|'?[5-9]0s|{'|'.join(_DECADES)})\b",
            _decade,
        ),
        (
            r"\b(?:(?:in|over|from|during|within|of) )?(?:the )?(?:last|past|previous) "
            rf"(?:{_COUNT} years|decade)\b",
            _span,
        ),
        (rf"\b(?:no|not) (?:older|more) than {_COUNT} years(?: old)?\b", _span),
        (r"\b(?:published |from |of )?this year\b", _this_year),
        (r"\b(?:published |from |of )?last year(?:'s)?\b", _last_year),
        (
            rf"(?:\b(?:from|starting(?: in)?|as of) )?{_YEAR} ?(?:\+|onwards?\b|(?:or|and) (?:later|newer|after)\b)",
            _since,
        ),
        (rf"\bfrom {_YEAR} on\b", _since),
        (rf"(?:≥|>=) ?{_YEAR}", _since),
        (
            r"\b(?:published )?(?:since|starting (?:in|from)|as of|(?:not|no) (?:older|earlier) than"
            rf"|(?:not|nothing) before) {_MONTH}{_YEAR}",
            _since,
        ),
        (rf"\b(?:published )?(?:after|later than|newer than|post-?) ?{_MONTH}{_YEAR}", _after),
        (rf"(?:≤|<=) ?{_YEAR}", _until),
        (rf"\b(?:published )?(?:until|till|up to|(?:no|not) later than|not after) {_MONTH}{_YEAR}", _until),
        (rf"\b(?:published )?(?:before|prior to|older than|earlier than|pre-?) ?{_MONTH}{_YEAR}", _before),
        (rf"\b(?:published )?(?:in|during) (?:the year )?{_MONTH}{_YEAR}(?![-/]\d)", _range),
        (rf"\bonly {_YEAR}\b|{_YEAR} only\b|\({_YEAR}\)", _range),
    )
)


def read_years(text: str, this_year: int | None = None) -> YearRange:
    """The years that the text names plainly; any other number is left in it."""
    now = this_year or datetime.now(UTC).year
    rest, first, last = text, None, None
    for pattern, read in _RULES:
        found = pattern.search(rest)
        if not found:
            continue
        begin, end = read(found, now)
        if (begin and first) or (end and last):
            continue
        first, last = first or begin, last or end
        rest = f"{rest[: found.start()]}{TAKEN}{rest[found.end() :]}"
    if first and last and first > last:
        return YearRange(rest=text)
    return YearRange(first, last, rest)

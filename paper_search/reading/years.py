"""Reads years in a text: `since 2018`, `nothing before 2005`, `drop 2015 and earlier`, `2009-2014`, `the last decade`.

A comparative says which end of the range a time sets and whether the time itself is inside; a negation before it turns
both round. So `no later than 2016` is what is not `later than 2016`: 2016 and everything before.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

# What a text takes the place of that was read.
TAKEN = " | "
# Where one thought ends and the next begins.
BREAK = re.compile(
    r"[,;.!?|)\]](?=[\s,;.!?|)\]]|$)|(?<!\w)[(\[]|:(?=\s)|(?<=\s)[-–]{1,2}(?=\s)|—|\n"
    r"|(?:^|(?<=\s)(?<!thing )(?<!all ))but(?=\s)"
)

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "fifteen", "twenty")
_COUNTS = dict(zip(_NUMBERS, (*range(1, 11), 15, 20), strict=True))
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}
_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (6, 9)}
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
# Texts have single blanks when they get here, so the patterns take linear time.
_FOUR = r"(?<!\d)(?:19|20)\d\d(?!\d)"
_YEAR = rf"(?:(?P<month>{_MONTHS}|early|mid|late)\.?[ -](?:of )?)?(?P<year>{_FOUR})(?!'?s)年?"
_DECADE = rf"(?:(?P<part>early|mid|late)[- ])?(?P<decade>(?:19|20)\d0s|'?[5-9]0s|{'|'.join(_DECADES)})(?!\w)"
_TIME = rf"(?:the )?(?:{_YEAR}|{_DECADE})"
_AGE = rf"(?P<age>\d{{1,2}}|{'|'.join(_NUMBERS)}) years(?: old| ago)?(?!\w)"

_NEGATION = (
    r"(?<!\w)(?:no|not|none|nothing|never|without|except(?: for)?|exclud(?:e|ing)|drop|skip|ignore|reject|remove|omit"
    r"|hide|avoid|leave out|(?:don't|do not) (?:want|need|show|include|care (?:for|about))|nichts?|keine?|pas|rien|nada"
    r"|不要)"
)
# Words between a negation and what it negates that change nothing.
_FILLER = (
    r"(?: (?:me|any|anything|everything|all|those|ones|papers|articles|works?|stuff|studies|arbeiten|that|which|are"
    r"|were|published|written|dated|from|to see))*"
)
_NOT = rf"(?P<not>{_NEGATION}{_FILLER} ?)?(?:(?<!\w)(?:published|written|dated|from|de|von) )?"
# Thoughts that name a time without asking for it: `I have read all before 2015`, `no surveys since 2018`; and what
# makes a statement of one: `before 2015 is too old`.
_OTHERWISE = re.compile(
    rf"^(?:please |and |so |also ){{0,2}}(?:{_NEGATION}|fewer|less|too (?:many|much|few)) "
    r"|\b(?:i|we|i've|we've)(?: have)?(?: already)? (?:know|read|seen|saw|have)\b",
    re.I,
)
_STATEMENT = re.compile(r" ?(?:is|are|was|were|isn't|aren't|seems?|would|should)\b", re.I)


class YearRange(Struct, frozen=True):
    """`rest` is the text without the words that named the years, or named a time that sets no range."""

    first: int | None = None
    last: int | None = None
    rest: str = ""
    not_understood: tuple[str, ...] = ()


class Rule(Struct, frozen=True):
    """Words that name a time, and the end of the range that they set; `inside` if the time belongs to the range."""

    end: Literal["first", "last", "both"]
    inside: bool
    pattern: re.Pattern[str]

    def bounds(self, found: re.Match[str], now: int) -> tuple[int | None, int | None]:
        """From here on, up to here, or both; nothing where a single time is excluded, which no range can say."""
        begin, last, is_part = _time(found.groupdict(), now)
        end, inside = self.end, self.inside
        if found.groupdict().get("not"):
            end, inside = _OPPOSITE[end], not inside
        if end == "first":
            # Part of a year is inside, whatever is said of the rest of it.
            return (begin if inside or is_part else last + 1), None
        if end == "last":
            return None, (last if inside or is_part else begin - 1)
        return (begin, last) if inside else (None, None)


_OPPOSITE: dict[str, Literal["first", "last", "both"]] = {"first": "last", "last": "first", "both": "both"}


def _before(words: str, time: str = _TIME) -> re.Pattern[str]:
    """Words that stand before a time, as `since` does."""
    return re.compile(rf"{_NOT}(?<!\w)(?:{words}) ?(?:(?:at least|the year) )?{time}", re.I)


def _behind(words: str) -> re.Pattern[str]:
    """Words that stand behind it, as `or later` does."""
    return re.compile(rf"{_NOT}(?:(?<!\w)(?:in|since|ab) )?{_TIME} ?(?:{words})", re.I)


def _exactly(words: str) -> re.Pattern[str]:
    return re.compile(_NOT + words, re.I)


# Each is tried in turn on what the others left; the first that names the one end of the range decides it.
_RULES = (
    Rule("first", True, _behind(r"(?:-|–|—|(?:up )?to\b|until\b) ?(?:the )?(?:present|now|today|date)\b")),
    Rule(
        "both",
        True,
        _exactly(
            rf"(?:(?<!\w)(?:between|in|during|zwischen|entre) )?(?:the years? )?(?P<begin>{_FOUR})"
            r"(?: ?(?:\.{2,3}|[-–—~]) ?|年?[至到]| (?:to|and|until|through|bis|und|à|et|a|y|hasta) )"
            rf"(?P<end>{_FOUR})年?"
        ),
    ),
    Rule(
        "first",
        True,
        re.compile(
            r"\b(?:in |over |from |during |within |of )?(?:the )?(?:last|past|previous) "
            rf"(?:{_AGE}|(?P<ten>decade)\b)",
            re.I,
        ),
    ),
    Rule("both", True, re.compile(r"\b(?:published |from |of )?(?P<named>this|last) year\b(?:'s)?", re.I)),
    # Nobody counts the days of an age: its bound is always inside.
    Rule("last", True, _before(r"(?:older|more) than", _AGE)),
    Rule("first", True, _before(r"(?:newer|younger|less) than", _AGE)),
    Rule("first", True, _behind(r"(?:(?:or|and) (?:later|newer|after)|onwards?|at the earliest)\b")),
    Rule("first", True, _behind(r"\+|on(?= *(?:$|[,;.|]))|en adelante\b|以[后後来來]|之[后後]|至今")),
    Rule("last", True, _behind(r"(?:(?:or|and) (?:earlier|older|before)|at the latest)\b(?! \d)")),
    Rule("last", False, _behind(r"以前|之前")),
    Rule("first", True, _before(r"since|starting (?:in|from)|as of|at least|≥|>=")),
    Rule("first", True, _before(r"seit|ab|depuis|[àa] partir d[eu]|desde")),
    Rule("first", False, _before(r"after|(?:later|newer|younger|more recent) than|post-?|nach|apr[èe]s|despu[ée]s de")),
    Rule("last", True, _before(r"until|till|up to(?: and including)?|at most|≤|<=|bis|jusqu'(?:en|à)|hasta")),
    Rule("last", False, _before(r"before|(?:older|earlier) than|prior to|pre-?|vor|avant|antes de")),
    Rule("both", True, _exactly(rf"(?:(?<!\w)(?:in|during|of) )?the {_DECADE}")),
    Rule("both", True, _exactly(rf"(?<!\w)(?:in|during|en|only) (?:the year )?{_YEAR}(?![-/]\d)")),
    Rule("both", True, _exactly(rf"(?P<year>{_FOUR}) only\b")),
    Rule("both", True, _exactly(rf"(?:\(|在?)(?P<year>{_FOUR})(?:\)|年)")),
)


def read_years(text: str, this_year: int | None = None) -> YearRange:
    """The range that the text names plainly; any other number is left in it."""
    now = this_year or datetime.now(UTC).year
    rest, first, last = text, None, None
    told: list[str] = []
    for rule in _RULES:
        found = rule.pattern.search(rest)
        if not found:
            continue
        begin, end = rule.bounds(found, now)
        start, stop = _thought(rest, found)
        says_otherwise = _OTHERWISE.search(rest[start : found.start()].lstrip()) or _STATEMENT.match(
            rest[found.end() : stop]
        )
        if says_otherwise or (begin is None and end is None):
            told.append(rest[start:stop].strip())
            rest = f"{rest[:start]}{TAKEN}{rest[stop:]}"
        elif not (begin and first) and not (end and last):
            first, last = first or begin, last or end
            rest = f"{rest[: found.start()]}{TAKEN}{rest[found.end() :]}"
    if first and last and first > last:
        return YearRange(rest=text)
    return YearRange(first, last, rest, tuple(told))


def _time(named: Mapping[str, str | None], now: int) -> tuple[int, int, bool]:
    """The first and the last year of a time, and whether it is only part of a year."""
    if named.get("begin") and named.get("end"):
        years = sorted((int(named["begin"] or 0), int(named["end"] or 0)))
        return years[0], years[1], False
    if age := (named.get("age") or named.get("ten") or "").lower():
        year = now - (10 if age == "decade" else int(age) if age.isdecimal() else _COUNTS[age])
        return year, year, True
    if decade := (named.get("decade") or "").lower():
        digits = decade.removesuffix("s").strip("'")
        begin = _DECADES.get(decade) or (int(digits) if len(digits) == 4 else 1900 + int(digits))
        start, end = _PARTS.get((named.get("part") or "").lower(), (0, 9))
        return begin + start, begin + end, False
    year = int(named["year"] or 0) if named.get("year") else now - ((named.get("named") or "").lower() == "last")
    return year, year, bool(named.get("month"))


def _thought(text: str, found: re.Match[str]) -> tuple[int, int]:
    """Where the thought that a match stands in begins and ends."""
    breaks = [(0, 0), *(between.span() for between in BREAK.finditer(text)), (len(text), len(text))]
    start = max(end for _, end in breaks if end <= found.start())
    return start, min(begin for begin, _ in breaks if begin >= found.end())

"""Reads years in a question, in six languages: `since 2018`, `post-2020`, `in the 1990s`, `seit 2019`, `2019年以来`."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct

from papercore.text import KANA

# Texts have single blanks when they get here, so the patterns repeat nothing and take linear time.
_YEAR = r"(?<!\d)((?:19|20)\d\d)(?!\d)"
_MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet "
    "août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre early mid late beginning end anfang mitte ende début fin"
)
_MONTH = rf"(?:(?:the )?(?P<month>{'|'.join(_MONTHS.split())})\.? (?:of |de |del )?)?"
_NUMBER_WORDS = {
    1: "one a ein une un uno 一",
    2: "two couple zwei deux dos 两 二",
    3: "three few several drei trois tres 三 数 几",
    4: "four vier quatre cuatro 四",
    5: "five fünf cinq cinco 五",
    6: "six sechs seis 六",
    7: "seven sieben sept siete 七",
    8: "eight acht huit ocho 八",
    9: "nine neun neuf nueve 九",
    10: "ten zehn dix diez 十",
    15: "fifteen fünfzehn quinze quince 十五",
    20: "twenty zwanzig vingt veinte 二十",
}
NUMBERS = {word: number for number, names in _NUMBER_WORDS.items() for word in names.split()}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(sorted(NUMBERS, key=lambda word: -len(word)))})"
_SEPARATOR = (
    "(?: ?(?:-|–|—|~|〜|\\.\\.) ?| (?:to|and|until|till|through|bis|und|à|et|a|y|al|hasta) |年?(?:至|到|から|-|~|〜))"
)
_NOW = "present|now|today|date|heute|jetzt|aujourd'hui|maintenant|hoy|la actualidad|ahora"


class YearRange(Struct, frozen=True):
    first: int | None = None
    last: int | None = None
    rest: str = ""


def _range(found: re.Match[str], now: int) -> YearRange:
    years = [int(year) for year in re.findall(_YEAR, found[0])]
    return YearRange(min(years), max(years))


def _since(found: re.Match[str], now: int) -> YearRange:
    return YearRange(int(found[found.lastindex or 1]))


def _after(found: re.Match[str], now: int) -> YearRange:
    """After 2020 is from 2021 on; after March 2020 is from 2020 on."""
    return YearRange(int(found[found.lastindex or 1]) + (not found.groupdict().get("month")))


def _until(found: re.Match[str], now: int) -> YearRange:
    return YearRange(None, int(found[found.lastindex or 1]))


def _before(found: re.Match[str], now: int) -> YearRange:
    return YearRange(None, int(found[found.lastindex or 1]) - (not found.groupdict().get("month")))


def _decade(found: re.Match[str], now: int) -> YearRange:
    digits = found["decade"]
    first = int(digits) if len(digits) == 4 else (2000 if int(digits) < 30 else 1900) + int(digits)
    part = (found.groupdict().get("part") or "").lower()
    start, end = {"early": (0, 3), "mid": (4, 6), "late": (6, 9)}.get(part, (0, 9))
    open_end = found.groupdict().get("open")
    return YearRange(first + start, None if open_end else first + end)


def _span(found: re.Match[str], now: int) -> YearRange:
    groups = found.groupdict()
    if groups.get("decade"):
        return YearRange(now - 10)
    word = (groups.get("count") or "1").lower()
    return YearRange(now - (NUMBERS.get(word) or int(word)))


def _this_year(found: re.Match[str], now: int) -> YearRange:
    return YearRange(now, now)


def _last_year(found: re.Match[str], now: int) -> YearRange:
    return YearRange(now - 1, now - 1)


Rule = tuple[re.Pattern[str], Callable[[re.Match[str], int], YearRange]]


def _rules(*rules: tuple[str, Callable[[re.Match[str], int], YearRange]]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern, re.I), read) for pattern, read in rules)


# The first rule that matches decides.
_WHOLE = _rules(
    (
        rf"(?:\b(?:in|from|of|aus|en|de|von) )?{_YEAR}(?:(?:, (?:or |and )?| and | or | oder | ou | o |/|、|或|か"
        rf"|または)"
        rf"{_YEAR}){{1,4}}年?",
        _range,
    ),
    (
        rf"(?:\b(?:from|between|in|during|von|zwischen|aus|entre|de|desde|del) )?(?:the years? )?{_YEAR}{_SEPARATOR}"
        rf"{_YEAR}年?(?:まで|之间|期间|の間)?",
        _range,
    ),
    (rf"(?:\b(?:from|since) )?{_YEAR} ?(?:-|–|—|to|until|till|bis|à|a|hasta) ?(?:the )?(?:{_NOW})\b", _since),
    (rf"{_YEAR} ?[-–—](?= |$|[,.)])", _since),
    (
        r"\b(?:(?P<open>since|seit|depuis|desde) )?(?:in |from |during |of |aus |dans |en |de )?(?:the |den |der "
        r"|les |des "
        r"|los )?(?:(?P<part>early|mid|late)[- ])?(?:années |años )?'?(?P<decade>(?:19|20)?\d0)"
        r"(?:s|er|ern)\b(?: jahren?)?",
        _decade,
    ),
    (r"\b(?:dans |en |de )?(?:les |des |los )(?:années|años) (?P<decade>(?:19|20)?\d0)\b", _decade),
    (r"(?:20世[纪紀])?(?<!\d)(?P<decade>(?:19|20)?\d0)年代", _decade),
    (
        r"\b(?:(?:in|over|from|during|within|of) )?(?:the )?(?:last|past|previous) "
        rf"(?:{_COUNT} (?:of )?years?|(?P<decade>decade))\b",
        _span,
    ),
    (r"\b(?:(?:in|over|from|during|within|of) )?(?:the )?past year\b", _span),
    (rf"\b(?:no|not) (?:older|more) than {_COUNT} years?(?: old)?\b", _span),
    (rf"\b(?:(?:in|aus|während|über) )?(?:der |den |die )?(?:letzten|vergangenen) {_COUNT} jahren?\b", _span),
    (rf"\b(?:dans |au cours |de |pendant )?(?:ces |les |des )?{_COUNT} dernières années\b", _span),
    (rf"\b(?:en |de |durante )?(?:los )?últimos {_COUNT} años\b", _span),
    (rf"(?:近|最近|过去|過去|ここ|直近){_COUNT}年(?:间|間|以来|以内|来|内)?", _span),
    (
        r"\b(?:published |from |of )?this year\b|\bdieses jahres?\b|\bcette année\b|\b(?:de )?este año\b|今年",
        _this_year,
    ),
    (
        r"\b(?:published |from |of )?last year(?:'s)?\b|\bletzte[sn] jahr(?:es)?\b|\bl'(?:année|an) dernière?\b"
        r"|\b(?:d)?el año pasado\b|去年|昨年",
        _last_year,
    ),
)
_FIRST = _rules(
    (
        rf"(?:\b(?:from|starting(?: in| from)?|as of|ab|von) )?{_YEAR} ?(?:\+|onwards?\b|on\b|or (?:later|newer"
        rf"|after)\b"
        rf"|and (?:later|newer|after)\b|und später\b|oder später\b|et après\b|y posteriores\b)",
        _since,
    ),
    (rf"(?:自从?|从)?{_YEAR}年?(?:以来|以降|以後|以后|起|开始|至今|から)", _since),
    (rf"自从?{_YEAR}年", _since),
    (rf"{_YEAR}年?(?:之后|后|より後)", _after),
    (rf"(?:≥|>=) ?{_YEAR}", _since),
    (rf"> ?{_YEAR}", _after),
    (
        r"\b(?:published )?(?:since|from|starting(?: in| from)?|as of|not (?:older|earlier) than|no (?:older"
        r"|earlier) than"
        r"|not before|nothing before|none before|seit|ab|nicht vor|depuis|à partir de|dès|desde"
        rf"|a partir de) {_MONTH}{_YEAR}",
        _since,
    ),
    (
        r"\b(?:published )?(?:after|later than|newer than|nach|après|después de|tras|posteriores a|post-?) ?"
        rf"{_MONTH}{_YEAR}",
        _after,
    ),
)
_LAST = _rules(
    (rf"{_YEAR}年?(?:まで|为止)", _until),
    (rf"(?:≤|<=) ?{_YEAR}", _until),
    (rf"< ?{_YEAR}", _before),
    (
        r"\b(?:published )?(?:until|till|up to|through|no later than|not later than|not after|bis(?: zum jahr)?"
        r"|jusqu'en"
        rf"|jusqu'à|hasta) {_MONTH}{_YEAR}",
        _until,
    ),
    (
        r"\b(?:published )?(?:before|prior to|older than|earlier than|vor|avant|antes de|anteriores a|pre-?) ?"
        rf"{_MONTH}{_YEAR}",
        _before,
    ),
)
_JAPANESE_BEFORE = re.compile(rf"{_YEAR}年?(?:以前|及以前)")
_CHINESE_BEFORE = re.compile(rf"{_YEAR}年?(?:之前|以前|より前|前)")
_EXACT = _rules(
    (rf"\({_YEAR}\)", _range),
    (
        r"\b(?:published )?(?:in|of|during|aus dem jahre?|aus|im jahre?|en|de|del año|du) (?:the year |the |l'année )?"
        rf"{_MONTH}{_YEAR}(?![-/]\d)",
        _range,
    ),
    (rf"{_YEAR}年(?:度)?(?:に|の|的|发表|發表|出版)?", _range),
    # A year at the end after a plain word; after a name, as in CoNLL 2003, it belongs to the name.
    (rf"(?-i:(?<=[a-zà-ÿ,])) {_YEAR}\??$", _range),
)
_KANA = re.compile(f"[{KANA}]")


def read_years(text: str, this_year: int | None = None) -> YearRange:
    """The years that the text names, and the text without those words."""
    now = this_year or datetime.now(UTC).year
    text = " ".join(text.replace("’", "'").split())
    for pattern, read in _WHOLE:
        if found := pattern.search(text):
            return _with_rest(read(found, now), text, found)
    since = _first_match(_FIRST, text, now)
    # In Japanese the year itself is included, in Chinese it is not.
    until = _until if _KANA.search(text) else _before
    last_rules = (*_LAST, (_JAPANESE_BEFORE, until), (_CHINESE_BEFORE, _before))
    before = _first_match(last_rules, since.rest, now)
    if since.first or before.last:
        return YearRange(since.first, before.last, before.rest)
    return _first_match(_EXACT, text, now)


def _first_match(rules: tuple[Rule, ...], text: str, now: int) -> YearRange:
    for pattern, read in rules:
        if found := pattern.search(text):
            return _with_rest(read(found, now), text, found)
    return YearRange(rest=text)


def _with_rest(years: YearRange, text: str, found: re.Match[str]) -> YearRange:
    return YearRange(years.first, years.last, f"{text[: found.start()]} {text[found.end() :]}")

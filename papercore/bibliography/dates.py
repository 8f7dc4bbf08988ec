"""Publication dates as people write them: a year, and perhaps a month."""

import re
from functools import lru_cache

from msgspec import Struct

UNKNOWN = "unknown"

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# By itself, or at the start of a date without separators.
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?:(?!\d)|(?=\d{4}(?!\d)))")
_NUMERIC = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d[-/.](\d{1,2})(?!\d)")
_WORD = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b",
    re.IGNORECASE,
)


class PublicationDate(Struct, frozen=True):
    year: str
    month: str


# The papers of a library have few dates, and each is asked for several times.
@lru_cache(maxsize=4096)
def parse_date(text: str) -> PublicationDate:
    """Year and month, each `unknown` if the text does not give it."""
    year = _YEAR.search(text)
    return PublicationDate(year[1] if year else UNKNOWN, _month(text))


def _month(text: str) -> str:
    numeric = _NUMERIC.search(text)
    if numeric:
        return f"{int(numeric[1]):02d}" if 1 <= int(numeric[1]) <= 12 else UNKNOWN
    word = _WORD.search(text)
    return f"{_MONTHS.index(word[0][:3].lower()) + 1:02d}" if word else UNKNOWN


def date_text(year: str, month: str, day: str = "") -> str:
    """`2017-06-12` from separate fields; a month may be a word, and a part that makes no sense is left out."""
    if not _YEAR.fullmatch(year):
        return year
    number = month if month.isdecimal() else _month(month)
    if not (number.isdecimal() and 1 <= int(number) <= 12):
        return year
    date = f"{year}-{int(number):02d}"
    return f"{date}-{int(day):02d}" if day.isdecimal() and 1 <= int(day) <= 31 else date

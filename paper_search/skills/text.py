"""Words and stems, as the rules see a text."""

import re
import threading
import unicodedata
from functools import lru_cache

import snowballstemmer

_STOP = """
a about after against all also although am among an and any are as at be because been before being
between both but by can could did do does doing during each either for from further had has have having
how however i if in into is it its itself may me might more most must my near no nor not of off on once
only onto or other our out over own per please same shall she should since so some such than that the their
them then there these they this those through to too toward towards under until up upon us use used using
various very via was we were what when where whether which while who whom whose why will with within
without would you your
"""
STOP_WORDS = frozenset(_STOP.split())
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_stemmer = threading.local()


def words(text: str) -> list[str]:
    """The words of a text in lower case; hyphenated ones stay together."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP_WORDS]


def stems(text: str) -> list[str]:
    """The stems of the content words; a hyphen parts two stems."""
    return [stem(part) for word in content_words(text) for part in word.split("-") if part]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    # A stemmer keeps the word it works on in itself, so each thread has its own.
    if not hasattr(_stemmer, "english"):
        _stemmer.english = snowballstemmer.stemmer("english")
    return str(_stemmer.english.stemWord(word))


def normal_title(title: str) -> str:
    """Letters and digits of a title, for comparing."""
    plain = unicodedata.normalize("NFKD", re.sub(r"<[^>]{1,20}>", "", title).lower())
    return "".join(char for char in plain if char.isalnum())

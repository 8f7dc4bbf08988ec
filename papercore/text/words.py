"""Splits texts into words, one function for each purpose, and finds the stems of words."""

import re
import threading
import unicodedata
from functools import lru_cache

import snowballstemmer

from papercore.text.cleaning import without_accents
from papercore.text.scripts import CJK

# Letters and digits of any script.
WORD = re.compile(r"[^\W_]+")
_WORD_OR_CJK_RUN = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")
_WORD_OR_CJK_CHARACTER = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_HYPHENATED = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
# Between parts of an identifier: fooBar, HTTPServer, utf8.
_SEAM = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")


def words_of(text: str) -> list[str]:
    """The words of a text as written; a run of Chinese, Japanese or Korean is one."""
    return _WORD_OR_CJK_RUN.findall(text)


def folded_words(text: str) -> list[str]:
    """The words of a text in lower case without accents, for comparing titles and names."""
    return [folded_word(word) for word in WORD.findall(unicodedata.normalize("NFC", text))]


def folded_word(word: str) -> str:
    return word.lower() if word.isascii() else without_accents(word).lower()


def hyphenated_words(text: str) -> list[str]:
    """The words of a request in lower case; those with a hyphen or an apostrophe stay whole."""
    return _HYPHENATED.findall(unicodedata.normalize("NFKC", text).lower())


def identifier_parts(run: str) -> list[str]:
    """The words that an identifier is made of: fooBar has two, and so has foo_bar."""
    return [part for name in run.split("_") for part in _SEAM.split(name) if part]


def cjk_pairs(run: str) -> list[str]:
    """The overlapping pairs of a run of characters; a single one is its own."""
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


def count_words(text: str) -> int:
    """How long a text is to read: a character of Chinese, Japanese or Korean counts as a word."""
    return len(_WORD_OR_CJK_CHARACTER.findall(text))


class _Stemmer(threading.local):
    """A stemmer keeps the word it works on in itself, so each thread has its own."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_stemmer = _Stemmer()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a word in lower case."""
    return str(_stemmer.english.stemWord(word))

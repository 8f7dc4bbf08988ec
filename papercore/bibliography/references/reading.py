"""Reads one reference: its words with what separates them, year, DOI, arXiv id, and the title where it is clear."""

import re
import unicodedata
from functools import cached_property

from msgspec import Struct

from papercore.bibliography.identifiers import arxiv_mentioned_in, arxiv_of_doi, canonical_doi
from papercore.text import CJK, WORD, folded_word, has_cjk

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>“”]{1,200}")
_URL = re.compile(r"https?://\S{1,500}")
_YEAR = re.compile(r"(?<![\d./–—-])((?:1[6-9]|20)\d\d)[a-z]?(?![\d/]|[.:–—-]\d)")
_YEAR_AFTER_AUTHORS = re.compile(r"[(.,]\s?((?:1[6-9]|20)\d\d)[a-z]?(?:,\s[A-Z][a-z]{2,8}(?:\s\d{1,2})?)?\)?[.,:]\s+")
_QUOTED = re.compile(r"[“\"„«]([^“”\"„«»]{8,400}?)[,.?!]?[”\"“»]")
_SENTENCE_END = re.compile(
    rf"[.?!]['’”\"]?\s+(?=[\"“‘(\[A-Z0-9À-ÞĀ-ſ{CJK}]|arXiv|$)|[.?!]['’”\"]?$|。|\[[A-Z](?:/OL)?\]"
)
_INITIAL = re.compile(r"(?:^|[\s.(])[A-Z]{1,3}$|-[A-Z]$|(?:^|\s)(?:Jr|Sr|St|vol|no|pp|ed|eds|Proc|Int|Conf|vs)$")
_AUTHORS_AND_COLON = re.compile(r"[^:()]{2,300}?[\s.][A-Z]{1,3}\.?:\s+")
_IN_NAMES = {"and", "et", "von", "van", "de", "der", "und", "y"}
_TITLE_WORDS = 2


class Word(Struct, frozen=True):
    """A word of a reference in lower case without accents, and its place."""

    text: str
    start: int
    end: int


class Reference(Struct, frozen=True, dict=True):
    """One entry of a list of references. `title` is what a reader of its style would take for it, if that is clear."""

    text: str
    title: str | None
    year: int | None
    doi: str | None
    arxiv: str | None

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(Word(folded_word(match[0]), match.start(), match.end()) for match in WORD.finditer(self.text))

    @cached_property
    def years(self) -> frozenset[int]:
        """Every number that may be its year: not those in addresses and identifiers."""
        return frozenset(int(match[1]) for match in _YEAR.finditer(_without_addresses(self.text)))

    def between(self, place: int) -> str:
        """What stands before a word: between it and the one before, or the beginning."""
        start = self.words[place - 1].end if place else 0
        end = self.words[place].start if place < len(self.words) else len(self.text)
        return self.text[start:end]


def read_reference(text: str) -> Reference:
    text = unicodedata.normalize("NFC", text)
    doi = _doi(text)
    plain = _without_addresses(text)
    in_brackets = re.search(r"\(((?:1[6-9]|20)\d\d)[a-z]?[),]", plain)
    years = [int(match[1]) for match in _YEAR.finditer(plain)]
    year = int(in_brackets[1]) if in_brackets else years[-1] if years else None
    return Reference(text, _title(plain), year, doi, arxiv_mentioned_in(text) or arxiv_of_doi(doi))


def _doi(text: str) -> str | None:
    found = _DOI.search(text)
    if not found:
        return None
    name = found[0]
    # A bracket that closes what was opened before the DOI is no part of it.
    while name.endswith((")", "]", ".", ",", ";")) and not (name.endswith(")") and name.count("(") >= name.count(")")):
        name = name[:-1]
    return canonical_doi(name)


def _without_addresses(text: str) -> str:
    return _DOI.sub(" ", _URL.sub(" ", text))


def _title(text: str) -> str | None:
    if quoted := _QUOTED.search(text):
        return _if_title(quoted[1])
    dated = _YEAR_AFTER_AUTHORS.search(text)
    # An early year follows the authors; a late one ends the reference.
    if dated and dated.end() < 0.6 * len(text):
        return _if_title(_until_sentence_end(text, dated.end()))
    if authors := _AUTHORS_AND_COLON.match(text):
        return _if_title(_until_sentence_end(text, authors.end()))
    ends = _ends(text)
    return _if_title(text[ends[0][1] : ends[1][0]]) if len(ends) > 1 else None


def _ends(text: str) -> list[tuple[int, int]]:
    """Where its first parts end and the next ones begin: a full stop after an initial or an abbreviation ends none."""
    found: list[tuple[int, int]] = []
    for match in _SENTENCE_END.finditer(text):
        if not _is_abbreviation(text, match) or (not found and _begins_title(text, match)):
            found.append(match.span())
        if len(found) == 2:
            break
    return found


def _is_abbreviation(text: str, stop: re.Match[str]) -> bool:
    before, after = text[max(0, stop.start() - 8) : stop.start()], text[stop.end() : stop.end() + 1]
    return stop[0][0] == "." and not after.isdigit() and _INITIAL.search(before) is not None


def _begins_title(text: str, stop: re.Match[str]) -> bool:
    """After the last initial of the authors: a lower-case word follows the first one, as in `Smith J. The sky is`."""
    word = WORD.search(text, stop.end())
    if not word or not word[0][:1].isupper() or text[stop.start() - 1 : stop.start()].islower():
        return False
    after = WORD.search(text, word.end())
    return bool(after and after[0].islower() and after[0] not in _IN_NAMES)


def _until_sentence_end(text: str, start: int) -> str:
    for match in _SENTENCE_END.finditer(text, start):
        if not _is_abbreviation(text, match):
            return text[start : match.start()] + (text[match.start()] if text[match.start()] == "?" else "")
    return text[start:]


def _if_title(text: str) -> str | None:
    title = text.strip(" .,;:\"“”'")
    letters = sum(1 for char in title if char.isalpha())
    enough = len(WORD.findall(title)) >= _TITLE_WORDS or (has_cjk(title) and len(title) > 3)
    return title if enough and letters > len(title) / 2 else None

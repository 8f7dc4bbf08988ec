"""The excerpt of a text that shows why it was found, with the words of the query marked and no formula cut in two."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import merge
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.query import AllOf, AnyOf, Field, Node, Phrase, Prefix, Words
from papercore.text import CJK_INDEXED, cjk_pairs

OPEN, CLOSE = "[[[", "]]]"
# About two lines on a page.
WIDTH = 240
# How far before the first marked word a snippet begins.
LEAD = 60
# Marks considered in one text; a book has thousands, and the first ones show its subject as well.
MARKS = 60
_LETTER = rf"[^\W_{CJK_INDEXED}]"
_LATIN = re.compile(f"{_LETTER}+")
_FOREIGN_LETTER = re.compile(rf"[^\x00-\x7f\W{CJK_INDEXED}]")
# `$...$` and `$$...$$`. A price is not a formula: inside single signs, the first and the last character are not blank.
_FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?=[^\s$])(?:\\.|[^$\\])*?(?<=[^\s\\])\$(?!\d)", re.DOTALL)
# A formula ends with its paragraph at the latest, and none is longer than this.
_PARAGRAPH = "\n\n"
FORMULA_CHARS = 2_000


def best_snippet(texts: Sequence[str], sought: "QueryTerms") -> str:
    """The passage with most of the words among all the texts; the opening of the first text if none occurs."""
    found = [snippet for text in texts if (snippet := in_context(text, sought))]
    return max(found, key=lambda snippet: snippet.count(OPEN), default="") or opening(next(filter(None, texts), ""))


def in_context(text: str, sought: "QueryTerms") -> str:
    """The passage with most of the words, marked; empty if none occurs."""
    marks = list(islice(sought.marks(text), MARKS))
    if not marks:
        return ""
    start = 0
    if len(text) > WIDTH:
        start = max(marks[_densest(marks)].start - LEAD, 0)
        blank = text.find(" ", start, start + LEAD // 2) if start else -1
        start = blank + 1 if blank >= 0 else start
    start, end = _without_cut_formulas(text, start, _word_end(text, start + WIDTH))
    inside = [mark for mark in marks if mark.start >= start and mark.end <= end]
    return _framed(text, start, end, _marked(text, start, end, inside))


def opening(text: str) -> str:
    """The opening of the text."""
    _, end = _without_cut_formulas(text, 0, _word_end(text, WIDTH))
    return _framed(text, 0, end, _safe(text[:end]))


def with_marks(text: str, sought: "QueryTerms") -> str:
    """A short text, such as a title, with all of the words marked."""
    return _marked(text, 0, len(text), list(sought.marks(text)))


class Mark(NamedTuple):
    """A word of the query in a text."""

    start: int
    end: int
    term: str


def _densest(marks: list[Mark]) -> int:
    """The mark at which to start for the most distinct words, then the most words."""
    shown: defaultdict[str, int] = defaultdict(int)
    best, first, after, different, count = (0, 0), 0, 0, 0, len(marks)
    for i, (start, _, term) in enumerate(marks):
        limit = start - LEAD + WIDTH
        while after < count and marks[after].end <= limit:
            entering = marks[after].term
            different += shown[entering] == 0
            shown[entering] += 1
            after += 1
        if (different, after - i) > best:
            best, first = (different, after - i), i
        if after == count:
            break  # later starts show a part of this
        shown[term] -= 1
        different -= shown[term] == 0
    return first


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    blank = text.rfind(" ", at - LEAD // 2, at)
    return blank if blank >= 0 else at


def _without_cut_formulas(text: str, start: int, end: int) -> tuple[int, int]:
    """The excerpt from start to end, adjusted so that it cuts no formula in two.

    A formula at an edge is included if that takes no more characters than a snippet has, otherwise left out.
    """
    earliest = max(0, start - FORMULA_CHARS)
    begin = max(text.rfind(_PARAGRAPH, earliest, start), earliest)
    paragraph_end = text.find(_PARAGRAPH, end, end + FORMULA_CHARS)
    stop = paragraph_end if paragraph_end >= 0 else end + FORMULA_CHARS
    if text.find("$", begin, stop) < 0:  # far cheaper than the pattern
        return start, end
    edge = end
    for formula in _FORMULA.finditer(text, begin, stop):
        first, last = formula.span()
        if first >= edge:
            break
        if first < start < last:
            start = first if start - first <= WIDTH else last
        if first < end < last:
            end = last if last - end <= WIDTH else max(first, start)
    return start, max(start, end)


def _marked(text: str, start: int, end: int, marks: list[Mark]) -> str:
    """The excerpt with the marks that are in no formula, which a mark would break."""
    spans: list[tuple[int, int]] = []
    formulas = [found.span() for found in _FORMULA.finditer(text, start, end)] if marks and "$" in text else []
    for mark in marks:
        if any(first <= mark.start < last for first, last in formulas):
            continue
        if spans and mark.start < spans[-1][1]:  # the overlapping pairs of a CJK run are marked as one
            spans[-1] = (spans[-1][0], max(mark.end, spans[-1][1]))
        else:
            spans.append((mark.start, mark.end))
    parts, at = [], start
    for first, last in spans:
        parts += [_safe(text[at:first]), OPEN, _safe(text[first:last]), CLOSE]
        at = last
    return "".join([*parts, _safe(text[at:end])])


def _safe(text: str) -> str:
    """Text that cannot be mistaken for a mark."""
    return text.replace(OPEN, "[ [ [").replace(CLOSE, "] ] ]")


def _framed(text: str, start: int, end: int, shown: str) -> str:
    if start >= end:
        return ""
    before = "… " if start > 0 else ""
    after = " …" if end < len(text.rstrip()) else ""
    return f"{before}{' '.join(shown.split())}{after}"


class QueryTerms(Struct, frozen=True, dict=True):
    """The terms of a query, as the index spells them."""

    terms: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()
    pairs: frozenset[str] = frozenset()
    # The words as in names: not stemmed.
    names: frozenset[str] = frozenset()

    @classmethod
    def of_words(cls, words: Iterable[str]) -> "QueryTerms":
        """The terms of plain words."""
        return cls.of(Words(tuple(words)))

    @classmethod
    def of(cls, node: Node | None) -> "QueryTerms":
        words, starts = list(_words(node)), tuple(_starts(node))
        content = " ".join(analysis.without_stop_words(words) or words)
        runs = analysis.CJK_RUN.findall(" ".join(words))
        return cls(
            frozenset(analysis.text_terms(content)),
            tuple(start for text in starts for start in analysis.name_terms(text)[-1:]),
            frozenset(pair for run in runs for pair in cjk_pairs(run)),
            frozenset(analysis.name_terms(content)),
        )

    def names_in(self, text: str) -> bool:
        """Whether one of the words is among the names in a text."""
        if text.isascii() and not any(name in text.lower() for name in (*self.names, *self.starts)):
            return False
        if not self.names.isdisjoint(analysis.name_terms(text)):
            return True
        return bool(self.starts) and any(name.startswith(self.starts) for name in analysis.name_terms(text))

    def marks(self, text: str) -> Iterator[Mark]:
        """Where the words are in a cleaned text, in order."""
        if text.isascii() or not (self.pairs or _FOREIGN_LETTER.search(text)):
            return self._plain_marks(text)
        return merge(
            self._plain_marks(text), self._accented_marks(text), self._cjk_marks(text), key=lambda mark: mark.start
        )

    def _plain_marks(self, text: str) -> Iterator[Mark]:
        """Words without accents. Jumps from one candidate to the next, so that most of a text is never analysed."""
        if self._candidates is None:  # a list of all papers has no words to look for, and texts of 300,000 characters
            return
        lower = text.replace("İ", "I").lower()  # the only letter that is longer in lower case
        # A text repeats its words.
        known: dict[str, str] = {}
        for match in self._candidates.finditer(lower):
            start, end = match.span()
            if lower[start - 1 : start].isalnum() and _LATIN.match(lower, start - 1, start):
                continue  # the end of another word
            word = text[start:end]
            if word not in known:
                known[word] = self._sought(word) if word.isascii() else ""
            if term := known[word]:
                yield Mark(start, end, term)

    def _accented_marks(self, text: str) -> Iterator[Mark]:
        """Analyses every word with accents, because the query may spell it without them."""
        if not self.terms and not self.starts:
            return
        end = 0
        for letter in _FOREIGN_LETTER.finditer(text):
            start = letter.start()
            if start < end:  # a further accent of the same word
                continue
            while start > end and _LATIN.match(text, start - 1, start):
                start -= 1
            word = _LATIN.match(text, start)
            end = word.end() if word else letter.end()
            if term := self._sought(text[start:end]):
                yield Mark(start, end, term)

    def _sought(self, word: str) -> str:
        """The term of a word if the query has it, otherwise empty."""
        term = analysis.term(word)
        if term in self.terms:
            return term
        return word.lower() if self.starts and word.lower().startswith(self.starts) else ""

    @cached_property
    def _candidates(self) -> re.Pattern[str] | None:
        """Words that begin as one of the query may: stemming leaves all but the last letter of a term unchanged."""
        beginnings = {term[: max(2, len(term) - 1)] for term in self.terms if term.isascii()} | set(self.starts)
        longest_first = sorted(map(re.escape, sorted(beginnings)), key=len, reverse=True)
        return re.compile(f"(?:{'|'.join(longest_first)}){_LETTER}*") if beginnings else None

    def _cjk_marks(self, text: str) -> Iterator[Mark]:
        """Looks ahead, because pairs overlap."""
        if not self.pairs:
            return
        for match in re.finditer(f"(?=({'|'.join(map(re.escape, self.pairs))}))", text):
            yield Mark(match.start(), match.start() + len(match[1]), match[1])


def _words(node: Node | None) -> Iterator[str]:
    match node:
        case Words(words):
            yield from words
        case Phrase(text):
            yield from text.split()
        case Field(_, value):
            yield from _words(value)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _words(part)


def _starts(node: Node | None) -> Iterator[str]:
    match node:
        case Prefix(text):
            yield text
        case Field(_, value):
            yield from _starts(value)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _starts(part)

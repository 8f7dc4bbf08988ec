"""The piece of a text that shows why it was found, with the sought words marked."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from paper_search.retrieval import analysis
from paper_search.retrieval.query import AllOf, AnyOf, Field, Node, Phrase, Prefix, Words

OPEN, CLOSE = "[[[", "]]]"
# About two lines on a page.
WIDTH = 240
# How far before the first marked word a snippet begins.
LEAD = 60
# Marks looked at in one text; a book has thousands, and the first show as well where it speaks of the matter.
MARKS = 60
_LATIN = re.compile(rf"(?:(?!{analysis.CJK_RUN.pattern[:-1]})[^\W_])+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n{2,}")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Mark:
    start: int
    end: int
    term: str


@dataclass(frozen=True)
class Sought:
    """The terms that a query looks for, as the index spells them."""

    terms: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()
    pairs: frozenset[str] = frozenset()
    # The words as names spell them: not stemmed.
    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, node: Node | None) -> "Sought":
        words, starts = list(_words(node)), tuple(_starts(node))
        telling = [word for word in words if not analysis.is_stop_word(word)] or words
        runs = [run for word in words for run in analysis.CJK_RUN.findall(word)]
        return cls(
            frozenset(term for word in telling for term in analysis.text_terms(word)),
            tuple(start for text in starts for start in analysis.name_terms(text)[-1:]),
            frozenset(pair for run in runs for pair in analysis.pairs(run)),
            frozenset(name for word in telling for name in analysis.name_terms(word)),
        )

    def marks(self, text: str) -> Iterator[Mark]:
        """Where the sought words stand in a cleaned text."""
        if text.isascii() or not self.pairs:
            yield from self._latin_marks(text)
        else:
            yield from sorted([*self._latin_marks(text), *self._cjk_marks(text)], key=lambda mark: mark.start)

    def _latin_marks(self, text: str) -> Iterator[Mark]:
        pattern = analysis.WORD if text.isascii() else _LATIN
        for match in pattern.finditer(text):
            term = analysis.term(match[0])
            if term in self.terms or (self.starts and match[0].lower().startswith(self.starts)):
                yield Mark(match.start(), match.end(), term)

    def _cjk_marks(self, text: str) -> Iterator[Mark]:
        """Pairs overlap, hence the look-ahead."""
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
        case Words(words, open_end=True):
            yield words[-1]
        case Field(_, value):
            yield from _starts(value)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _starts(part)


def in_context(text: str, sought: Sought) -> str:
    """The stretch of the text with most of the sought words, marked; empty when none occurs."""
    marks = [mark for mark, _ in zip(sought.marks(text), range(MARKS), strict=False)]
    if not marks:
        return ""
    first = max(range(len(marks)), key=lambda i: (_worth(marks, i), -i))
    start = _word_start(text, marks[first].start - LEAD) if len(text) > WIDTH else 0
    end = _word_end(text, start + WIDTH)
    inside = [mark for mark in marks if mark.start >= start and mark.end <= end]
    return _framed(text, start, end, _marked(text, start, end, inside))


def opening(text: str) -> str:
    """How the text begins."""
    end = _word_end(text, WIDTH)
    return _framed(text, 0, end, _safe(text[:end]))


def sentences(text: str) -> list[str]:
    """The sentences of a text, roughly."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := part.strip())]


def _worth(marks: list[Mark], first: int) -> tuple[int, int]:
    """How many different, and how many words a snippet beginning at this mark would show."""
    limit = marks[first].start - LEAD + WIDTH
    shown = Counter(mark.term for mark in marks[first:] if mark.end <= limit)
    return len(shown), shown.total()


def _marked(text: str, start: int, end: int, marks: list[Mark]) -> str:
    parts, at = [], start
    for first, last in _joined(marks):
        parts += [_safe(text[at:first]), OPEN, _safe(text[first:last]), CLOSE]
        at = last
    return "".join([*parts, _safe(text[at:end])])


def _joined(marks: list[Mark]) -> list[tuple[int, int]]:
    """The marked stretches; the pairs of a CJK run overlap and make one."""
    stretches: list[tuple[int, int]] = []
    for mark in marks:
        if stretches and mark.start < stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(mark.end, stretches[-1][1]))
        else:
            stretches.append((mark.start, mark.end))
    return stretches


def _safe(text: str) -> str:
    """Text that cannot be taken for a mark."""
    return text.replace(OPEN, "[ [ [").replace(CLOSE, "] ] ]")


def _framed(text: str, start: int, end: int, shown: str) -> str:
    before = "… " if start > 0 else ""
    after = " …" if end < len(text.rstrip()) else ""
    return f"{before}{_BLANKS.sub(' ', shown).strip()}{after}"


def _word_start(text: str, at: int) -> int:
    if at <= 0:
        return 0
    blank = text.find(" ", at, at + LEAD // 2)
    return blank + 1 if blank >= 0 else at


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    blank = text.rfind(" ", at - LEAD // 2, at)
    return blank if blank >= 0 else at

"""What is read of a draft, whatever its format: sentences with the keys they cite, quotations, and its own works."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from papercore import limits
from papercore.text import one_line, sentence_spans

PlaceKind = Literal["line", "paragraph", "page"]
_PARAGRAPH_END = re.compile(r"\n[ \t]*(?=\n)")
_QUOTED = re.compile(r'“([^“”]{8,2000})”|(?<![\w"])"(?=\w)([^"]{8,600})(?<=[\w.,;!?)])"(?!\w)')
# What may stand between a quotation and its citation.
_BEFORE_CITATION = re.compile(r"[\s.,;(\u00a0]{0,4}")
_BEFORE_POINT = re.compile(r" (?=[.,;:)])")
_EMPTY_BRACKETS = re.compile(r"\([\s;,]{0,9}\)")


class ManuscriptSentence(Struct, frozen=True):
    """A sentence as it is read, and its claim without citations. Sentences of a paragraph share its number.

    One that has a gap has a command in it that stands for words which nobody can know.
    """

    text: str
    claim: str
    place: int
    file: str
    paragraph: int
    keys: tuple[str, ...] = ()
    is_heading: bool = False
    has_gap: bool = False


class ManuscriptQuote(Struct, frozen=True):
    """A passage in quotation marks that a citation follows."""

    quote: str
    keys: tuple[str, ...]
    place: int
    file: str


class CitedAside(Struct, frozen=True):
    """Keys that are cited where no sentence is: in a table, or for the bibliography alone."""

    keys: tuple[str, ...]
    place: int
    file: str


class Manuscript(Struct, frozen=True):
    """`bibtex` are works that citation fields of the draft hold, `references` its printed list, by number;
    `bibliographies` are the files that it names."""

    place_kind: PlaceKind
    sentences: tuple[ManuscriptSentence, ...]
    quotes: tuple[ManuscriptQuote, ...] = ()
    cited_aside: tuple[CitedAside, ...] = ()
    bibtex: str = ""
    references: dict[str, str] = {}
    bibliographies: tuple[str, ...] = ()
    note: str = ""


class _Citation(Struct, frozen=True):
    start: int
    end: int
    keys: tuple[str, ...]


class CollectedText:
    """The words of a draft in their order, with the place of each and the citations between them."""

    def __init__(self, place_kind: PlaceKind) -> None:
        self.place_kind: PlaceKind = place_kind
        self.bibtex = ""
        self.references: dict[str, str] = {}
        self.bibliographies: list[str] = []
        self.cited_aside: list[CitedAside] = []
        self.notes: list[str] = []
        self._gaps: list[int] = []
        self._parts: list[str] = []
        self._length = 0
        self._offsets: list[int] = []
        self._places: list[tuple[str, int]] = []
        self._citations: list[_Citation] = []
        self._headings: set[int] = set()

    def add(self, text: str, place: int, file: str = "") -> None:
        self._offsets.append(self._length)
        self._places.append((file, place))
        self._parts.append(text)
        self._length += len(text)

    def add_gap(self, command: str, place: int, file: str = "") -> None:
        self._gaps.append(self._length)
        self.add(command, place, file)

    def cite(self, keys: tuple[str, ...], shown: str, place: int, file: str = "") -> None:
        start = self._length
        self.add(one_line(shown), place, file)
        self._citations.append(_Citation(start, self._length, keys))

    def head(self, text: str, place: int, file: str = "") -> None:
        self.add("\n\n", place, file)
        self._headings.add(self._length)
        self.add(one_line(text), place, file)
        self.add("\n\n", place, file)

    def manuscript(self) -> Manuscript:
        text = "".join(self._parts)
        sentences = tuple(self._sentences(text))
        notes = [*dict.fromkeys(self.notes)]
        if len(sentences) > limits.DRAFT_SENTENCES:
            notes.append(f"only the first {limits.DRAFT_SENTENCES:,} sentences are looked at")
        kept = sentences[: limits.DRAFT_SENTENCES]
        return Manuscript(
            self.place_kind,
            kept,
            tuple(self._quotes(text)),
            tuple(self.cited_aside),
            self.bibtex,
            self.references,
            tuple(dict.fromkeys(self.bibliographies)),
            f"{'; '.join(notes)}." if notes else "",
        )

    def _sentences(self, text: str) -> Iterator[ManuscriptSentence]:
        bounds = [0, *(match.end() for match in _PARAGRAPH_END.finditer(text)), len(text)]
        next_citation = 0
        for number, (begin, end) in enumerate(pairwise(bounds), start=1):
            begin += len(text[begin:end]) - len(text[begin:end].lstrip())
            for start, stop in sentence_spans(text, begin, end):
                if not text[start:stop].strip():
                    continue
                cited = []
                while next_citation < len(self._citations) and self._citations[next_citation].start < stop:
                    cited.append(self._citations[next_citation])
                    next_citation += 1
                file, place = self._place(text, start)
                yield ManuscriptSentence(
                    one_line(text[start:stop]),
                    _without(text, start, stop, cited),
                    place,
                    file,
                    number,
                    tuple(dict.fromkeys(key for citation in cited for key in citation.keys)),
                    begin in self._headings,
                    bisect_left(self._gaps, start) < bisect_left(self._gaps, stop),
                )

    def _quotes(self, text: str) -> Iterator[ManuscriptQuote]:
        starts = [citation.start for citation in self._citations]
        for match in _QUOTED.finditer(text):
            after = _BEFORE_CITATION.match(text, match.end())
            at = bisect_right(starts, match.end() - 1)
            if after and at < len(starts) and starts[at] <= after.end():
                file, place = self._place(text, match.start())
                yield ManuscriptQuote(
                    one_line(match[1] or match[2])[: limits.QUOTE_CHARS], self._citations[at].keys, place, file
                )

    def _place(self, text: str, offset: int) -> tuple[str, int]:
        at = bisect_right(self._offsets, offset) - 1
        file, place = self._places[at]
        return file, place + (text.count("\n", self._offsets[at], offset) if self.place_kind == "line" else 0)


def _without(text: str, start: int, stop: int, citations: list[_Citation]) -> str:
    parts = []
    for citation in citations:
        parts.append(text[start : citation.start])
        start = citation.end
    bare = _EMPTY_BRACKETS.sub("", "".join([*parts, text[start:stop]]))
    return _BEFORE_POINT.sub("", one_line(bare))

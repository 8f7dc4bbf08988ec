"""A claim beside a sentence of a paper: in both texts, the words that agree, and what differs or is in one alone."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from papercore.passages.claim_words import ClaimPart, ReadSentence, read_sentence
from papercore.passages.claims import ClaimComparison

PartMark = Literal["", "agrees", "differs", "absent"]
# What can be checked and is in the claim alone is marked; a word that a paraphrase has otherwise is not.
_MARKED_ABSENT = ("number", "year", "name", "negation", "direction")


class TextPart(Struct, frozen=True):
    """A stretch of a text, and what is to be seen in it."""

    text: str
    mark: PartMark = ""


class _Span(Struct, frozen=True):
    start: int
    end: int
    mark: PartMark


class MarkedPair(Struct, frozen=True):
    claim: tuple[TextPart, ...]
    passage: tuple[TextPart, ...]


def marked_pair(claim: str, shown: str, passage: str, compared: ClaimComparison) -> MarkedPair:
    """Both texts whole, in parts: the claim as it is shown, with its citations."""
    mine, theirs = read_sentence(shown), read_sentence(passage)
    shared = read_sentence(claim).content & theirs.content
    parts = compared.agrees
    differs = (compared.differs,) if compared.differs else ()
    absent = [part for part in compared.absent if part.kind in _MARKED_ABSENT]
    return MarkedPair(
        _parts(mine, shared, [item.claim for item in parts], [item.claim for item in differs], _claims(absent)),
        _parts(theirs, shared, [item.passage for item in parts], [item.passage for item in differs], _passages(absent)),
    )


def _claims(parts: Sequence[ClaimPart]) -> list[str]:
    return [part.claim for part in parts if part.claim]


def _passages(parts: Sequence[ClaimPart]) -> list[str]:
    """What is in the passage alone: a negation."""
    return [part.passage for part in parts if part.passage]


def _parts(
    read: ReadSentence, shared: frozenset[str], agrees: Sequence[str], differs: Sequence[str], absent: Sequence[str]
) -> tuple[TextPart, ...]:
    apart: dict[str, PartMark] = {word: "absent" for part in absent for word in (part, *part.split())}
    apart |= {word: "differs" for part in differs for word in (part, *part.split())}
    spans = []
    for token in read.tokens:
        mark: PartMark = apart.get(token.literal, "")
        if not mark and ((token.is_content and token.stem in shared) or token.literal in agrees):
            mark = "agrees"
        spans.append(_Span(token.start, token.start + len(token.literal), mark))
    return tuple(_joined(read.text, spans))


def _joined(text: str, spans: Sequence[_Span]) -> Iterator[TextPart]:
    """Neighbours of one mark are one stretch, with the blanks between them."""
    at = 0
    for mark, group in groupby(spans, key=lambda span: span.mark):
        together = list(group)
        if mark:
            start, end = together[0].start, together[-1].end
            if start > at:
                yield TextPart(text[at:start])
            yield TextPart(text[start:end], mark)
            at = end
    if at < len(text):
        yield TextPart(text[at:])

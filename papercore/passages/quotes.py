"""Finds quotes in a text: tolerant of spaces, hyphens, quotation marks and case, and of nothing else."""

import re
from bisect import bisect_right

# What a comparison leaves out. A dash before a digit is a minus sign or a range, unless a letter precedes it (GPT-2).
_QUOTATION_MARKS = "'\"`´‘’‚‛“”„‟«»‹›′″「」『』"
_DASHES = "\\-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_DROPPED = re.compile(
    rf"""[\s\u200b-\u200d\ufeff{_QUOTATION_MARKS}]+
    |(?<=[^\W\d_])[{_DASHES}]+|[{_DASHES}]+(?!\s*\d)
    |!?\[(?=[^\[\]\n]{{0,300}}\]\()|(?<=[^\s\[])\]\([^()\s]{{0,500}}\)   # the address of a link
    |(?<![\w*])\*{{1,3}}(?=\S)|(?<=\S)\*{{1,3}}(?![\w*])|(?<![\w_])_{{1,3}}(?=\S)|(?<=\S)_{{1,3}}(?![\w_])
    |\\(?=[_*\#\[\]])
    |\[\^[^\]\s]{{1,100}}\]:?                                              # a footnote's mark
    |\\[Cc]ite[a-z]{{0,10}}\*?(?:\[[^][]{{0,100}}\]){{0,2}}\{{[^{{}}]{{0,300}}\}}
    """,
    re.VERBOSE,
)
_DASH = re.compile(f"[{_DASHES}]")


class Quotable:
    """A text in which quotes are looked for."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        # Where each piece begins, in what is compared and in the text.
        self._starts: list[int] = []
        self._places: list[int] = []
        length = at = 0
        for match in _DROPPED.finditer(text):
            length = self._add(pieces, text[at : match.start()], at, length)
            at = match.end()
        self._add(pieces, text[at:], at, length)
        self._compared = "".join(pieces)

    def _add(self, pieces: list[str], piece: str, at: int, length: int) -> int:
        if not piece:
            return length
        folded = _DASH.sub("-", piece.casefold())
        pieces.append(folded)
        if len(folded) == len(piece):
            self._starts.append(length)
            self._places.append(at)
            return length + len(folded)
        for letter in piece:  # ß is compared as ss: each of the two is at the place of the one
            for _ in letter.casefold():
                self._starts.append(length)
                self._places.append(at)
                length += 1
            at += 1
        return length

    def find(self, quote: str, start: int = 0) -> tuple[int, int] | None:
        """Where the text has the quote, from a place on or else before it.

        None if it is nowhere, or has nothing to compare.
        """
        sought = _compared(quote)
        if not sought:
            return None
        piece = max(bisect_right(self._places, start) - 1, 0)
        at = self._compared.find(sought, self._starts[piece] if self._starts else 0)
        if at < 0:
            at = self._compared.find(sought)
        return (self._place(at), self._place(at + len(sought) - 1) + 1) if at >= 0 else None

    def _place(self, compared: int) -> int:
        piece = bisect_right(self._starts, compared) - 1
        return self._places[piece] + compared - self._starts[piece]


def visible_length(quote: str) -> int:
    """How many characters of a quote are compared."""
    return len(_compared(quote))


def _compared(quote: str) -> str:
    return _DASH.sub("-", _DROPPED.sub("", quote).casefold())

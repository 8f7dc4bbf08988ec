"""What a block of a text keeps in every language: its kind, its length, its numbers, names, formulas and pictures."""

import re
from html import unescape

from msgspec import Struct

from papercore import limits
from papercore.text import CJK

_KINDS = [
    ("heading", re.compile(r"<h[2-6]\b")),
    ("formula", re.compile(r'<div class="formula"|<p[^<>]*><math [^<>]*display="block"')),
    ("picture", re.compile(r'<p[^<>]*>(?:<img |<span class="no-image">)')),
    ("table", re.compile(r'<div class="scroll-x"')),
    ("code", re.compile(r'<div class="code"|<pre\b')),
    ("notes", re.compile(r'<section class="footnotes"')),
]
# Formulas are not nested, and no text between their tags has a bare "<".
_FORMULA = re.compile(r"<math\b(?:(?!<math\b).)*?</math>", re.DOTALL)
_PICTURE = re.compile(r'<img src="([^"]*)"')
_TAG = re.compile(r"<[^<>]*>")
_SPACE_AND_PUNCTUATION = re.compile(r"[\s.,;:\u2009\u200a]+")
_NUMBER_OR_NAME = re.compile(r"\d+(?:[.,]\d+)*|[a-zà-ɏ][a-zà-ɏ0-9-]{2,}")
_CJK = re.compile(f"[{CJK}]")
# A character of Chinese, Japanese or Korean says as much as three letters.
_CJK_LETTERS = 3


class BlockTraits(Struct, frozen=True):
    kind: str
    length: int
    marks: frozenset[str]

    @property
    def is_text(self) -> bool:
        return self.kind == "text"


def block_traits(block: str) -> BlockTraits:
    """Read a block of rendered HTML."""
    kind = next((name for name, pattern in _KINDS if pattern.match(block)), "text")
    formulas = ["=" + _plain(formula) for formula in _FORMULA.findall(block)]
    words = unescape(_TAG.sub(" ", _FORMULA.sub(" ", block))).casefold()
    length = sum(map(len, words.split())) + sum(map(len, formulas)) + (_CJK_LETTERS - 1) * len(_CJK.findall(words))
    found = [*_PICTURE.findall(block), *formulas, *map(_plain, _NUMBER_OR_NAME.findall(words))]
    return BlockTraits(kind, length, frozenset(list(dict.fromkeys(found))[: limits.BLOCK_MARKS]))


def _plain(text: str) -> str:
    """Without what differs between languages: 1,039 and 1.039; a formula that ends its sentence or not."""
    return _SPACE_AND_PUNCTUATION.sub("", _TAG.sub("", text))

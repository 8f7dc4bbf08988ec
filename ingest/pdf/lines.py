"""Lines of text on a page of a PDF: its characters joined to words, with accents and ligatures as people type them."""

import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct

# In shares of the font size: wider gaps are spaces between words, and gaps between columns.
_SPACE = 0.15
_GUTTER = 1.3
# Baselines further apart are different lines; smaller differences are superscripts and subscripts.
_LINE_SHIFT = 0.45
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\x02": "-", "\xad": "-"}
)
# Accents that are characters of their own, as TeX's old fonts have them, and the ones that combine with a letter.
_ACCENTS = {
    "´": "\u0301",
    "`": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "^": "\u0302",
    "˜": "\u0303",
    "~": "\u0303",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "˚": "\u030a",
    "¯": "\u0304",
    "˙": "\u0307",
    "˝": "\u030b",
    "¸": "\u0327",
}
_DOTLESS = {"ı": "i", "ȷ": "j"}


class Character(Struct, frozen=True):
    text: str
    left: float
    right: float
    baseline: float
    size: float
    bold: bool
    upright: bool


class Line(Struct, frozen=True):
    """A line of one column. `top` counts from the top of the page, in points."""

    text: str
    left: float
    right: float
    top: float
    size: float
    bold: bool
    page: int


def lines_of(characters: Iterable[Character], height: float, number: int) -> tuple[list[Line], str]:
    """The lines of a page of this height as the file orders them, and the text in its margin that is turned."""
    turned: list[Character] = []
    upright: list[Character] = []
    for character in characters:
        (upright if character.upright else turned).append(character)
    return [_line(run, height, number) for run in _runs(upright)], "".join(character.text for character in turned)


def _runs(characters: Iterable[Character]) -> Iterator[list[Character]]:
    """Characters that follow each other on one line without a gap as wide as one between columns."""
    run: list[Character] = []
    for character in characters:
        if run and not _continues(run[-1], character):
            yield run
            run = []
        run.append(character)
    if run:
        yield run


def _continues(before: Character, character: Character) -> bool:
    size = max(before.size, character.size)
    if abs(before.baseline - character.baseline) > _LINE_SHIFT * size:
        return False
    gap = character.left - before.right
    return -size < gap < _GUTTER * size


def _line(run: list[Character], height: float, page: int) -> Line:
    size = max(character.size for character in run)
    baseline = max(run, key=lambda character: character.size).baseline
    bold = sum(character.bold for character in run) * 2 > len(run)
    left, right = run[0].left, max(character.right for character in run)
    return Line(_text(run), left, right, height - baseline, size, bold, page)


def _text(run: list[Character]) -> str:
    parts: list[str] = []
    for before, character in zip([None, *run], run, strict=False):
        if before and character.left - before.right > _SPACE * character.size:
            parts.append(" ")
        accent = _ACCENTS.get(before.text) if before else None
        if accent and parts and before and _covers(before, character):
            # The accent was drawn first, in the place of its letter.
            while parts and parts[-1] == " ":
                parts.pop()
            parts[-1] = unicodedata.normalize("NFC", _DOTLESS.get(character.text, character.text) + accent)
        elif parts and before and character.text in _ACCENTS and _covers(character, before) and before.text.isalpha():
            parts[-1] = unicodedata.normalize("NFC", before.text + _ACCENTS[character.text])
        else:
            parts.append(character.text)
    return unicodedata.normalize("NFC", "".join(parts)).translate(_LIGATURES)


def _covers(accent: Character, letter: Character) -> bool:
    """Whether the accent stands over (or under) the letter and not beside it."""
    middle = (accent.left + accent.right) / 2
    return letter.text.isalpha() and letter.left - 0.5 <= middle <= letter.right + 0.5

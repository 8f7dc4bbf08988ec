"""Lines of text on a page of a PDF: its characters joined to words, with accents and ligatures as people type them."""

import unicodedata
from collections.abc import Iterable, Iterator
from ctypes import addressof, c_double, c_int, create_string_buffer
from dataclasses import dataclass
from math import pi

import pypdfium2.raw as pdfium
from pypdfium2 import PdfPage, PdfTextPage

from papercore import limits

# In shares of the font size: wider gaps are spaces between words, and gaps between columns.
_SPACE = 0.15
_GUTTER = 1.3
# Baselines further apart are different lines; smaller differences are superscripts and subscripts.
_LINE_SHIFT = 0.45
# Text turned further is a stamp in the margin or a turned figure.
_UPRIGHT = pi / 36
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
_BOLD_WEIGHT = 600
_LEAST_SIZE = 3
# What PDFium has in the place of a character that it does not know.
_NO_CHARACTERS = (0, 0xFFFE, 0xFFFF)


@dataclass(frozen=True, slots=True)
class Character:
    text: str
    left: float
    right: float
    baseline: float
    size: float
    bold: bool
    upright: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one column. `top` counts from the top of the page, in points."""

    text: str
    left: float
    right: float
    top: float
    size: float
    bold: bool
    page: int


def lines_of(page: PdfPage, number: int) -> tuple[list[Line], str]:
    """The page's lines as the file orders them, and the text in its margin that is turned."""
    text_page = page.get_textpage()
    try:
        characters = list(_characters(text_page))
    finally:
        text_page.close()
    turned = "".join(character.text for character in characters if not character.upright)
    upright = [character for character in characters if character.upright]
    height = page.get_height()
    return [_line(run, height, number) for run in _runs(upright)], turned


def _characters(text_page: PdfTextPage) -> Iterator[Character]:
    # Every call costs a microsecond: what belongs to a whole piece of text is asked once, and the results are reused.
    handle = text_page.raw
    box, x, y = pdfium.FS_RECTF(), c_double(), c_double()
    styles: dict[int, _Style] = {}
    for index in range(min(text_page.count_chars(), limits.PDF_PAGE_CHARS)):
        code = pdfium.FPDFText_GetUnicode(handle, index)
        if code in _NO_CHARACTERS:
            continue
        text = chr(code)
        if text.isspace():
            continue
        # With the space around the glyph: the gap after a narrow "1" is none.
        pdfium.FPDFText_GetLooseCharBox(handle, index, box)
        pdfium.FPDFText_GetCharOrigin(handle, index, x, y)
        piece = addressof(pdfium.FPDFText_GetTextObject(handle, index).contents)
        style = styles.get(piece)
        if style is None:
            style = styles[piece] = _Style.of(handle, index)
        # Fonts that are scaled by the page's matrix say 1; the height of the box tells more then.
        size = style.size if style.size >= _LEAST_SIZE else max(box.top - box.bottom, 1.0)
        yield Character(text, box.left, box.right, y.value, size, style.bold, style.upright)


@dataclass(frozen=True, slots=True)
class _Style:
    """What all characters of a piece of text have in common."""

    size: float
    bold: bool
    upright: bool

    @classmethod
    def of(cls, handle: object, index: int) -> "_Style":
        angle = pdfium.FPDFText_GetCharAngle(handle, index)
        upright = angle < _UPRIGHT or angle > 2 * pi - _UPRIGHT
        return cls(pdfium.FPDFText_GetFontSize(handle, index), _is_bold(handle, index), upright)


def _is_bold(handle: object, index: int) -> bool:
    if pdfium.FPDFText_GetFontWeight(handle, index) >= _BOLD_WEIGHT:
        return True
    name, flags = create_string_buffer(128), c_int()
    length = pdfium.FPDFText_GetFontInfo(handle, index, name, len(name), flags)
    font = name.raw[: max(0, min(length, len(name)) - 1)].decode("utf-8", "ignore").lower()
    return "bold" in font or font.rpartition("+")[2].startswith(("cmbx", "sfbx", "nimbusromno9l-medi"))


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

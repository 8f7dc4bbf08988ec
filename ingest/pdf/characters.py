"""Characters on a page of a PDF, as PDFium places them. Needs the extra `pdf`."""

import unicodedata
from collections.abc import Iterator
from ctypes import addressof, c_double, c_int, create_string_buffer
from math import pi

import pypdfium2.raw as pdfium
from msgspec import Struct
from pypdfium2 import PdfPage, PdfTextPage

from ingest.pdf.lines import Character

# Characters of one page: what one of small print has, with room to spare.
PDF_PAGE_CHARS = 50_000
# Text turned further is a stamp in the margin or a turned figure.
_UPRIGHT = pi / 36
_BOLD_WEIGHT = 600
_LEAST_SIZE = 3
# What PDFium has in the place of a character that it does not know.
_NO_CHARACTERS = (0, 0xFFFE, 0xFFFF)
_HYPHENS = ("\x02", "\xad")


def characters_of(page: PdfPage) -> list[Character]:
    """None where most are unknown: the fonts do not say what their characters mean, and the rest is chance."""
    text_page = page.get_textpage()
    try:
        found = list(_characters(text_page))
    finally:
        text_page.close()
    known = [character for character in found if not _is_unknown(character.text)]
    return known if 2 * len(known) > len(found) else []


def _is_unknown(text: str) -> bool:
    """Control characters, but for the hyphen that PDFium puts at the end of a line, and those for private use."""
    return text == "\ufffd" or (text not in _HYPHENS and unicodedata.category(text) in ("Cc", "Co", "Cn", "Cs"))


def _characters(text_page: PdfTextPage) -> Iterator[Character]:
    # Every call costs a microsecond: what belongs to a whole piece of text is asked once, and the results are reused.
    handle = text_page.raw
    box, x, y = pdfium.FS_RECTF(), c_double(), c_double()
    styles: dict[int, _Style] = {}
    for index in range(min(text_page.count_chars(), PDF_PAGE_CHARS)):
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


class _Style(Struct, frozen=True):
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

"""What the process does that reads PDFs: it is given a path, reads the file from front to back, and answers.

Only this process loads PDFium.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from ctypes import addressof, c_double, c_int, create_string_buffer
from math import hypot, pi
from pathlib import Path

import pypdfium2.raw as pdfium
from msgspec import Struct, json, to_builtins
from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage

from ingest.pdf.blocks import blocks_of, markdown_of
from ingest.pdf.characters import CAPITAL_HEIGHT, Character, with_sizes
from ingest.pdf.description import describe
from ingest.pdf.legibility import is_legible
from ingest.pdf.lines import PageLines, lines_of, reading_order, without_margins
from ingest.pdf.readers import PdfTask, PdfText
from papercore import limits
from papercore.processes.children import Unanswerable
from papercore.snapshot.assets import OCR_MARK

# Characters of one page: what one of small print has, with room to spare.
PDF_PAGE_CHARS = 50_000
# Text turned further is a stamp in the margin or a turned figure.
_UPRIGHT = pi / 36
_BOLD_WEIGHT = 600
_BOLD_FONTS = ("cmbx", "sfbx", "nimbusromno9l-medi")
_LEAST_SIZE = 3
# What PDFium has in the place of a character that it does not know.
_NO_CHARACTERS = (0, 0xFFFE, 0xFFFF)
# Share of a document's pages that cannot be read from which on these are left out.
_ILLEGIBLE_SHARE = 0.1
_HYPHENS = ("\x02", "\xad")
# Where TeX's old fonts have them; PDFium gives the place in the font where nothing says what is there.
_TEX_LIGATURES = {11: "ﬀ", 12: "ﬁ", 14: "ﬃ", 15: "ﬄ"}


def answers(message: bytes) -> Iterator[object]:
    """What the parent is told about a file; Unanswerable says why there is no text."""
    task = json.decode(message, type=PdfTask)
    yield to_builtins(read_pdf(Path(task.path), task.recognised))


def read_pdf(path: Path, recognised: Sequence[PageLines] = ()) -> PdfText:
    try:
        document = PdfDocument(path)
    except PdfiumError as error:
        reason = "it is encrypted" if "password" in str(error).lower() else "it is damaged, or no PDF"
        raise Unanswerable(reason) from None
    try:
        pages: list[PageLines] = []
        turned: list[str] = []
        pages += recognised
        for index in range(0 if recognised else min(len(document), limits.PDF_PAGES)):
            page = document[index]
            lines, in_margin = lines_of(_characters_of(page), page.get_height(), index + 1)
            pages.append(PageLines(index + 1, page.get_width(), page.get_height(), lines))
            turned.append(in_margin)
            page.close()
        is_illegible = not is_legible([line.text for page in pages for line in page.lines])
        bad = [page for page in pages if is_illegible or not is_legible([line.text for line in page.lines])]
        # A page of symbols or an index is no prose either: few of them are no fault of the fonts.
        if len(bad) < _ILLEGIBLE_SHARE * len(pages):
            bad = []
        for page_lines in bad:
            page_lines.lines.clear()
        blocks = blocks_of(reading_order(without_margins(pages)))
        information = {key: str(value) for key, value in document.get_metadata_dict(skip_empty=True).items()}
        description = describe(path, pages[:3], turned, blocks, information)
        numbers = tuple(page_lines.number for page_lines in bad)
        markdown = markdown_of(blocks)
        if recognised and markdown:
            markdown = f"{OCR_MARK}\n\n{markdown}"
        return PdfText(len(document), markdown, description, is_illegible, numbers, bool(recognised))
    except PdfiumError:
        raise Unanswerable("its pages are damaged") from None
    finally:
        document.close()


def _characters_of(page: PdfPage) -> list[Character]:
    """None where most are unknown: the fonts do not say what their characters mean, and the rest is chance."""
    text_page = page.get_textpage()
    try:
        found = with_sizes(_characters(text_page))
    finally:
        text_page.close()
    # Control characters, but for the hyphen that PDFium puts at the end of a line, and those for private use.
    unknown = ("Cc", "Co", "Cn", "Cs")
    known = [
        character
        for character in found
        if character.text in _HYPHENS
        or (character.text != "\ufffd" and unicodedata.category(character.text) not in unknown)
    ]
    return known if 2 * len(known) > len(found) else []


def _characters(text_page: PdfTextPage) -> Iterator[Character]:
    # Every call costs a microsecond: what belongs to a whole piece of text is asked once, and the results are reused.
    handle = text_page.raw
    box, x, y = pdfium.FS_RECTF(), c_double(), c_double()
    edges = [c_double() for _ in range(4)]
    styles: dict[int, _Style] = {}
    after_space = False
    for index in range(min(text_page.count_chars(), PDF_PAGE_CHARS)):
        code = pdfium.FPDFText_GetUnicode(handle, index)
        if code in _NO_CHARACTERS:
            continue
        text = chr(code)
        if code in _TEX_LIGATURES and chr(pdfium.FPDFText_GetUnicode(handle, index + 1)).islower():
            text = _TEX_LIGATURES[code]
        if text.isspace():
            after_space = not pdfium.FPDFText_IsGenerated(handle, index)
            continue
        # With the space around the glyph: the gap after a narrow "1" is none.
        pdfium.FPDFText_GetLooseCharBox(handle, index, box)
        pdfium.FPDFText_GetCharOrigin(handle, index, x, y)
        piece = addressof(pdfium.FPDFText_GetTextObject(handle, index).contents)
        style = styles.get(piece)
        if style is None:
            style = styles[piece] = _Style.of(handle, index)
        size, is_drawn = style.size, style.size < _LEAST_SIZE
        if is_drawn:
            # Fonts of drawn glyphs have units of their own; how high the glyph is tells more.
            pdfium.FPDFText_GetCharBox(handle, index, *edges)
            size = max(edges[3].value - y.value, 0.5) / CAPITAL_HEIGHT
        yield Character(text, box.left, box.right, y.value, size, style.bold, style.upright, is_drawn, after_space)
        after_space = False


class _Style(Struct, frozen=True):
    """What all characters of a piece of text have in common."""

    size: float
    bold: bool
    upright: bool

    @classmethod
    def of(cls, handle: object, index: int) -> "_Style":
        angle = pdfium.FPDFText_GetCharAngle(handle, index)
        upright = angle < _UPRIGHT or angle > 2 * pi - _UPRIGHT
        bold = pdfium.FPDFText_GetFontWeight(handle, index) >= _BOLD_WEIGHT
        if not bold:
            name, flags = create_string_buffer(128), c_int()
            length = pdfium.FPDFText_GetFontInfo(handle, index, name, len(name), flags)
            font = name.raw[: max(0, min(length, len(name)) - 1)].decode("utf-8", "ignore").lower()
            bold = "bold" in font or font.rpartition("+")[2].startswith(_BOLD_FONTS)
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(handle, index, matrix)
        size = pdfium.FPDFText_GetFontSize(handle, index) * hypot(matrix.c, matrix.d)
        return cls(size, bold, upright)

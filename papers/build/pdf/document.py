"""A PDF as a text: markdown with a mark at each page, and what the file says of itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pypdfium2 import PdfDocument, PdfiumError

from papercore import limits
from papercore.text import clean_text
from papers.build.pdf.blocks import Block, blocks_of
from papers.build.pdf.description import PdfDescription, describe
from papers.build.pdf.layout import PageLines, reading_order, without_margins
from papers.build.pdf.lines import lines_of

# What markdown takes for markup. Brackets stay: a backslash before one begins a formula.
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_<>#|$"})
_LINK = re.compile(r"(?<=\])(?=[(:])")


class CannotReadPdf(ValueError):
    """The file is no PDF that can be read; the message says why."""


@dataclass(frozen=True)
class PdfText:
    """`markdown` is empty where the pages hold no text, as in a scan."""

    pages: int
    markdown: str
    description: PdfDescription


def read_pdf(path: Path) -> PdfText:
    try:
        document = PdfDocument(path)
    except PdfiumError as error:
        reason = "it is encrypted" if "password" in str(error).lower() else "it is damaged, or no PDF"
        raise CannotReadPdf(reason) from None
    try:
        return _read(document, path)
    finally:
        document.close()


def _read(document: PdfDocument, path: Path) -> PdfText:
    pages: list[PageLines] = []
    turned: list[str] = []
    for index in range(min(len(document), limits.PDF_PAGES)):
        page = document[index]
        lines, in_margin = lines_of(page, index + 1)
        pages.append(PageLines(index + 1, page.get_width(), page.get_height(), lines))
        turned.append(in_margin)
        page.close()
    blocks = blocks_of(reading_order(without_margins(pages)))
    first_page = pages[0] if pages else None
    information = {key: str(value) for key, value in document.get_metadata_dict(skip_empty=True).items()}
    description = describe(path, first_page, turned[0] if turned else "", blocks, information)
    return PdfText(len(document), markdown_of(blocks), description)


def markdown_of(blocks: Sequence[Block]) -> str:
    """The blocks as markdown. `<!-- page 7 -->` stands before the first block that begins on a page."""
    parts: list[str] = []
    page = 0
    for block in blocks:
        if block.page != page:
            page = block.page
            parts.append(f"<!-- page {page} -->")
        text = escape_markdown(clean_text(block.text))
        parts.append(f"{'#' * block.level} {text}" if block.kind == "heading" else text)
    return "\n\n".join(parts)[: limits.PDF_TEXT_CHARS]


def escape_markdown(text: str) -> str:
    """A line of plain text that markdown shows as it is."""
    escaped = _LINK.sub(" ", text.translate(_ESCAPED))
    return f"\\{escaped}" if escaped.startswith(("-", "+", "=", "~")) else escaped

"""Reads one PDF from front to back. Needs the extra `pdf`, so only the process that reads PDFs imports it."""

from pathlib import Path

from pypdfium2 import PdfDocument, PdfiumError

from ingest.pdf.blocks import blocks_of
from ingest.pdf.characters import characters_of
from ingest.pdf.description import describe
from ingest.pdf.document import PdfText, markdown_of
from ingest.pdf.layout import PageLines, reading_order, without_margins
from ingest.pdf.lines import lines_of
from papercore import limits


class CannotReadPdf(ValueError):
    """The file is no PDF that can be read; the message says why."""


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
        lines, in_margin = lines_of(characters_of(page), page.get_height(), index + 1)
        pages.append(PageLines(index + 1, page.get_width(), page.get_height(), lines))
        turned.append(in_margin)
        page.close()
    blocks = blocks_of(reading_order(without_margins(pages)))
    first_page = pages[0] if pages else None
    information = {key: str(value) for key, value in document.get_metadata_dict(skip_empty=True).items()}
    description = describe(path, first_page, turned[0] if turned else "", blocks, information)
    return PdfText(len(document), markdown_of(blocks), description)

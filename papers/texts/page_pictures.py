"""Pages of a paper's PDF as pictures, for readers of what text garbles: formulas, tables, figures."""

from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore

from ingest.pdf.readers import UnreadablePdf
from ingest.pdf.readers import page_picture as draw_page
from papercore.snapshot.assets import pdf_key
from papers.catalogue.lookup import find_paper
from papers.snapshot import assets
from papers.snapshot.errors import PageNotAvailable, SourceNotAvailable

# A PDF of which a page is drawn.
DRAWN_PDF_BYTES = 90_000_000
# Drawing takes a core for a moment; more at once would slow everybody down.
_drawing = BoundedSemaphore(2)


def page_picture(paper_id: str, number: int) -> bytes:
    """Page `number` of the paper's PDF as PNG, counted from 1."""
    paper = find_paper(paper_id)
    if not paper.pdf_content_hash:
        raise SourceNotAvailable(f"This library has no PDF of paper {paper_id}.", paper_id=paper_id)
    return _drawn(paper.pdf_content_hash, number)


@lru_cache(maxsize=32)
def first_page_picture(path: Path) -> bytes:
    """Of a file that is not in the library yet."""
    if path.stat().st_size > DRAWN_PDF_BYTES:
        raise PageNotAvailable(f"The PDF is larger than {DRAWN_PDF_BYTES // 10**6} MB.")
    return _picture(path.read_bytes(), 1)


@lru_cache(maxsize=32)
def _drawn(content_hash: str, number: int) -> bytes:
    stream = assets.store().open(pdf_key(content_hash))
    content = bytearray()
    try:
        for piece in stream:
            content += piece
            if len(content) > DRAWN_PDF_BYTES:
                raise PageNotAvailable(f"The PDF is larger than {DRAWN_PDF_BYTES // 10**6} MB.")
    finally:
        stream.close()
    return _picture(bytes(content), number)


def _picture(content: bytes, number: int) -> bytes:
    try:
        with _drawing:
            return draw_page(content, number)
    except UnreadablePdf as error:
        raise PageNotAvailable(f"Page {number} cannot be shown: {error}.") from None

"""What the process does that draws a page of a PDF: it is given the number and the file, and answers with a PNG."""

import base64
import struct
import zlib
from collections.abc import Iterator

import numpy as np
from pypdfium2 import PdfDocument, PdfiumError

from papercore.processes.children import Unanswerable

# The longer side in pixels: small print can be read, and models look at no more.
_PIXELS = 1_568
_GRAY, _COLOUR = 0, 2


def answers(message: bytes) -> Iterator[object]:
    """The picture of a page; the message is the page's number in four bytes, then the PDF."""
    yield base64.b64encode(draw(message[4:], int.from_bytes(message[:4]))).decode()


def draw(pdf: bytes, number: int) -> bytes:
    try:
        document = PdfDocument(pdf)
    except PdfiumError:
        raise Unanswerable("the PDF is encrypted, damaged, or none") from None
    try:
        if not 1 <= number <= len(document):
            raise Unanswerable(f"the PDF has {len(document)} pages")
        page = document[number - 1]
        scale = _PIXELS / max(page.get_width(), page.get_height(), 1.0)
        pixels = page.render(scale=min(scale, 4.0), rev_byteorder=True).to_numpy()[:, :, :3]
        return _png(np.ascontiguousarray(pixels))
    finally:
        document.close()


def _png(pixels: "np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]") -> bytes:
    """The pixels as a file; a page without colour takes a third."""
    height, width, _ = pixels.shape
    colours = _COLOUR
    if (pixels[:, :, 0] == pixels[:, :, 1]).all() and (pixels[:, :, 0] == pixels[:, :, 2]).all():
        colours, pixels = _GRAY, pixels[:, :, :1]
    # Each row begins with its filter: none.
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

"""A PDF as a text: markdown with a mark at each page, and what the file says of itself."""

import re
from collections.abc import Sequence

from msgspec import Struct

from ingest.pdf.blocks import Block
from ingest.pdf.description import PdfDescription
from papercore.text import clean_text

# Characters of a whole text: what a thick book has, with room to spare.
PDF_TEXT_CHARS = 10_000_000
# How the mark at the beginning of a page begins.
PAGE_MARK = "<!-- page "
# What markdown takes for markup. Brackets stay: a backslash before one begins a formula.
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_<>#|$"})
_LINK = re.compile(r"(?<=\])(?=[(:])")


class PdfText(Struct, frozen=True):
    """`markdown` is empty where the pages hold no text, as in a scan."""

    pages: int
    markdown: str
    description: PdfDescription


def markdown_of(blocks: Sequence[Block]) -> str:
    """The blocks as markdown. `<!-- page 7 -->` stands before the first block that begins on a page."""
    parts: list[str] = []
    page = 0
    for block in blocks:
        if block.page != page:
            page = block.page
            parts.append(f"{PAGE_MARK}{page} -->")
        text = escape_markdown(clean_text(block.text))
        parts.append(f"{'#' * block.level} {text}" if block.kind == "heading" else text)
    return "\n\n".join(parts)[:PDF_TEXT_CHARS]


def escape_markdown(text: str) -> str:
    """A line of plain text that markdown shows as it is."""
    escaped = _LINK.sub(" ", text.translate(_ESCAPED))
    return f"\\{escaped}" if escaped.startswith(("-", "+", "=", "~")) else escaped

"""Reads a draft in a child process, whatever its kind, and says in a sentence why one cannot be read."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec import convert, to_builtins

from ingest.drafts.docx import read_docx
from ingest.drafts.latex import LatexReader
from ingest.drafts.manuscript import CollectedText, Manuscript
from ingest.drafts.running_text import TextChunk, add_running_text
from ingest.reading.lines import decode_file
from papercore import limits
from papercore.errors import InvalidInput
from papercore.processes.children import ChildFailed, ChildLimits, ChildProcess, Unanswerable

DRAFT_KINDS = (".tex", ".md", ".txt", ".docx", ".pdf")
_PAGE = re.compile(r"<!-- page (\d{1,4}) -->")
_DRAFT_LIMITS = ChildLimits(
    seconds=limits.DRAFT_READING_SECONDS,
    wait_seconds=2 * limits.DRAFT_READING_SECONDS,
    memory_bytes=limits.PDF_MEMORY_BYTES,
    # Each sentence twice, six bytes for a character of Chinese.
    part_bytes=15 * limits.DRAFT_CHARS,
)


class UnreadableDraft(InvalidInput):
    code = "unreadable_draft"


def read_draft(path: Path) -> Manuscript:
    """The draft of this file; one in LaTeX includes others of its folder."""
    if path.suffix.lower() not in DRAFT_KINDS:
        raise UnreadableDraft(f"{path.name}: only .bib, {', '.join(DRAFT_KINDS)} can be checked.")
    readable = [path.parent if path.suffix.lower() == ".tex" else path]
    with closing(ChildProcess("ingest.drafts.reading:answers", _DRAFT_LIMITS, readable)) as child:
        try:
            return convert(child.ask(str(path.absolute()).encode()), Manuscript)
        except ChildFailed as error:
            raise UnreadableDraft(f"{path.name} cannot be read: {error}.") from None


def answers(message: bytes) -> Iterator[object]:
    """What the child answers about the file with this path."""
    path = Path(message.decode())
    kind = path.suffix.lower()
    try:
        if path.stat().st_size > limits.UPLOAD_BYTES:
            raise Unanswerable(f"it has more than {limits.UPLOAD_BYTES // 10**6} MB")
        collected = CollectedText({".docx": "paragraph", ".pdf": "page"}.get(kind, "line"))  # type: ignore[arg-type]
        if kind == ".tex":
            LatexReader(collected, path.parent).read(path)
        elif kind == ".docx":
            read_docx(path, collected)
        elif kind == ".pdf":
            add_running_text(collected, list(_pages(path)))
        else:
            add_running_text(collected, [TextChunk(decode_file(path.read_bytes())[0], 1)])
    except OSError as error:
        raise Unanswerable(error.strerror or "it cannot be opened") from None
    except RecursionError:
        raise Unanswerable("it is nested too deeply") from None
    manuscript = collected.manuscript()
    if sum(len(sentence.text) for sentence in manuscript.sentences) > limits.DRAFT_CHARS:
        raise Unanswerable(f"it has more than {limits.DRAFT_CHARS:,} characters")
    yield to_builtins(manuscript)


def _pages(path: Path) -> Iterator[TextChunk]:
    # Loads PDFium, which no other draft needs.
    from ingest.pdf.reading import read_pdf

    read = read_pdf(path)
    if not read.markdown:
        raise Unanswerable("it has no text, as a scan has none")
    parts = _PAGE.split(read.markdown)
    first = [TextChunk(parts[0], 1)] if parts[0].strip() else []
    yield from [*first, *(TextChunk(text, int(number)) for number, text in zip(parts[1::2], parts[2::2], strict=True))]

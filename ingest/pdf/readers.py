"""Reads PDFs in processes of their own, as many as there are cores: each file's text, and what it says of itself."""

import base64
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

from msgspec import Struct, convert, json

from ingest.pdf.blocks import PAGE_MARK
from ingest.pdf.description import PdfDescription
from ingest.pdf.lines import PageLines
from papercore import limits
from papercore.processes.children import ChildCancelled, ChildFailed, ChildLimits, ChildProcess

# Raise it when a file is read otherwise than before: all PDFs of every library are then read again.
VERSION = "1"
# By the clock more than of processor time, for a slow disk and a busy machine.
PDF_LIMITS = ChildLimits(
    seconds=limits.PDF_SECONDS, wait_seconds=3 * limits.PDF_SECONDS, memory_bytes=limits.PDF_MEMORY_BYTES
)


class PdfText(Struct, frozen=True):
    """`markdown` is empty where the pages hold no text, as in a scan, or none that is of any language: then
    `is_illegible`. `illegible_pages` are left out of it."""

    pages: int
    markdown: str
    description: PdfDescription
    is_illegible: bool = False
    illegible_pages: tuple[int, ...] = ()
    is_recognised: bool = False


class PdfTask(Struct, frozen=True):
    """A file to read; pages that were read by OCR take the place of the file's own."""

    path: str
    recognised: tuple[PageLines, ...] = ()


def lost_text(pdf: PdfText) -> str:
    """What of a PDF's text cannot be searched, and why; empty if nothing is."""
    offer = "" if pdf.is_recognised else "; papersite ocr reads its pages as pictures"
    if pdf.is_illegible:
        reason = "its text cannot be decoded (the fonts do not tell their characters)"
        return f"{reason}; kept as a file, not searched{offer}"
    if not pdf.markdown:
        return f"it has no text (a scan); kept as a file, not searched{offer}"
    if needs_ocr(pdf):
        return f"most of its pages have no text (a scan), and are not searched{offer}"
    if pdf.illegible_pages:
        pages = ", ".join(map(str, pdf.illegible_pages[:20]))
        return f"the text of these pages cannot be decoded, and is not searched: {pages}"
    return ""


def needs_ocr(pdf: PdfText) -> bool:
    """Whether at least half of the pages have no text that can be used, and were not read by OCR."""
    return not pdf.is_recognised and (pdf.is_illegible or 2 * pdf.markdown.count(PAGE_MARK) <= pdf.pages > 0)


class UnreadablePdf(ValueError):
    """A PDF that cannot be used; the message says why."""


def page_picture(pdf: bytes, number: int) -> bytes:
    """A page as PNG, drawn in a process of its own; pages count from 1. UnreadablePdf says why there is none."""
    limits_of_drawing = ChildLimits(seconds=20, wait_seconds=60, memory_bytes=limits.PDF_MEMORY_BYTES)
    child = ChildProcess("ingest.pdf.drawing:answers", limits_of_drawing)
    try:
        return base64.b64decode(str(child.ask(number.to_bytes(4) + pdf)))
    except ChildFailed as error:
        raise UnreadablePdf(str(error)) from None
    finally:
        child.close()


class PdfReaders:
    """Reads files in parallel, and gives the results in their order."""

    def __init__(
        self,
        readable: Sequence[Path],
        processes: int | None = None,
        recognised: Callable[[Path], Sequence[PageLines]] | None = None,
    ) -> None:
        """`readable`: the files that are going to be read, or their folders; `recognised` gives pages read by OCR."""
        self._recognised = recognised or (lambda path: ())
        # A folder stands for its files; a link may lead out of it.
        folders = {path if path.is_dir() else path.parent for path in readable}
        self._readable = [*folders, *(path for path in readable if path.is_symlink())]
        self._size = processes or os.cpu_count() or 1
        self._idle: SimpleQueue[ChildProcess] = SimpleQueue()

    def read_all(self, paths: Iterable[Path]) -> Iterator[tuple[Path, PdfText | UnreadablePdf]]:
        remaining = iter(paths)
        with ThreadPoolExecutor(self._size) as threads:
            # A few files ahead, so that no process waits and the texts of a whole library are never held at once.
            waiting = [(path, self._submit(threads, path)) for path in islice(remaining, 2 * self._size)]
            while waiting:
                path, future = waiting.pop(0)
                yield path, future.result()
                waiting += [(path, self._submit(threads, path)) for path in islice(remaining, 1)]

    def _submit(self, threads: ThreadPoolExecutor, path: Path) -> "Future[PdfText | UnreadablePdf]":
        """In the context of the caller, whose children can be cancelled together."""
        return threads.submit(copy_context().run, self._read, path)

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get().close()

    def _read(self, path: Path) -> PdfText | UnreadablePdf:
        if self._idle.empty():
            process = ChildProcess("ingest.pdf.reading:answers", PDF_LIMITS, self._readable)
        else:
            process = self._idle.get()
        try:
            answer = process.ask(json.encode(PdfTask(str(path.absolute()), tuple(self._recognised(path)))))
        except ChildCancelled:
            raise  # it says nothing of the file, and is not to be remembered of it
        except ChildFailed as error:
            if error.is_refused:
                self._idle.put(process)
            else:
                process.close()
            return UnreadablePdf(str(error))
        except BaseException:
            process.close()
            raise
        self._idle.put(process)
        return convert(answer, PdfText)

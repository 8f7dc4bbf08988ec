"""Reads by OCR the PDFs of a library whose text cannot be used, page by page; what is read is kept, and never again."""

from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct, convert

from ingest.changing import ChangeSettings
from ingest.entries.entry import BuildError, LibraryBusy
from ingest.entries.report import TaskProgress
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.readings import StoredReadings
from ingest.pdf.lines import PageLines
from ingest.pdf.readers import PdfText, needs_ocr
from ingest.pdf.recognition import PageTask
from ingest.update import update_library
from papercore import limits
from papercore.processes.children import ChildFailed, ChildLimits, ChildProcess
from papercore.processes.files import try_lock

NEEDED = "OCR needs the extra `ocr`: pip install 'papersite[ocr]'."
_LOCK = ".ocr.lock"
# For a page: the models take 4 s of processor time, and as much memory as a large picture needs.
_LIMITS = ChildLimits(seconds=120, wait_seconds=600, memory_bytes=8_000_000_000)


class Recognised(Struct, frozen=True):
    """A PDF that was read by OCR, and its pages; or why it was not."""

    path: Path
    pages: int = 0
    problem: str = ""

    def describe(self) -> str:
        return f"{self.path}: {self.problem or f'{self.pages:,} pages read by OCR'}"


def can_recognise() -> bool:
    return find_spec("rapidocr") is not None


def recognise(library: Path, settings: ChangeSettings) -> Iterator[Recognised]:
    """Each PDF without usable text, once it has been read and is published; one that was begun is gone on with."""
    if not can_recognise():
        raise BuildError(NEEDED)
    if not (library / LEDGER).is_file():
        return
    with (library / _LOCK).open("ab") as lock, closing(StoredReadings(library)) as readings:
        if not try_lock(lock.fileno()):
            raise LibraryBusy(f"The PDFs of {library} are being read by OCR already.")
        for path, pdf in _unread(library, readings):
            try:
                _recognise(path, min(pdf.pages, limits.PDF_PAGES), readings, settings.progress)
            except ChildFailed as error:
                yield Recognised(path, problem=f"OCR cannot read it: {error}")
                continue
            readings.forget(path)
            update_library(library, [path], settings=settings)
            yield Recognised(path, pdf.pages)


def _unread(library: Path, readings: StoredReadings) -> list[tuple[Path, PdfText]]:
    """Of the PDFs that the library has now, those whose text cannot be used; their files must be where they were."""
    with closing(Ledger(library / LEDGER)) as ledger:
        return [
            (path, pdf)
            for path, pdf in readings.pdfs()
            if needs_ocr(pdf) and path.is_file() and ledger.sources_of_file(str(path))
        ]


def _recognise(path: Path, pages: int, readings: StoredReadings, progress: TaskProgress) -> None:
    done = readings.recognised_numbers(path)
    missing = [number for number in range(1, pages + 1) if number not in done]
    child = ChildProcess("ingest.pdf.recognition:answers", _LIMITS, [path])
    with closing(child):
        for number in progress.track(f"OCR of {path.name}", missing, total=len(missing)):
            answer = child.ask(msgspec.json.encode(PageTask(str(path.absolute()), number)))
            readings.keep_recognised(path, convert(answer, PageLines), pages)

"""Reads PDFs in processes of their own, as many as there are cores: each file's text, and what it says of itself."""

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

from msgspec import Struct, convert

from ingest.entries.entry import BuildError
from ingest.pdf.description import PdfDescription
from papercore import limits
from papercore.processes.children import ChildProcess

# How long the process may take to answer, on a slow disk.
PDF_ANSWER_SECONDS = 180


class PdfText(Struct, frozen=True):
    """`markdown` is empty where the pages hold no text, as in a scan."""

    pages: int
    markdown: str
    description: PdfDescription


class UnreadablePdf(ValueError):
    """A PDF that cannot be used; the message says why."""


class _ReaderProcess(ChildProcess):
    def __init__(self) -> None:
        super().__init__("ingest.pdf.reading", PDF_ANSWER_SECONDS)

    def read(self, path: Path) -> PdfText:
        """EOFError if the process ended over the file; after UnreadablePdf it is fit for the next one."""
        answer = self.ask(str(path.absolute()).encode())
        if not answer:
            raise EOFError
        fields = json.loads(answer)
        if "failure" in fields:
            raise UnreadablePdf(fields["failure"])
        return convert(fields, PdfText)


class PdfReaders:
    """Reads files in parallel, and gives the results in their order."""

    def __init__(self, processes: int | None = None) -> None:
        if find_spec("pypdfium2") is None:
            raise BuildError(
                "Reading PDFs needs the package pypdfium2: pip install 'papersite[pdf]'. Nothing was built."
            )
        self._size = processes or os.cpu_count() or 1
        self._idle: SimpleQueue[_ReaderProcess] = SimpleQueue()

    def read_all(self, paths: Iterable[Path]) -> Iterator[tuple[Path, PdfText | UnreadablePdf]]:
        remaining = iter(paths)
        with ThreadPoolExecutor(self._size) as threads:
            # A few files ahead, so that no process waits and the texts of a whole library are never held at once.
            waiting = [(path, threads.submit(self._read, path)) for path in islice(remaining, 2 * self._size)]
            while waiting:
                path, future = waiting.pop(0)
                yield path, future.result()
                waiting += [(path, threads.submit(self._read, path)) for path in islice(remaining, 1)]

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get().stop()

    def _read(self, path: Path) -> PdfText | UnreadablePdf:
        process = _ReaderProcess() if self._idle.empty() else self._idle.get()
        try:
            text = process.read(path)
        except UnreadablePdf as error:
            self._idle.put(process)
            return error
        except (EOFError, OSError):
            process.stop()
            return UnreadablePdf(
                f"it takes more than {limits.PDF_SECONDS} s or {limits.PDF_MEMORY_BYTES // 10**6:,} MB to read"
            )
        except BaseException:
            process.stop()
            raise
        self._idle.put(process)
        return text

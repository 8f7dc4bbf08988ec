"""Reads all inputs: entries, each with its place and source, and the texts of PDFs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ingest.entries.entry import PaperEntry, Problem, Trust, UnusableInput
from ingest.entries.report import ReadingReport, TaskProgress
from ingest.entries.text import folded
from ingest.pdf.blocks import escape_markdown
from ingest.pdf.lines import PageLines
from ingest.pdf.readers import PdfReaders, PdfText, UnreadablePdf, lost_text
from ingest.reading.confined import ConfinedReader, KnownEntries, NothingKnown
from ingest.reading.inputs import Inputs
from ingest.reading.looked_up import LOOKED_UP
from papercore import limits
from papercore.text import clean_text, one_line

# What a PDF begins with, in which a paper's authors are looked for.
_FIRST_CHARS = 4000


class ReadEntry(Struct, frozen=True):
    """An entry, where it stands in words, and what says it: a later reading of the same source takes its place.

    `pdf` is the file that it was read from, with its `text`; `attached_to` the source of the entry that it came with.
    """

    place: str
    source: str
    collection: str
    entry: PaperEntry
    pdf: Path | None = None
    text: str = ""
    attached_to: str = ""


class Readings(KnownEntries, Protocol):
    """Remembers what is read, so that nothing is read twice."""

    def pdf(self, path: Path) -> PdfText | UnreadablePdf | None: ...

    def keep(self, path: Path, read: PdfText | UnreadablePdf) -> None: ...

    def recognised(self, path: Path) -> Sequence[PageLines]:
        """Its pages as OCR read them; none if it did not."""
        ...


class NoReadings(NothingKnown):
    def pdf(self, path: Path) -> PdfText | UnreadablePdf | None:
        return None

    def keep(self, path: Path, read: PdfText | UnreadablePdf) -> None:
        pass

    def recognised(self, path: Path) -> Sequence[PageLines]:
        return ()


class InputReading:
    """One pass over the inputs. `unusable` are bibliographies that gave no paper, `failures` PDFs and what is wrong."""

    def __init__(
        self,
        inputs: Inputs,
        report: ReadingReport,
        progress: TaskProgress,
        readings: Readings | None = None,
    ) -> None:
        self._inputs = inputs
        self._report = report
        self._progress = progress
        self._readings = readings or NoReadings()
        self.unusable: list[UnusableInput] = []
        self.failures: dict[Path, str] = {}

    def entries(self) -> Iterator[ReadEntry]:
        """Of bibliographies, then of PDFs: those that came with an entry, and those that are inputs themselves."""
        attached: dict[Path, str] = {}
        linked = [folder for folder in (self._inputs.folders.zotero_base, self._inputs.folders.pdf) if folder]
        with closing(ConfinedReader(self._inputs.bibliographies, linked, self._readings)) as reader:
            for path in self._inputs.bibliographies:
                for read, pdf in self._entries_in(path, reader):
                    if pdf:
                        attached.setdefault(pdf, read.source)
                    yield read
            loose = reader.loose_pdfs
        yield from self._pdf_entries(loose, attached)

    def _entries_in(self, path: Path, reader: ConfinedReader) -> Iterator[tuple[ReadEntry, Path | None]]:
        count, said = 0, set[str]()
        first_problem: Problem | None = None
        seen: dict[str, int] = {}
        try:
            for item in self._progress.track(f"Reading {path.name}", reader.read(path)):
                if isinstance(item, Problem):
                    first_problem = first_problem or item
                    self._report.skip(item, self._progress)
                    continue
                for warning in item.warnings:
                    # What is true of the whole file is said once.
                    if warning not in said:
                        said.add(warning)
                        self._report.note(Problem(f"{path}:{item.line}", warning), self._progress)
                count += 1
                self._report.read += 1
                self._report.known += item.is_known
                if item.looked_up_at is not None:
                    place = f"{LOOKED_UP} {f'at {item.looked_up_at}' if item.looked_up_at else 'in vain'}: {item.key}"
                    yield ReadEntry(item.key, f"{LOOKED_UP} {item.key}", place, item.entry), None
                    continue
                key = item.key or item.entry.bib_key or item.entry.doi or item.entry.arxiv or item.entry.title
                seen[key] = seen.get(key, 0) + 1
                source = f"{path}#{key}" + (f"#{seen[key]}" if seen[key] > 1 else "")
                yield ReadEntry(f"{path}:{item.line}", source, str(path), item.entry), item.pdf
        except UnusableInput as error:
            self.unusable.append(error)
            return
        if not count and not reader.loose_pdfs:
            self.unusable.append(UnusableInput([path], f"{first_problem or path}: no paper found. Nothing was built."))

    def _pdf_entries(self, loose: Sequence[Path], attached: dict[Path, str]) -> Iterator[ReadEntry]:
        """Each PDF as an entry; what it says of itself counts least."""
        paths = list(dict.fromkeys([*self._inputs.all_pdfs, *loose, *attached]))
        for path, pdf in self._progress.track("Reading PDFs", self._pdfs(paths, attached), total=len(paths)):
            cached = cached_text(path) if isinstance(pdf, UnreadablePdf) or not pdf.markdown else ""
            if isinstance(pdf, UnreadablePdf) and not cached:
                self.failures[path] = f"its text cannot be read: {pdf}"
                entry = unreadable_entry(path)
            elif isinstance(pdf, UnreadablePdf):
                entry = unreadable_entry(path)
            else:
                entry = entry_of(path, pdf)
                if not cached and (lost := lost_text(pdf)):
                    self._report.note(Problem(str(path), lost), self._progress)
            text = cached or ("" if isinstance(pdf, UnreadablePdf) else pdf.markdown)
            self._report.read += path not in attached
            yield ReadEntry(f"{path}:1", str(path), str(path), entry, path, text, attached.get(path, ""))

    def _pdfs(
        self, paths: Sequence[Path], attached: Mapping[Path, str]
    ) -> Iterator[tuple[Path, PdfText | UnreadablePdf]]:
        missing = []
        for path in paths:
            try:
                read = self._readings.pdf(path)
            except OSError as error:
                self.failures[path] = f"it cannot be opened: {error.strerror}"
                continue
            if read:
                self._report.known += path not in attached
                yield path, read
            else:
                missing.append(path)
        if not missing:
            return
        with closing(PdfReaders(missing, recognised=self._readings.recognised)) as readers:
            for path, read in readers.read_all(missing):
                self._readings.keep(path, read)
                yield path, read


def entry_of(path: Path, pdf: PdfText) -> PaperEntry:
    """What the file says of itself, as an entry."""
    description = pdf.description
    return PaperEntry(
        title=description.title,
        trust=Trust.PDF,
        authors=description.authors,
        date=description.year,
        abstract=description.abstract,
        doi=description.doi,
        arxiv=description.arxiv,
        source_path=path.name,
        file_pages=pdf.pages,
        first_words=folded(pdf.markdown[:_FIRST_CHARS]),
    )


def unreadable_entry(path: Path) -> PaperEntry:
    """A file that says nothing: it is a paper's only by its name."""
    return PaperEntry(title="", trust=Trust.PDF, source_path=path.name)


def cached_text(path: Path) -> str:
    """The text that Zotero took from a PDF, which lies beside it; empty if there is none."""
    cache = path.parent / ".zotero-ft-cache"
    if not cache.is_file() or cache.stat().st_size > limits.ASSET_BYTES:
        return ""
    paragraphs = clean_text(cache.read_text(encoding="utf-8", errors="replace")).split("\n\n")
    return "\n\n".join(escape_markdown(one_line(paragraph)) for paragraph in paragraphs)

"""Reads all inputs: entries with the numbers of their papers, and the files of each paper."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from ingest.entries.entry import LocatedEntry, PaperEntry, Problem, UnusableInput
from ingest.entries.report import ReadingReport, TaskProgress
from ingest.entries.text import folded
from ingest.input_files import FilesByName, PdfPapers, TranslationsByName, cached_text, entry_of, names_of
from ingest.matching.matcher import Matcher
from ingest.matching.records import EntryStore, Rank, Record
from ingest.pdf.readers import PdfReaders, UnreadablePdf, lost_text
from ingest.publishing.assets import AssetError, AssetWriter, PaperFiles
from ingest.reading.confined import ConfinedReader
from ingest.reading.inputs import Inputs
from papercore.snapshot.layout import ASSETS

# Called with the place, the entry and the number of its paper.
EntryListener = Callable[[str, PaperEntry, int], None]


class InputReading:
    """One pass over the inputs; what does not fit in memory is kept in the given folder."""

    def __init__(
        self,
        folder: Path,
        inputs: Inputs,
        matcher: Matcher,
        report: ReadingReport,
        progress: TaskProgress,
        on_entry: EntryListener = lambda place, entry, number: None,
    ) -> None:
        self._inputs = inputs
        self._matcher = matcher
        self._report = report
        self._progress = progress
        self._on_entry = on_entry
        self.sources = FilesByName(inputs.folders.markdown, ".md", titles=True)
        self.translations = TranslationsByName(inputs.folders.translations)
        self.pdfs = FilesByName(inputs.folders.pdf, ".pdf", also=inputs.pdfs)
        self._pdf_papers = PdfPapers(folder / "pdf_texts")
        self._pdf_of: dict[int, Path] = {}
        # Names by which PDFs are found; not kept where there are none.
        self._names = set[str]()
        self._entries = EntryStore(folder / "entries.db")
        image_roots = [root for root in (inputs.folders.markdown, inputs.folders.translations) if root]
        self.assets = AssetWriter(folder / ASSETS, image_roots)

    def close(self) -> None:
        self._entries.close()

    def read(self) -> None:
        """BuildError if an input has no usable entry."""
        linked = [self._inputs.folders.pdf] if self._inputs.folders.pdf else []
        with closing(ConfinedReader(self._inputs.bibliographies, linked)) as reader:
            for file_number, path in enumerate(self._inputs.bibliographies):
                self._read_file(path, file_number, reader.read(path))
        self._read_pdfs()

    def file_names(self) -> list[str]:
        """The names and headings of all files that belong to papers."""
        return list(dict.fromkeys([*self.sources.names, *self.translations.names, *self.pdfs.names]))

    def add(self, number: int, entry: PaperEntry, rank: Rank) -> None:
        """Add an entry about the paper with this number; the lower the rank, the more its values count."""
        if self.pdfs.paths:
            self._names.update(names_of(entry))
        self._entries.add(number, entry, rank)

    @property
    def has_files(self) -> bool:
        """Whether there is any file that may belong to a paper."""
        return bool(self.sources.names or self.translations.names or self.pdfs.paths or self._pdf_papers.number_of)

    def papers(self) -> Iterator[tuple[int, list[str]]]:
        """Every paper's number with its entries as they are stored, once all are read."""
        self._entries.renumber(self._matcher.root, len(self._matcher.keys))
        pdfs = self._pdf_papers.number_of
        for path, number in pdfs.items():
            self._pdf_of.setdefault(self._matcher.root(number), path)
        for path in sorted(pdfs.keys() - set(self._pdf_of.values())):
            self._note(Problem(str(path), "another PDF of the same paper is used"))
        yield from self._entries.papers()

    def _read_file(self, path: Path, file_number: int, items: Iterator[LocatedEntry | Problem]) -> None:
        read_before, said = self._report.read, set[str]()
        first_problem: Problem | None = None
        for item in self._progress.track(f"Reading {path.name}", items):
            if isinstance(item, Problem):
                first_problem = first_problem or item
                self._skip(item)
            else:
                number = self._add_entry(path, file_number, item, Rank.BIBLIOGRAPHY)
                if item.pdf:
                    self._pdf_papers.number_of[item.pdf] = number
                # What is odd about an entry; what is true of the whole file is said once.
                for warning in item.warnings:
                    if warning not in said:
                        said.add(warning)
                        self._note(Problem(f"{path}:{item.line}", warning))
        if self._report.read == read_before:
            raise UnusableInput([path], f"{first_problem or path}: no paper found. Nothing was built.")

    def _read_pdfs(self) -> None:
        """Read the text of every PDF. One that no paper is named after becomes an entry of its own."""
        attached = list(self._pdf_papers.number_of)
        paths = list(dict.fromkeys([*self.pdfs.paths, *attached]))
        if not paths:
            return
        first_problem, is_any_readable = None, False
        with closing(PdfReaders(paths)) as readers:
            for path, pdf in self._progress.track("Reading PDFs", readers.read_all(paths), total=len(paths)):
                named = path in attached or not self._names.isdisjoint((path.stem.lower(), folded(path.stem)))
                if (isinstance(pdf, UnreadablePdf) or not pdf.markdown) and (cached := cached_text(path)):
                    self._pdf_papers.keep_text(path, cached)
                    is_any_readable = True
                    continue
                if isinstance(pdf, UnreadablePdf):
                    self._pdf_papers.unreadable.add(path)
                    problem = Problem(str(path), f"its text cannot be read: {pdf}")
                    first_problem = first_problem or problem
                    (self._note if named else self._skip)(problem)
                    continue
                is_any_readable = True
                if pdf.markdown:
                    self._pdf_papers.keep_text(path, pdf.markdown)
                if lost := lost_text(pdf):
                    self._note(Problem(str(path), lost))
                if not named:
                    located = LocatedEntry(1, entry_of(path, pdf))
                    self._pdf_papers.number_of[path] = self._add_entry(path, -1, located, Rank.PDF)
        if not self._report.read and not is_any_readable:
            raise UnusableInput(paths, f"{first_problem or paths[0]}: no paper found. Nothing was built.")

    def _add_entry(self, path: Path, file_number: int, located: LocatedEntry, rank: Rank) -> int:
        entry, place = located.entry, f"{path}:{located.line}"
        number = self._matcher.number_of(entry, file_number)
        if entry.doi and self._matcher.is_doi_of_another(entry, number):
            self._note(Problem(place, f"doi:{entry.doi} belongs to another paper; left out here"))
            entry = entry.model_copy(update={"doi": None})
        self.add(number, entry, rank)
        self._on_entry(place, entry, number)
        self._report.read += 1
        return number

    def add_files(self, number: int, record: Record, files: PaperFiles) -> list[Path]:
        """Store the paper's files, and return their paths. A PDF's text serves if there is no other.

        Those that cannot be used are skipped.
        """
        pdf = self._pdf_of.get(number) or self.pdfs.find(record)
        source = named = self.sources.find(record)
        if source is None and pdf and not files.has_markdown:
            source = self._pdf_papers.texts.get(pdf)
        if source:
            self._try(source, partial(self.assets.add_source, files, source))
        translations = self.translations.find(record, source)
        for translation in translations:
            self._try(
                translation.path,
                partial(self.assets.add_translation, files, translation.lang, translation.path, source),
            )
        if pdf:
            self._try(pdf, partial(self.assets.add_pdf, files, pdf))
        for name in (name for name, key in files.images.items() if key is None):
            self._note(Problem(str(source or record.title), f"the image {name} is missing"))
        texts = [text for text in (named, *(translation.path for translation in translations)) if text]
        return [*texts, *([pdf] if pdf else [])]

    def note_unused_files(self) -> None:
        """Say which files belong to no paper, once those of all papers were added."""
        # A PDF that became an entry has a paper, and one that cannot be read was named already.
        known = self._pdf_papers.number_of.keys() | self._pdf_papers.unreadable
        unused_pdfs = [path for path in self.pdfs.unused() if path not in known]
        for path in (*self.sources.unused(), *self.translations.unused(), *unused_pdfs):
            self._note(Problem(str(path), "no paper has this name or title"))

    def _try(self, path: Path, add: Callable[[], None]) -> None:
        try:
            add()
        except (AssetError, OSError) as error:
            self._skip(Problem(str(path), str(error)))

    def _skip(self, problem: Problem) -> None:
        self._report.skip(problem, self._progress)

    def _note(self, problem: Problem) -> None:
        self._report.note(problem, self._progress)

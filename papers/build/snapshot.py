"""Builds a snapshot: reads all inputs, finds out which entries are the same paper, writes database and assets."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from papercore.snapshot_checksum import write_checksum
from papercore.snapshot_layout import ASSETS, DATABASE
from papercore.text import one_line
from papers.build.assets import AssetError, AssetWriter
from papers.build.database import SnapshotWriter
from papers.build.entry import LocatedEntry, Problem
from papers.build.entry_store import EntryStore
from papers.build.errors import BuildError
from papers.build.input_files import FilesByName, TranslationsByName, names_of, pdfs_in
from papers.build.matching import Matcher
from papers.build.merge import Record, merge
from papers.build.paper_files import PaperFiles
from papers.build.paper_ids import PreviousIds, identities
from papers.build.pdf import PdfReaders, UnreadablePdf
from papers.build.pdf_papers import PdfPapers, cached_text, entry_of
from papers.build.publish import build_folder, publish, refuse_open_log
from papers.build.readers import ENDINGS, Reader, reader_of
from papers.build.text import folded
from papers.build.zotero import is_zotero, read_zotero
from papers.progress import NoProgress, TaskProgress

# A million broken lines need not all be kept to be counted; each is printed when it is found.
_KEPT_PROBLEMS = 1000


@dataclass(frozen=True)
class BuildFolders:
    """Folders that hold the papers' files."""

    markdown: Path | None = None
    translations: Path | None = None
    pdf: Path | None = None
    zotero: Path | None = None


@dataclass
class SnapshotBuildReport:
    """`read` entries became `papers`; `skipped` entries and files could not be used, `notes` are mere remarks."""

    out: Path
    read: int = 0
    papers: int = 0
    skipped: int = 0
    notes: int = 0
    build_id: str = ""
    problems: list[Problem] = field(default_factory=list)

    @property
    def merged(self) -> int:
        return self.read - self.papers

    def describe(self) -> str:
        """One line for the person at the terminal."""
        return (
            f"{self.out}: {self.papers:,} papers. "
            f"Entries read: {self.read:,}, merged: {self.merged:,}, skipped: {self.skipped:,}."
        )


def build_snapshot(
    inputs: Sequence[Path],
    out: Path,
    folders: BuildFolders | None = None,
    previous: Path | None = None,
    progress: TaskProgress | None = None,
) -> SnapshotBuildReport:
    """Build the database and the asset folder in `out` from the inputs, completely or not at all.

    Entries that cannot be used are skipped and reported; a BuildError means that nothing was built.
    """
    folders = folders or BuildFolders()
    zotero = [*([folders.zotero] if folders.zotero else []), *(path for path in inputs if is_zotero(path))]
    others = [path for path in inputs if path not in zotero]
    pdfs = [pdf for path in others for pdf in pdfs_in(path)]
    files = [path for path in others if not (path.is_dir() or path.suffix.lower() == ".pdf")]
    readers = [*((path, _reader(path)) for path in files), *((path, read_zotero) for path in zotero)]
    if not readers and not pdfs and folders.pdf is None:
        raise BuildError("Nothing to build from: name a bibliography, a PDF, a folder of PDFs or Zotero's data folder.")
    previous_ids = PreviousIds.read(previous / DATABASE) if previous else PreviousIds()
    refuse_open_log(out / DATABASE)
    with build_folder(out) as folder:
        build = _SnapshotBuild(folder, folders, pdfs, progress or NoProgress(), SnapshotBuildReport(out))
        try:
            build.read(readers)
            build.read_pdfs()
            build.write(previous_ids)
        finally:
            build.close()
        write_checksum(folder / DATABASE)
        publish(folder, out)
    return build.report


def _reader(path: Path) -> Reader:
    if not path.is_file():
        raise BuildError(f"{path} is not a file.")
    reader = reader_of(path)
    if reader is None:
        raise BuildError(f"{path}: the name must end in one of {ENDINGS}.")
    return reader


class _SnapshotBuild:
    def __init__(
        self,
        folder: Path,
        folders: BuildFolders,
        pdfs: Sequence[Path],
        progress: TaskProgress,
        report: SnapshotBuildReport,
    ) -> None:
        self.report = report
        self._progress = progress
        self._sources = FilesByName(folders.markdown, ".md", titles=True)
        self._translations = TranslationsByName(folders.translations)
        self._pdfs = FilesByName(folders.pdf, ".pdf", also=pdfs)
        self._pdf_papers = PdfPapers(folder / "pdf_texts")
        self._pdf_of: dict[int, Path] = {}
        # Names by which PDFs are found; not kept where there are none.
        self._names = set[str]()
        self._matcher = Matcher()
        self._entries = EntryStore(folder / "entries.db")
        image_roots = [root for root in (folders.markdown, folders.translations) if root]
        self._assets = AssetWriter(folder / ASSETS, image_roots)
        self._database = SnapshotWriter(folder / DATABASE)

    def close(self) -> None:
        self._entries.close()
        self._database.close()

    def read(self, readers: Sequence[tuple[Path, Reader]]) -> None:
        for file_number, (path, reader) in enumerate(readers):
            read_before, said = self.report.read, set[str]()
            first_problem: Problem | None = None
            for item in self._progress.track(f"Reading {path.name}", reader(path)):
                if isinstance(item, Problem):
                    first_problem = first_problem or item
                    self._skip(item)
                else:
                    number = self._add_entry(path, file_number, item)
                    if item.pdf:
                        self._pdf_papers.keep_number(item.pdf, number)
                    self._warn(path, item, said)
            if self.report.read == read_before:
                raise BuildError(f"{first_problem or path}: no paper found. Nothing was built.")

    def read_pdfs(self) -> None:
        """Read the text of every PDF. One that no paper is named after becomes an entry of its own."""
        attached = self._pdf_papers.attached()
        paths = [*self._pdfs.paths, *attached]
        if not paths:
            return
        read_before, first_problem = self.report.read, None
        with closing(PdfReaders()) as readers:
            for path, pdf in self._progress.track("Reading PDFs", readers.read_all(paths), total=len(paths)):
                named = path in attached or not self._names.isdisjoint((path.stem.lower(), folded(path.stem)))
                if (isinstance(pdf, UnreadablePdf) or not pdf.markdown) and (cached := cached_text(path)):
                    self._pdf_papers.keep_text(path, cached)
                    continue
                if isinstance(pdf, UnreadablePdf):
                    self._pdf_papers.keep_unreadable(path)
                    problem = Problem(str(path), f"its text cannot be read: {pdf}")
                    first_problem = first_problem or problem
                    (self._note if named else self._skip)(problem)
                    continue
                if pdf.markdown:
                    self._pdf_papers.keep_text(path, pdf.markdown)
                else:
                    self._note(Problem(str(path), "it has no text (a scan?); kept as a file"))
                if not named:
                    self._pdf_papers.keep_number(path, self._add_entry(path, -1, LocatedEntry(1, entry_of(path, pdf))))
        if not self.report.read and self.report.read == read_before:
            raise BuildError(f"{first_problem or paths[0]}: no paper found. Nothing was built.")

    def _warn(self, path: Path, located: LocatedEntry, said: set[str]) -> None:
        """Say what is odd about an entry; what is true of the whole file, once."""
        for warning in located.warnings:
            if warning not in said:
                said.add(warning)
                self._note(Problem(f"{path}:{located.line}", warning))

    def _add_entry(self, path: Path, file_number: int, located: LocatedEntry) -> int:
        entry = located.entry
        if self._pdfs.paths:
            self._names.update(names_of(entry))
        number = self._matcher.number_of(entry, file_number)
        if entry.doi and self._matcher.is_doi_of_another(entry, number):
            self._note(Problem(f"{path}:{located.line}", f"doi:{entry.doi} belongs to another paper; left out here"))
            entry = entry.model_copy(update={"doi": None})
        self._entries.add(number, entry)
        self.report.read += 1
        return number

    def write(self, previous_ids: PreviousIds) -> None:
        keys = {number: keys for number, keys in enumerate(self._matcher.keys) if keys}
        self._entries.renumber(self._matcher.root, len(self._matcher.keys))
        self._pdf_of = self._pdf_papers.by_paper(self._matcher.root)
        for path in self._pdf_papers.second_files(self._pdf_of):
            self._note(Problem(str(path), "another PDF of the same paper is used"))
        identity_of = identities(keys, previous_ids)
        for number, entries in self._progress.track("Writing", self._entries.papers(), total=len(keys)):
            record, paper_id = merge(entries), identity_of[number].paper_id
            files = self._files(number, record)
            self._database.add(identity_of[number], record, files)
            self._assets.write_summaries(paper_id, record)
            self._assets.write_manifest(paper_id, record, files)
            self.report.papers += 1
        unused_pdfs = [path for path in self._pdfs.unused() if not self._pdf_papers.reported(path)]
        for path in (*self._sources.unused(), *self._translations.unused(), *unused_pdfs):
            self._note(Problem(str(path), "no paper has this name or title"))
        self._progress.say("Counting and indexing")
        self.report.build_id = self._database.finish()

    def _files(self, number: int, record: Record) -> PaperFiles:
        """Store the paper's files; those that cannot be used are skipped. A PDF's text serves if there is no other."""
        files = PaperFiles()
        pdf = self._pdf_of.get(number) or self._pdfs.find(record)
        source = self._sources.find(record) or self._pdf_papers.text(pdf)
        if source:
            self._try(source, partial(self._assets.add_source, files, source))
        for translation in self._translations.find(record, source):
            self._try(translation.path, partial(self._assets.add_translation, files, translation, source))
        if pdf:
            self._try(pdf, partial(self._assets.add_pdf, files, pdf))
        for name in (name for name, key in files.images.items() if key is None):
            self._note(Problem(str(source or record.title), f"the image {name} is missing"))
        return files

    def _try(self, path: Path, add: Callable[[], None]) -> None:
        try:
            add()
        except (AssetError, OSError) as error:
            self._skip(Problem(str(path), str(error)))

    def _skip(self, problem: Problem) -> None:
        self.report.skipped += 1
        self._report(problem)

    def _note(self, problem: Problem) -> None:
        self.report.notes += 1
        self._report(problem)

    def _report(self, problem: Problem) -> None:
        if len(self.report.problems) < _KEPT_PROBLEMS:
            self.report.problems.append(problem)
        self._progress.say(one_line(str(problem)))

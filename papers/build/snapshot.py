"""Builds a snapshot: reads all inputs, finds out who is who, writes database and assets, publishes them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from papercore.snapshot_layout import ASSETS, DATABASE
from papers.build.assets import AssetError, AssetWriter, PaperFiles
from papers.build.database import SnapshotWriter
from papers.build.entry import LocatedEntry, Problem
from papers.build.entry_store import EntryStore
from papers.build.errors import BuildError
from papers.build.input_files import FilesByName, TranslationsByName
from papers.build.matching import Matcher
from papers.build.merge import Record, merge
from papers.build.paper_ids import PreviousIds, identities
from papers.build.publish import publish, refuse_open_log, workshop
from papers.build.readers import ENDINGS, reader_of
from papers.build.text import clean_line
from papers.progress import NoProgress, TaskProgress


@dataclass(frozen=True)
class BuildFolders:
    """Folders that hold the papers' files."""

    markdown: Path | None = None
    translations: Path | None = None
    pdf: Path | None = None


@dataclass
class SnapshotBuildReport:
    """What became of the inputs: `read` entries, less `merged` ones, are the `papers`."""

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


# A million broken lines need not all be kept to be counted; each is said as it is met.
_KEPT_PROBLEMS = 1000


def build_snapshot(
    inputs: Sequence[Path],
    out: Path,
    folders: BuildFolders | None = None,
    previous: Path | None = None,
    progress: TaskProgress | None = None,
) -> SnapshotBuildReport:
    """Build `out`/paper_snapshot.db and `out`/static from the inputs, whole or not at all.

    Entries that cannot be used are skipped and reported; a BuildError means that nothing was built.
    """
    for path in inputs:
        _refuse_unknown(path)
    known = PreviousIds.read(previous / DATABASE) if previous else PreviousIds()
    refuse_open_log(out / DATABASE)
    with workshop(out) as work:
        build = _SnapshotBuild(work, folders or BuildFolders(), progress or NoProgress(), SnapshotBuildReport(out))
        try:
            build.read(inputs)
            build.write(known)
        finally:
            build.close()
        publish(work, out)
    return build.report


def _refuse_unknown(path: Path) -> None:
    if not path.is_file():
        raise BuildError(f"{path} is not a file.")
    if reader_of(path) is None:
        raise BuildError(f"{path}: the name must end in one of {ENDINGS}.")


class _SnapshotBuild:
    def __init__(self, work: Path, folders: BuildFolders, progress: TaskProgress, report: SnapshotBuildReport) -> None:
        self.report = report
        self._progress = progress
        self._sources = FilesByName(folders.markdown, ".md", titles=True)
        self._translations = TranslationsByName(folders.translations)
        self._pdfs = FilesByName(folders.pdf, ".pdf")
        self._matcher = Matcher()
        self._staging = EntryStore(work / "entries.db")
        roots = [root for root in (folders.markdown, folders.translations) if root]
        self._assets = AssetWriter(work / ASSETS, roots)
        self._writer = SnapshotWriter(work / DATABASE)

    def close(self) -> None:
        self._staging.close()
        self._writer.close()

    def read(self, inputs: Sequence[Path]) -> None:
        for file_number, path in enumerate(inputs):
            for found in self._progress.track(f"Reading {path.name}", _read(path)):
                if isinstance(found, Problem):
                    self._skip(found)
                else:
                    self._stage(path, file_number, found)

    def _stage(self, path: Path, file_number: int, found: LocatedEntry) -> None:
        entry = found.entry
        number = self._matcher.number_of(entry, file_number)
        if entry.doi and self._matcher.doi_belongs_elsewhere(entry, number):
            self._note(Problem(f"{path}:{found.line}", f"doi:{entry.doi} is another paper's; left out here"))
            entry = entry.model_copy(update={"doi": None})
        self._staging.add(number, entry)
        self.report.read += 1

    def write(self, previous: PreviousIds) -> None:
        keys = {number: keys for number, keys in enumerate(self._matcher.keys) if keys}
        self._staging.join(self._matcher.root, len(self._matcher.keys))
        ids = identities(keys, previous)
        papers = self._staging.papers()
        for number, entries in self._progress.track("Writing", papers, total=len(keys)):
            record = merge(entries)
            files = self._files(record)
            self._writer.add(ids[number], record, files)
            self._assets.write_summaries(ids[number].paper_id, record)
            self._assets.write_manifest(ids[number].paper_id, record, files)
            self.report.papers += 1
        for path in (*self._sources.unused(), *self._translations.unused(), *self._pdfs.unused()):
            self._note(Problem(str(path), "no paper goes by this name or title"))
        self._progress.say("Counting and indexing")
        self.report.build_id = self._writer.finish()

    def _files(self, record: Record) -> PaperFiles:
        files = PaperFiles()
        source = self._sources.find(record)
        if source:
            self._try(source, partial(self._assets.add_source, files, source))
        for translation in self._translations.find(record, source):
            self._try(translation.path, partial(self._assets.add_translation, files, translation, source))
        pdf = self._pdfs.find(record)
        if pdf:
            self._try(pdf, partial(self._assets.add_pdf, files, pdf))
        for name in (name for name, key in files.images.items() if key is None):
            self._note(Problem(str(source or record.title), f"the image {name} is not there"))
        return files

    def _try(self, path: Path, add: Callable[[], None]) -> None:
        try:
            add()
        except (AssetError, OSError) as error:
            self._skip(Problem(str(path), str(error)))

    def _skip(self, problem: Problem) -> None:
        self.report.skipped += 1
        self._tell(problem)

    def _note(self, problem: Problem) -> None:
        self.report.notes += 1
        self._tell(problem)

    def _tell(self, problem: Problem) -> None:
        if len(self.report.problems) < _KEPT_PROBLEMS:
            self.report.problems.append(problem)
        self._progress.say(clean_line(str(problem)))


def _read(path: Path) -> Iterator[LocatedEntry | Problem]:
    reader = reader_of(path)
    return iter(()) if reader is None else reader(path)

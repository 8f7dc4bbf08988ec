"""One import of files: read, and taken into the ledger batch by batch, so that papers appear while others are read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import Problem, UnusableInput
from ingest.entries.report import TaskProgress, UpdateReport
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.readings import StoredReadings
from ingest.ledger.rows import Decisions
from ingest.publishing.paper_files import PaperFileStore
from ingest.publishing.publish import refuse_other_files
from ingest.reading.input_reading import InputReading, ReadEntry
from ingest.reading.inputs import Inputs

# What is read before papers are published: little at first, so that the first ones appear soon, then more, because each
# version of a large library takes seconds. Entries are read so fast that their number need not be bounded.
_FIRST_PDFS, _MOST_PDFS = 25, 400
_FIRST_ENTRIES = 200


class Batch(Struct, frozen=True):
    reads: list[ReadEntry]
    is_first: bool
    is_last: bool


class Import:
    """What is said by inputs, taken away by name, and by files that are gone; with `follow`, nothing else remains."""

    def __init__(
        self,
        library: Path,
        inputs: Inputs,
        report: UpdateReport,
        progress: TaskProgress,
        *,
        remove: Sequence[str] = (),
        gone: Sequence[Path] = (),
        follow: bool = False,
        decisions: Decisions | None = None,
    ) -> None:
        refuse_other_files(library)
        library.mkdir(parents=True, exist_ok=True)
        self._inputs = inputs
        self._report = report
        self._progress = progress
        self._remove = remove
        self._gone = gone
        self._follow = follow
        self._decisions = decisions or Decisions()
        self._readings = StoredReadings(library)
        self._reading = InputReading(inputs, report, progress, readings=self._readings)
        self._sources = set[str]()
        self._attached = set[Path]()
        self._touched = set[int]()

    def close(self) -> None:
        self._readings.close()

    def batches(self) -> Iterator[Batch]:
        """At least one. UnusableInput after the last if no input gave a paper: none was handed out then."""
        reads: list[ReadEntry] = []
        most_pdfs, most_entries = _FIRST_PDFS, _FIRST_ENTRIES
        pdfs, is_first, has_title = 0, True, False
        for read in self._reading.entries():
            if has_title and (pdfs >= most_pdfs or len(reads) >= most_entries):
                yield Batch(reads, is_first, is_last=False)
                reads, pdfs, is_first = [], 0, False
                most_pdfs, most_entries = min(2 * most_pdfs, _MOST_PDFS), 2 * most_entries
            self._sources.add(read.source)
            if read.pdf and read.attached_to:
                self._attached.add(read.pdf)
            has_title |= bool(read.entry.title)
            if read.source not in self._decisions.left_out:
                reads.append(read)
                pdfs += read.pdf is not None
        self._say_what_failed(has_title)
        yield Batch(reads, is_first, is_last=True)

    def _say_what_failed(self, has_title: bool) -> None:
        failures = self._reading.failures
        failed = [UnusableInput([path], f"{path}: {failure}") for path, failure in failures.items()]
        for error in (*self._reading.unusable, *failed):
            if self._attached.issuperset(error.paths):
                self._report.note(Problem(str(error.paths[0]), failures[error.paths[0]]), self._progress)
            else:
                self._report.refuse(error, self._progress)
        if self._report.unusable and not has_title:
            raise UnusableInput(self._report.unusable, str(next(iter((*self._reading.unusable, *failed)))))

    def take_in(self, batch: Batch, folder: Path, change: LibraryChange, operation: int) -> None:
        """`folder` is where the assets of texts are written."""
        hashes = {read.pdf: self._readings.hash_of(read.pdf) for read in batch.reads if read.pdf}
        change.add(operation, batch.reads, hashes, self._decisions)
        for name in self._remove if batch.is_first else ():
            change.ledger.add_removal(operation, change.paper(name))
        self._touched |= change.entries
        if not batch.is_last:
            return
        if self._inputs.has_files:
            change.entries |= self._touched
            store = PaperFileStore(folder, self._inputs.folders, self._report, self._progress)
            change.attach_texts(operation, store)
        if self._follow:
            files = {*self._gone, *self._inputs.bibliographies, *self._inputs.all_pdfs} - set(self._report.unusable)
            for path in files:
                change.withdraw(operation, set(change.ledger.sources_of_file(str(path))) - self._sources)

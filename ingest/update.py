"""Adds the papers of inputs to a library through its ledger, or tells what that would do; removes papers."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from ingest.changing import ChangeSettings, change_library, changing, errors_translated, found, open_library
from ingest.entries.entry import BuildError, Problem, UnusableInput
from ingest.entries.report import NoProgress, TaskProgress, UpdateReport
from ingest.input_files import PaperFileStore
from ingest.input_reading import InputReading, ReadEntry
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.readings import StoredReadings
from ingest.ledger.rows import OperationKind
from ingest.publishing.publish import build_folder
from ingest.reading.inputs import BuildFolders, Inputs
from papercore.snapshot.layout import DATABASE


def update_library(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    *,
    gone: Sequence[Path] = (),
    follow: bool = False,
    settings: ChangeSettings | None = None,
) -> UpdateReport:
    """Add the papers of these inputs to a library, or change the ones it has; remove papers by id or key.

    An input that cannot be used is reported, and does not stop the others. With `follow`, what a file said before and
    says no more is withdrawn; `gone` are files that say nothing any more. A library that is not there is founded.
    A BuildError means that nothing was changed.
    """
    settings = settings or ChangeSettings()
    report = UpdateReport(library=library)
    inputs = _inputs(add, folders, report, settings.progress)
    if not (inputs.has_papers or inputs.has_files or remove or gone or report.unusable):
        raise BuildError("Nothing to change: name files to add, or papers to remove.")
    with errors_translated(), changing(library, settings.wait_seconds) as folder:
        reads, hashes = _read(library, inputs, report, settings.progress)

        def act(change: LibraryChange, operation: int) -> None:
            _apply(change, operation, reads, hashes, inputs, remove, folder, report, settings.progress)
            if follow:
                said = {read.source for read in reads}
                for path in {*gone, *_files_read(inputs)} - set(report.unusable):
                    change.withdraw(operation, set(change.ledger.sources_of_file(str(path))) - said)

        kind: OperationKind = "add" if add or folders or gone else "remove"
        said = " ".join([*(path.name for path in (*add, *gone)), *remove])
        change_library(library, folder, act, kind, said, settings, report)
    return report


def preview_update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
) -> UpdateReport:
    """What `update_library` would do: what is read, what is new, what merges with what, and what is doubtful."""
    progress = progress or NoProgress()
    report = UpdateReport(library=library)
    inputs = _inputs(add, folders, report, progress)
    with errors_translated(), TemporaryDirectory() as temporary:
        compared = library
        if not (library / DATABASE).is_file():
            # Founding it is for the update alone: a library without papers would be served in place of the demo.
            compared = Path(temporary) / "library"
            found(compared)
            with build_folder(library):  # refused as an update would be
                pass
            # What PDFs say is kept for the update.
            library.mkdir(parents=True, exist_ok=True)
        reads, hashes = _read(library, inputs, report, progress)
        path = compared / LEDGER
        with (
            closing(Ledger(path if path.exists() else None)) as ledger,
            open_library(compared) as (build_id, stored),
            ledger.transaction(),
        ):
            change = LibraryChange(ledger, stored, compared, Path(temporary))
            operation = ledger.begin_operation("add", "", "")
            _apply(change, operation, reads, hashes, inputs, remove, Path(temporary), report, progress)
            plan = change.plan()
            change.report(plan, change.changes(plan), report)
            for problem in change.removed_again():
                report.note(problem, progress)
            report.build_id = build_id
    return report


def _inputs(add: Sequence[Path], folders: BuildFolders | None, report: UpdateReport, progress: TaskProgress) -> Inputs:
    """Those that can be read. UnusableInput if there is none."""
    usable: list[Path] = []
    first: UnusableInput | None = None
    for path in add:
        try:
            Inputs.of([path], None)
            usable.append(path)
        except UnusableInput as error:
            first = first or error
            report.refuse(error, progress)
    if first and not usable:
        raise first
    return Inputs.of(usable, folders)


def _files_read(inputs: Inputs) -> list[Path]:
    return [*inputs.bibliographies, *inputs.all_pdfs]


def _read(
    library: Path, inputs: Inputs, report: UpdateReport, progress: TaskProgress
) -> tuple[list[ReadEntry], dict[Path, str]]:
    """All entries of the inputs, and the hashes of the PDFs among them. UnusableInput if there is not one."""
    with closing(StoredReadings(library)) as readings:
        reading = InputReading(inputs, report, progress, readings=readings)
        reads = list(reading.entries())
        hashes = {read.pdf: readings.hash_of(read.pdf) for read in reads if read.pdf}
    attached = {read.pdf for read in reads if read.attached_to}
    failed = [UnusableInput([path], f"{path}: {failure}") for path, failure in reading.failures.items()]
    for error in (*reading.unusable, *failed):
        if attached.issuperset(error.paths):
            report.note(Problem(str(error.paths[0]), reading.failures[error.paths[0]]), progress)
        else:
            report.refuse(error, progress)
    if report.unusable and not any(read.entry.title for read in reads):
        raise UnusableInput(report.unusable, str(next(iter((*reading.unusable, *failed)))))
    return reads, hashes


def _apply(
    change: LibraryChange,
    operation: int,
    reads: Sequence[ReadEntry],
    hashes: dict[Path, str],
    inputs: Inputs,
    remove: Sequence[str],
    folder: Path,
    report: UpdateReport,
    progress: TaskProgress,
) -> None:
    change.add(operation, reads, hashes)
    for name in remove:
        change.ledger.add_removal(operation, change.paper(name))
    if inputs.has_files:
        change.attach_texts(operation, PaperFileStore(folder, inputs.folders, report, progress))

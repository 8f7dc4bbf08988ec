"""Changes a library through its ledger: adds, removes, corrects, merges and splits papers, takes back and makes again.

The new version is made in a copy that replaces the database whole.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ingest.entries.entry import BuildError, LibraryBusy, Problem, UnusableInput
from ingest.entries.report import NoProgress, TaskProgress, UpdateReport
from ingest.input_files import PaperFileStore
from ingest.input_reading import InputReading, ReadEntry
from ingest.ledger.ledger import LEDGER, Ledger, Operation, OperationKind
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.readings import StoredReadings
from ingest.matching.corrections import Corrections
from ingest.publishing.database import LibraryWriter, SnapshotWriter
from ingest.publishing.publish import (
    build_folder,
    files_below,
    keep_as_unused,
    move_assets,
    publish,
    switch_database,
)
from ingest.publishing.stored_papers import StoredPapers
from ingest.reading.inputs import BuildFolders, Inputs
from papercore import limits
from papercore.snapshot.file import BadSnapshot, check, open_read_only, refuse_unfinished_wal, write_checksum
from papercore.snapshot.layout import ASSETS, DATABASE

_COPY_BYTES = 1 << 30


class NewVersion(Struct, frozen=True):
    """A version of a library that is complete but not yet in use, as its index needs to know it."""

    library: Path
    database: Path
    # Where its assets are: each is in the first folder that has it.
    assets: tuple[Path, ...]
    build_before: str
    build_after: str
    # The papers that were added, changed or removed.
    paper_ids: frozenset[str]


IndexUpdate = Callable[[NewVersion], None]


class ChangeSettings(Struct, frozen=True):
    """Who changes a library, and how: what prepares its index, how long others are waited for, who is told."""

    by: str = ""
    update_index: IndexUpdate = lambda version: None
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS
    progress: TaskProgress = NoProgress()


class StateChanged(LibraryBusy):
    """Somebody else has changed the library since its state was shown."""


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
    with _errors_translated(), _changing(library, settings.wait_seconds) as folder:
        reads, hashes = _read(library, inputs, report, settings.progress)

        def act(change: LibraryChange, operation: int) -> None:
            _apply(change, operation, reads, hashes, inputs, remove, folder, report, settings.progress)
            if follow:
                said = {read.source for read in reads}
                for path in {*gone, *_files_read(inputs)} - set(report.unusable):
                    change.withdraw(operation, set(change.ledger.sources_of_file(str(path))) - said)

        kind: OperationKind = "add" if add or folders or gone else "remove"
        said = " ".join([*(path.name for path in (*add, *gone)), *remove])
        _change(library, folder, act, kind, said, settings, report)
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
    with _errors_translated(), TemporaryDirectory() as temporary:
        compared = library
        if not (library / DATABASE).is_file():
            # Founding it is for the update alone: a library without papers would be served in place of the demo.
            compared = Path(temporary) / "library"
            _found(compared)
            with build_folder(library):  # refused as an update would be
                pass
            # What PDFs say is kept for the update.
            library.mkdir(parents=True, exist_ok=True)
        reads, hashes = _read(library, inputs, report, progress)
        path = compared / LEDGER
        with (
            closing(Ledger(path if path.exists() else None)) as ledger,
            _open(compared) as (build_id, stored),
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


def edit_paper(
    library: Path, paper: str, corrections: Corrections, *, settings: ChangeSettings | None = None
) -> UpdateReport:
    """Correct fields of a paper; an empty value takes one away. What is corrected outlives every import."""

    def act(change: LibraryChange, operation: int) -> None:
        change.ledger.add_corrections(operation, change.paper(paper), corrections)

    return _operate(library, act, "edit", f"{paper} {' '.join(corrections)}", settings)


def merge_papers(library: Path, papers: Sequence[str], *, settings: ChangeSettings | None = None) -> UpdateReport:
    """Say that these papers are one; it has the id of the oldest."""

    def act(change: LibraryChange, operation: int) -> None:
        founders = [change.ledger.founder_of(change.paper(name)) for name in papers]
        known = [founder for founder in founders if founder is not None]
        change.ledger.add_verdicts(operation, [(known[0], other) for other in known[1:]], same=True)

    return _operate(library, act, "merge", " ".join(papers), settings)


def split_paper(
    library: Path, paper: str, entries: Sequence[int], *, settings: ChangeSettings | None = None
) -> UpdateReport:
    """Say that these entries are about another paper than the other entries of this one."""

    def act(change: LibraryChange, operation: int) -> None:
        members = change.ledger.entries_of([change.paper(paper)])
        apart = members & set(entries)
        if not apart or apart == members:
            raise BuildError("Name some of the paper's entries, and not all: the others stay.")
        change.ledger.add_verdicts(operation, product(sorted(apart), sorted(members - apart)), same=False)

    return _operate(library, act, "split", paper, settings)


def undo(
    library: Path, operation: int | None = None, *, shown: str = "", settings: ChangeSettings | None = None
) -> Operation:
    """Take an operation back, by default the last that counts. With `shown`, only if that build is still served."""
    return _set_active(library, operation, False, shown, settings or ChangeSettings())


def redo(
    library: Path, operation: int | None = None, *, shown: str = "", settings: ChangeSettings | None = None
) -> Operation:
    """Make an operation count again, by default the last that was taken back."""
    return _set_active(library, operation, True, shown, settings or ChangeSettings())


def history(library: Path) -> list[Operation]:
    """What was done to a library, the last first."""
    if not (library / LEDGER).is_file():
        return []
    with _errors_translated(), closing(Ledger(library / LEDGER)) as ledger:
        return ledger.operations()


def build_id_of(library: Path) -> str:
    """Which version a library is now; empty if there is none."""
    if not (library / DATABASE).is_file():
        return ""
    with _errors_translated(), _open(library) as (build_id, _):
        return build_id


def _set_active(library: Path, number: int | None, active: bool, shown: str, settings: ChangeSettings) -> Operation:
    found: list[Operation] = []

    def act(change: LibraryChange, _: int) -> None:
        candidates = [each for each in change.ledger.operations() if each.active != active]
        named = [each for each in candidates if number in (None, each.id)]
        if not named:
            what = "taken back" if active else "made"
            raise BuildError(f"{library}: there is no operation{f' {number}' if number else ''} that was {what}.")
        # The last that was made is taken back first; the first of those that were taken back is made again first.
        chosen = named[-1] if active and number is None else named[0]
        entries, papers = change.ledger.touched_by(chosen.id)
        change.ledger.set_active(chosen.id, active)
        change.entries |= entries
        change.paper_ids |= papers
        found.append(chosen)

    _operate(library, act, None, "", settings, shown)
    return found[0]


def _operate(
    library: Path,
    act: Callable[[LibraryChange, int], None],
    kind: OperationKind | None,
    said: str,
    settings: ChangeSettings | None,
    shown: str = "",
) -> UpdateReport:
    settings = settings or ChangeSettings()
    report = UpdateReport(library=library)
    with _errors_translated():
        if not (library / DATABASE).is_file():
            raise BuildError(f"{library} holds no {DATABASE}: add papers first.")
        with _changing(library, settings.wait_seconds) as folder:
            _change(library, folder, act, kind, said, settings, report, shown)
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


def _change(
    library: Path,
    folder: Path,
    act: Callable[[LibraryChange, int], None],
    kind: OperationKind | None,
    said: str,
    settings: ChangeSettings,
    report: UpdateReport,
    shown: str = "",
) -> None:
    """Do it in the ledger, and publish what follows. What an ended process left unpublished is published first."""
    with closing(Ledger(library / LEDGER)) as ledger:
        if ledger.unpublished():
            (folder / "unfinished").mkdir()
            with _open(library) as (build_id, stored), ledger.transaction():
                change = LibraryChange(ledger, stored, library, folder / "unfinished")
                _publish(change, ledger, build_id, library, folder / "unfinished", settings, UpdateReport())
        with _open(library) as (build_id, stored), ledger.transaction():
            if shown and shown != build_id:
                raise StateChanged("The library has changed since it was shown; look again.")
            operation = ledger.begin_operation(kind, settings.by, said) if kind else 0
            change = LibraryChange(ledger, stored, library, folder)
            act(change, operation)
            _publish(change, ledger, build_id, library, folder, settings, report, operation)


def _publish(
    change: LibraryChange,
    ledger: Ledger,
    build_id: str,
    library: Path,
    folder: Path,
    settings: ChangeSettings,
    report: UpdateReport,
    operation: int = 0,
) -> None:
    """The ledger is committed before the library is touched, with the papers that are to be published: if the process
    is ended then, the next change finishes it."""
    plan = change.plan()
    changes = change.changes(plan)
    change.report(plan, changes, report)
    for problem in change.removed_again():
        report.note(problem, settings.progress)
    real = [each for each in changes if each.kind != "unchanged"]
    if operation:
        titles = {each.paper_id: each.title for each in report.changes}
        ledger.note_changes(operation, [(each.kind, each.paper_id, titles[each.paper_id]) for each in real])
    report.build_id = build_id
    if not real:
        ledger.set_unpublished([])
        ledger.commit()
        return
    _copy(library / DATABASE, folder / DATABASE)
    with closing(LibraryWriter(folder / DATABASE, build_id)) as writer:
        unused = change.write(writer, real, settings.progress)
        report.build_id = writer.finish()
    write_checksum(folder / DATABASE)
    ids = frozenset(each.paper_id for each in real)
    assets = (folder / ASSETS, library / ASSETS)
    settings.update_index(NewVersion(library, folder / DATABASE, assets, build_id, report.build_id, ids))
    ledger.set_unpublished(ids)
    ledger.commit()
    move_assets(folder / ASSETS, library / ASSETS, files_below(folder / ASSETS))
    switch_database(folder / DATABASE, library)
    with ledger.transaction():
        ledger.set_unpublished([])
        ledger.commit()
    keep_as_unused(library, unused)


def _found(library: Path) -> None:
    """A library without papers."""
    with build_folder(library) as folder:
        with closing(SnapshotWriter(folder / DATABASE)) as database:
            database.finish()
        (folder / ASSETS).mkdir()
        write_checksum(folder / DATABASE)
        publish(folder, library)


@contextmanager
def _changing(library: Path, wait_seconds: float) -> Iterator[Path]:
    """A folder to prepare the next version in, while nobody else changes the library."""
    founded = not (library / DATABASE).is_file()
    if founded:
        _found(library)
    with build_folder(library, wait_seconds) as folder:
        refuse_unfinished_wal(library / DATABASE)
        with closing(open_read_only(library / DATABASE)) as connection:
            check(library / DATABASE, connection, limits.SNAPSHOT_CHECK_SECONDS)
        try:
            yield folder
        except UnusableInput:
            if founded:
                (library / DATABASE).unlink()
            raise


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, BadSnapshot) as error:
        raise BuildError(f"Nothing was changed: {error}") from error


@contextmanager
def _open(library: Path) -> Iterator[tuple[str, StoredPapers]]:
    with closing(open_read_only(library / DATABASE)) as connection:
        (build_id,) = connection.execute(
            "SELECT value FROM snapshot_meta WHERE key = 'snapshot_build_id'"
        ).fetchone() or ("",)
        yield build_id, StoredPapers(connection, library / ASSETS)


def _copy(source: Path, target: Path) -> None:
    """Copy a file inside of the kernel, which on some disks costs no space until it is changed."""
    with source.open("rb") as old, target.open("wb") as new:
        try:
            while os.copy_file_range(old.fileno(), new.fileno(), _COPY_BYTES):
                pass
        except OSError:
            old.seek(0)
            new.seek(0)
            shutil.copyfileobj(old, new)

"""One change of a library from its lock to the switch: done in the ledger, then published in a copy of the database."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BuildError, LibraryBusy, UnusableInput
from ingest.entries.report import NoProgress, TaskProgress, UpdateReport
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.rows import OperationKind
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


@contextmanager
def changing(library: Path, wait_seconds: float) -> Iterator[Path]:
    """A folder to prepare the next version in, while nobody else changes the library."""
    founded = not (library / DATABASE).is_file()
    if founded:
        found(library)
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
def errors_translated() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, BadSnapshot) as error:
        raise BuildError(f"Nothing was changed: {error}") from error


@contextmanager
def open_library(library: Path) -> Iterator[tuple[str, StoredPapers]]:
    with closing(open_read_only(library / DATABASE)) as connection:
        (build_id,) = connection.execute(
            "SELECT value FROM snapshot_meta WHERE key = 'snapshot_build_id'"
        ).fetchone() or ("",)
        yield build_id, StoredPapers(connection, library / ASSETS)


def change_library(
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
            with open_library(library) as (build_id, stored), ledger.transaction():
                change = LibraryChange(ledger, stored, library, folder / "unfinished")
                _publish(change, ledger, build_id, library, folder / "unfinished", settings, UpdateReport())
        with open_library(library) as (build_id, stored), ledger.transaction():
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


def found(library: Path) -> None:
    """A library without papers."""
    with build_folder(library) as folder:
        with closing(SnapshotWriter(folder / DATABASE)) as database:
            database.finish()
        (folder / ASSETS).mkdir()
        write_checksum(folder / DATABASE)
        publish(folder, library)


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

"""One change of a library from its lock to the switch: done in the ledger, then published in a copy of the database."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ingest.entries.entry import BuildError, LibraryBusy
from ingest.entries.report import NoProgress, TaskProgress, UpdateReport
from ingest.ledger.description import ChangedPaper
from ingest.ledger.ledger import LEDGER, Ledger
from ingest.ledger.library_change import LibraryChange
from ingest.ledger.rows import OperationKind
from ingest.publishing.database import LibraryWriter, SnapshotWriter
from ingest.publishing.publish import (
    build_folder,
    files_below,
    forget_ledger,
    keep_as_unused,
    move_assets,
    switch_database,
)
from ingest.publishing.stored_papers import StoredPapers
from papercore import limits
from papercore.snapshot.file import (
    ASSETS,
    DATABASE,
    BadSnapshot,
    check,
    open_read_only,
    refuse_unfinished_wal,
    write_checksum,
)
from papercore.snapshot.versions import SNAPSHOT_CHECK_SECONDS

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
    """Who changes a library, and how: what prepares its index, how long others are waited for, who is told.

    `said` is what the history calls it, where the names of its files do not tell.
    """

    by: str = ""
    said: str = ""
    update_index: IndexUpdate = lambda version: None
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS
    progress: TaskProgress = NoProgress()
    # What somebody looked at before deciding: the states of papers, and which version of the library ("" if there was
    # none). Nothing is changed if one is another now.
    shown: Mapping[str, str] = {}
    shown_build: str | None = None


class StateChanged(LibraryBusy):
    """Somebody else has changed the library since its state was shown."""


@contextmanager
def changing(library: Path, settings: ChangeSettings, said: str) -> Iterator[Path]:
    """A folder to prepare the next version in, while nobody else changes the library."""
    writer = f"'{said}'" + (f" of {settings.by}" if settings.by else "")
    with build_folder(library, settings.wait_seconds, writer, settings.progress) as folder:
        if (library / DATABASE).is_file():
            refuse_unfinished_wal(library / DATABASE)
            with closing(open_read_only(library / DATABASE)) as connection:
                check(library / DATABASE, connection, SNAPSHOT_CHECK_SECONDS)
        else:
            # What a ledger says of a library that is gone says nothing of a new one.
            forget_ledger(library)
        yield folder


@contextmanager
def errors_translated() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, BadSnapshot) as error:
        raise BuildError(f"Nothing was changed: {error}") from error


@contextmanager
def open_library(library: Path) -> Iterator[tuple[str, StoredPapers]]:
    """Its build id and papers; one that is not there yet has none."""
    if not (library / DATABASE).is_file():
        with TemporaryDirectory() as folder:
            _create_empty(Path(folder))
            with open_library(Path(folder)) as (_, stored):
                yield "", stored
        return
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
) -> None:
    """Do it in the ledger, and publish what follows. What an ended process left unpublished is published first.

    What the report says to be an operation already goes on.
    """
    with closing(Ledger(library / LEDGER)) as ledger:
        if ledger.unpublished():
            (folder / "unfinished").mkdir()
            with open_library(library) as (build_id, stored), ledger.transaction():
                change = LibraryChange(ledger, stored, library, folder / "unfinished")
                _Publication(change, library, folder / "unfinished", build_id, settings).publish(UpdateReport())
        with open_library(library) as (build_id, stored), ledger.transaction():
            if settings.shown_build not in (None, build_id) and not report.operation:
                raise StateChanged("The library has changed since it was shown; look again.")
            _refuse_other_states(settings.shown, stored)
            if kind and not report.operation:
                report.operation = ledger.begin_operation(kind, settings.by, said)
            change = LibraryChange(ledger, stored, library, folder)
            act(change, report.operation)
            _Publication(change, library, folder, build_id, settings).publish(report)


def _refuse_other_states(shown: Mapping[str, str], stored: StoredPapers) -> None:
    """StateChanged if a paper has another state than the one that somebody looked at."""
    for paper_id, state in shown.items():
        paper = stored.read(paper_id)
        if paper is None or paper.state != state:
            raise StateChanged(f"Paper {paper_id} has changed since it was shown; look again.")


class _Publication(Struct, frozen=True):
    """A change that was made in the ledger, on its way to the library: `folder` is where its next version is made."""

    change: LibraryChange
    library: Path
    folder: Path
    build_before: str
    settings: ChangeSettings

    def publish(self, report: UpdateReport) -> None:
        """The ledger is committed before the library is touched, with the papers that are to be published: if the
        process is ended then, the next change finishes it."""
        ledger, plan = self.change.ledger, self.change.plan()
        changes = self.change.changes(plan)
        described = self.change.describe(plan, changes)
        report.add(described)
        for problem in self.change.removed_again():
            report.note(problem, self.settings.progress)
        real = [each for each in changes if each.kind != "unchanged"]
        if report.operation:
            titles = {each.paper_id: each.title for each in described}
            ledger.note_changes(report.operation, [(each.kind, each.paper_id, titles[each.paper_id]) for each in real])
        report.build_id = self.build_before
        if not real:
            ledger.set_unpublished([])
            ledger.commit()
            return
        report.build_id, unused = self._write(real)
        ledger.set_unpublished({each.paper_id for each in real})
        ledger.commit()
        move_assets(self.folder / ASSETS, self.library / ASSETS, files_below(self.folder / ASSETS))
        switch_database(self.folder / DATABASE, self.library)
        with ledger.transaction():
            ledger.set_unpublished([])
            ledger.commit()
        keep_as_unused(self.library, unused)

    def _write(self, changes: Sequence[ChangedPaper]) -> tuple[str, list[str]]:
        """The next version with its index, in its folder: its build id, and the documents that no paper uses."""
        if (self.library / DATABASE).is_file():
            _copy(self.library / DATABASE, self.folder / DATABASE)
        else:
            _create_empty(self.folder)
        with closing(LibraryWriter(self.folder / DATABASE, self.build_before)) as writer:
            unused = self.change.write(writer, changes, self.settings.progress)
            build_id = writer.finish()
        write_checksum(self.folder / DATABASE)
        assets = (self.folder / ASSETS, self.library / ASSETS)
        ids = frozenset(each.paper_id for each in changes)
        version = NewVersion(self.library, self.folder / DATABASE, assets, self.build_before, build_id, ids)
        self.settings.update_index(version)
        return build_id, unused


def _create_empty(folder: Path) -> None:
    """The database of a library without papers."""
    with closing(SnapshotWriter(folder / DATABASE)) as database:
        database.finish()
    write_checksum(folder / DATABASE)


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


def refuse_corrected(library: Path) -> None:
    """A build would lose what people corrected in a library."""
    if not (library / LEDGER).is_file():
        return
    with closing(Ledger(library / LEDGER)) as ledger:
        if any(operation.active and operation.kind != "add" for operation in ledger.operations()):
            raise BuildError(
                f"{library} holds corrections of people, which a build would lose: add to it with 'papersite add', "
                "or build into a new folder."
            )

"""Updates a library in place: papers are added, changed and removed in a copy that replaces the database whole."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ingest.entries.entry import BuildError
from ingest.entries.report import NoProgress, TaskProgress, UpdateRecord, UpdateReport
from ingest.publishing.database import LibraryWriter
from ingest.publishing.publish import (
    add_version,
    build_folder,
    drop_old_versions,
    files_below,
    link_or_copy,
    move_assets,
    prepare_version,
    put_back,
    put_back_unfinished,
    switch_database,
    versions_of,
)
from ingest.publishing.stored_papers import StoredPapers
from ingest.reading.inputs import BuildFolders, Inputs
from ingest.update_plan import PlannedUpdate
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


def update_library(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    *,
    update_index: IndexUpdate = lambda version: None,
    kept_versions: int = limits.KEPT_VERSIONS,
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS,
    progress: TaskProgress | None = None,
) -> UpdateReport:
    """Add the papers of these inputs to a library, or change the ones it has; remove papers by id or key.

    What is read is matched with what is there as in a build; where both say something, bibliographies count before
    the library, and the library before what a PDF says of itself. Before the new version is used, `update_index`
    prepares its index. A BuildError means that nothing was changed.
    """
    progress = progress or NoProgress()
    inputs = Inputs.of(add, folders)
    with _changing(library, wait_seconds) as folder, _open(library) as (build_id, stored):
        plan = PlannedUpdate(folder, inputs, stored, remove, progress)
        with closing(plan):
            plan.read()
            report = plan.report(library)
            if not plan.changes_anything:
                report.build_id = build_id
                return report
            _copy(library / DATABASE, folder / DATABASE)
            with closing(LibraryWriter(folder / DATABASE, build_id)) as writer:
                unused = plan.write(writer)
                report.build_id = writer.finish()
        write_checksum(folder / DATABASE)
        written = files_below(folder / ASSETS)
        record = UpdateRecord(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            build_before=build_id,
            build_after=report.build_id,
            sources=tuple(path.name for path in add),
            changes=tuple(change for change in report.changes if change.kind != "unchanged"),
            written=tuple(written),
            created=tuple(key for key in written if not (library / ASSETS / key).exists()),
            unused=tuple(unused),
        )
        assets = (folder / ASSETS, library / ASSETS)
        update_index(NewVersion(library, folder / DATABASE, assets, build_id, report.build_id, record.paper_ids))
        _publish(library, folder, record)
        drop_old_versions(library, kept_versions)
    return report


def preview_update(
    library: Path,
    add: Sequence[Path] = (),
    remove: Sequence[str] = (),
    folders: BuildFolders | None = None,
    progress: TaskProgress | None = None,
) -> UpdateReport:
    """What `update_library` would do: what is read, what is new, what merges with what, and what is doubtful."""
    with _errors_translated(), TemporaryDirectory() as folder, _open(library) as (build_id, stored):
        plan = PlannedUpdate(Path(folder), Inputs.of(add, folders), stored, remove, progress or NoProgress())
        with closing(plan):
            plan.read()
            report = plan.report(library)
            report.build_id = build_id
            return report


def undo_update(
    library: Path,
    *,
    update_index: IndexUpdate = lambda version: None,
    wait_seconds: float = limits.UPDATE_WAIT_SECONDS,
) -> UpdateRecord:
    """Go back to the version before the last update; returns what was undone."""
    with _changing(library, wait_seconds), _open(library) as (build_id, _):
        version = next(iter(versions_of(library)[-1:]), None)
        if version is None or version.record.build_after != build_id:
            raise BuildError(f"{library}: there is no update to undo.")
        record = version.record
        with closing(open_read_only(version.database)) as connection:
            check(version.database, connection, limits.SNAPSHOT_CHECK_SECONDS)
        assets = (version.assets, library / ASSETS)
        update_index(NewVersion(library, version.database, assets, build_id, record.build_before, record.paper_ids))
        switch_database(version.database, library)
        put_back(version, library)
    return record


def updates_of(library: Path) -> list[UpdateRecord]:
    """The updates that can be undone, the last one first."""
    return [version.record for version in reversed(versions_of(library))]


@contextmanager
def _changing(library: Path, wait_seconds: float) -> Iterator[Path]:
    """A folder to prepare the next version in, while nobody else changes the library."""
    with _errors_translated():
        if not (library / DATABASE).is_file():
            raise BuildError(f"{library} holds no {DATABASE}: build a library first.")
        with build_folder(library, wait_seconds) as folder:
            refuse_unfinished_wal(library / DATABASE)
            with closing(open_read_only(library / DATABASE)) as connection:
                facts = check(library / DATABASE, connection, limits.SNAPSHOT_CHECK_SECONDS)
            put_back_unfinished(library, facts.build_id)
            yield folder


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


def _publish(library: Path, folder: Path, record: UpdateRecord) -> None:
    """Assets first, then the database in one step. What goes wrong before that is put back."""
    replaced = sorted(set(record.written) - set(record.created))
    prepare_version(folder / "version", library, record, replaced)
    version = add_version(folder / "version", library)
    try:
        move_assets(folder / ASSETS, library / ASSETS, record.written)
        link_or_copy(library / DATABASE, version.database)
        switch_database(folder / DATABASE, library)
    except BaseException:
        # After the switch there is nothing to put back, whatever else went wrong.
        with _open(library) as (build_id, _):
            put_back_unfinished(library, build_id)
        raise

"""Publishes a finished snapshot in one step, and keeps the versions before the last updates for undo."""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ingest.entries.entry import BuildError, LibraryBusy
from ingest.entries.report import NoProgress, TaskProgress
from papercore.processes.files import LOCK_FILE, open_to_lock, sync, try_lock
from papercore.snapshot.file import ASSETS, DATABASE, BadSnapshot, index_beside, refuse_unfinished_wal

_BUILD_FOLDER = ".building"
_UNUSED_ASSETS = ".stale-assets"
# Earlier versions of the library, which updates of papersite 0.3 kept.
VERSIONS = ".versions"
LEDGER_FILES = ("ledger.db", "readings.db")
# What the files of watched folders gave.
WATCHED = ".watched.json"
_SIDE_FILES = {f"{name}{end}" for name in LEDGER_FILES for end in ("", "-wal", "-shm")}
_OUR_FILES = _SIDE_FILES | {DATABASE, ASSETS, _BUILD_FOLDER, _UNUSED_ASSETS, VERSIONS, WATCHED, LOCK_FILE}
# A first import that was killed leaves it without a database.
_OUR_FILES.add(index_beside(Path(DATABASE)).name)
_SECONDS_BETWEEN_TRIES = 0.1
# In the build folder: who is at work in it.
_WRITER = "writer"


@contextmanager
def build_folder(
    out: Path, wait_seconds: float = 0, writer: str = "a build", progress: TaskProgress | None = None
) -> Iterator[Path]:
    """A temporary folder inside `out`, held by one build or update at a time; others wait so long at most."""
    existed = out.exists()
    refuse_other_files(out)
    out.mkdir(parents=True, exist_ok=True)
    with _locked(out, wait_seconds, progress or NoProgress()):
        folder = out / _BUILD_FOLDER
        shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
        folder.mkdir()
        (folder / _WRITER).write_text(f"{writer}, since {datetime.now():%H:%M:%S}", encoding="utf-8")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if not existed and not any(out.iterdir()):
                out.rmdir()


def refuse_other_files(out: Path) -> None:
    """A library is written only where there is one, or nothing."""
    if out.exists() and not out.is_dir():
        raise BuildError(f"{out} is not a folder.")
    names = {path.name for path in out.iterdir()} if out.exists() else set()
    if names and DATABASE not in names and not names <= _OUR_FILES:
        raise BuildError(f"{out} holds other files and no snapshot: name a new or empty folder.")


@contextmanager
def _locked(out: Path, wait_seconds: float, progress: TaskProgress) -> Iterator[None]:
    folder = open_to_lock(out)
    deadline = time.monotonic() + wait_seconds
    waits_for = ""
    try:
        while not try_lock(folder):
            if time.monotonic() >= deadline:
                who = f" ({waits_for})" if waits_for else ""
                raise LibraryBusy(f"Another build or update is writing to {out}{who}: wait until it is done.")
            with suppress(OSError):
                writer = (out / _BUILD_FOLDER / _WRITER).read_text(encoding="utf-8")
                if writer != waits_for:
                    progress.stage(f"Waiting for {writer}")
                waits_for = writer
            time.sleep(_SECONDS_BETWEEN_TRIES)
        yield
    finally:
        os.close(folder)


def refuse_open_log(database: Path) -> None:
    """The log of the old database would damage a new one that takes its place."""
    try:
        refuse_unfinished_wal(database)
    except BadSnapshot:
        raise BuildError(f"{database} has a write-ahead log beside it: another program is writing to it.") from None


def publish(built: Path, out: Path) -> None:
    """Replace the snapshot in `out`; assets that only the old one needs stay until the next build."""
    refuse_open_log(out / DATABASE)
    new = files_below(built / ASSETS)
    move_assets(built / ASSETS, out / ASSETS, new)
    switch_database(built / DATABASE, out)
    # They need assets that are removed from now on.
    shutil.rmtree(out / VERSIONS, ignore_errors=True)
    # What was kept about the snapshot before says nothing of this one. What files say holds.
    forget_ledger(out)
    # Every watched file is looked at again: its papers may have gone.
    (out / WATCHED).unlink(missing_ok=True)
    # A server may still answer from the snapshot just replaced, so that one keeps its assets: what was already unused
    # after the previous build goes, what is unused now is listed for the next one.
    unused_before = _listed_as_unused(out)
    unused = set(files_below(out / ASSETS)) - set(new)
    for name in unused & unused_before:
        (out / ASSETS / name).unlink()
    (out / _UNUSED_ASSETS).unlink(missing_ok=True)
    keep_as_unused(out, list(unused - unused_before))


def forget_ledger(library: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        (library / f"ledger.db{ending}").unlink(missing_ok=True)


def switch_database(new: Path, out: Path) -> None:
    """Make a database the library's own in one step, for good when this returns."""
    sync(new)
    try:
        new.replace(out / DATABASE)
    except PermissionError:  # Windows replaces no file that is open
        raise BuildError(
            f"{out / DATABASE} cannot be replaced: stop the programs that use it, and try again."
        ) from None
    sync(out)


def files_below(root: Path) -> list[str]:
    """Paths relative to the folder. As strings: a large library has millions."""
    start = len(str(root)) + 1
    return [f"{folder}/{name}"[start:] for folder, _, names in os.walk(root) for name in names]


def move_assets(source: Path, target: Path, names: Sequence[str]) -> None:
    if not target.exists():
        source.rename(target)
        return
    for folder in {name.rpartition("/")[0] for name in names}:
        (target / folder).mkdir(parents=True, exist_ok=True)
    for name in names:
        (source / name).replace(target / name)


def keep_as_unused(out: Path, names: Sequence[str]) -> None:
    """List assets that nothing uses from now on, for the next build to delete."""
    listed = sorted(_listed_as_unused(out) | set(names))
    if listed:
        (out / _UNUSED_ASSETS).write_text("\n".join(listed), encoding="utf-8")


def _listed_as_unused(out: Path) -> set[str]:
    listed = out / _UNUSED_ASSETS
    return set(listed.read_text(encoding="utf-8").split("\n")) if listed.exists() else set()

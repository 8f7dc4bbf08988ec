"""Puts a finished snapshot in its place: assets first, the database last and in one step."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from papercore.snapshot_layout import ASSETS, DATABASE
from papers.build.errors import BuildError

_WORK = ".building"
_STALE = ".stale-assets"
_OURS = {DATABASE, ASSETS, _WORK, _STALE}


@contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """A folder inside `out` to build in, held by one build at a time and gone afterwards."""
    existed = out.exists()
    _refuse_foreign_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    with _locked(out):
        work = out / _WORK
        shutil.rmtree(work, ignore_errors=True)  # left by a build that was killed
        work.mkdir()
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)
            if not existed and not any(out.iterdir()):
                out.rmdir()


def _refuse_foreign_folder(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise BuildError(f"{out} is not a folder.")
    names = {path.name for path in out.iterdir()}
    if names and DATABASE not in names and not names <= _OURS:
        raise BuildError(f"{out} holds other files and no snapshot; name a new or empty folder.")


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise BuildError(f"Another build is writing to {out}.") from None
    try:
        yield
    finally:
        os.close(folder)


def refuse_open_log(database: Path) -> None:
    """A log beside the database belongs to a writer; beside the new file it would damage it."""
    log = database.with_name(database.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise BuildError(f"{log} is not empty: another program is writing to the snapshot.")


def publish(work: Path, out: Path) -> None:
    """Assets first, then the database in one step; what the old snapshot needs stays until the next build."""
    refuse_open_log(out / DATABASE)
    new = _asset_files(work / ASSETS)
    _move_assets(work / ASSETS, out / ASSETS, new)
    _sync(work / DATABASE)
    (work / DATABASE).replace(out / DATABASE)
    _sync(out)
    _remove_stale(out, set(new))


def _asset_files(root: Path) -> list[str]:
    """Names relative to the asset folder."""
    start = len(str(root)) + 1
    return [f"{folder}/{name}"[start:] for folder, _, names in os.walk(root) for name in names]


def _move_assets(source: Path, target: Path, names: list[str]) -> None:
    if not target.exists():
        source.rename(target)
        return
    for folder in {name.rpartition("/")[0] for name in names}:
        (target / folder).mkdir(parents=True, exist_ok=True)
    for name in names:
        (source / name).replace(target / name)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_stale(out: Path, new: set[str]) -> None:
    """Delete what was unused already after the build before this one, and note what is unused now.

    A server may still answer from the snapshot just replaced, so that one keeps its assets.
    """
    note = out / _STALE
    unused_before = set(note.read_text(encoding="utf-8").split("\n")) if note.exists() else set()
    unused = {name for name in _asset_files(out / ASSETS) if name not in new}
    for name in unused & unused_before:
        (out / ASSETS / name).unlink()
    left = sorted(unused - unused_before)
    if left:
        note.write_text("\n".join(left), encoding="utf-8")
    else:
        note.unlink(missing_ok=True)

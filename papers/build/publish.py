"""Publishes a finished snapshot: the assets first, then the database in one step."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from papercore.snapshot_file import BadSnapshot, refuse_unfinished_wal
from papercore.snapshot_layout import ASSETS, DATABASE
from papers.build.errors import BuildError

_BUILD_FOLDER = ".building"
_UNUSED_ASSETS = ".stale-assets"
_OUR_FILES = {DATABASE, ASSETS, _BUILD_FOLDER, _UNUSED_ASSETS}


@contextmanager
def build_folder(out: Path) -> Iterator[Path]:
    """A temporary folder inside `out`, held by one build at a time."""
    existed = out.exists()
    _refuse_unrelated_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    with _locked(out):
        folder = out / _BUILD_FOLDER
        shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if not existed and not any(out.iterdir()):
                out.rmdir()


def _refuse_unrelated_folder(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise BuildError(f"{out} is not a folder.")
    names = {path.name for path in out.iterdir()}
    if names and DATABASE not in names and not names <= _OUR_FILES:
        raise BuildError(f"{out} holds other files and no snapshot: name a new or empty folder.")


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(f"Another build is writing to {out}: wait until it is done.") from None
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
    new = _files_below(built / ASSETS)
    _move_assets(built / ASSETS, out / ASSETS, new)
    _sync(built / DATABASE)
    (built / DATABASE).replace(out / DATABASE)
    _sync(out)
    _remove_unused_assets(out, set(new))


def _files_below(root: Path) -> list[str]:
    """Paths relative to the folder. As strings: a large library has millions."""
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
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_unused_assets(out: Path, new: set[str]) -> None:
    """Delete what was already unused after the previous build, and list what is unused now for the next one.

    A server may still answer from the snapshot just replaced, so that one keeps its assets.
    """
    listed = out / _UNUSED_ASSETS
    unused_before = set(listed.read_text(encoding="utf-8").split("\n")) if listed.exists() else set()
    unused = {name for name in _files_below(out / ASSETS) if name not in new}
    for name in unused & unused_before:
        (out / ASSETS / name).unlink()
    left = sorted(unused - unused_before)
    if left:
        listed.write_text("\n".join(left), encoding="utf-8")
    else:
        listed.unlink(missing_ok=True)

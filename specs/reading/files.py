"""Finds and reads spec files under one folder: regular files only, no links followed, sizes capped."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from papercore import limits


class Unreadable(Exception):
    """The file cannot be served; the text says why, without a path."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Changes whenever the file does."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Found:
    """A file named `spec.md`; `id` is its folder relative to where the search began, with slashes."""

    id: str
    path: Path
    stamp: Stamp


def find_specs(root: Path) -> list[Found]:
    """Every `<id>/spec.md` below the folder, sorted by id; none if the folder does not exist."""
    return sorted(_walk(root), key=lambda found: found.id)


def _walk(root: Path) -> Iterator[Found]:
    folders = [(str(root), "")]
    while folders:
        folder, prefix = folders.pop()
        for entry in _entries(folder):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((entry.path, f"{prefix}{entry.name}/"))
            elif entry.name == "spec.md" and prefix:
                yield Found(prefix[:-1], Path(entry.path), _stamp(entry.stat(follow_symlinks=False)))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # gone, or not ours to read
        return []


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file that may be absent."""
    try:
        return _stamp(path.stat(follow_symlinks=False))
    except OSError:
        return None


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def read_text(path: Path) -> tuple[str, int | None]:
    """The file's text, and the line of the first bytes that are no text, if there are such."""
    data = _read_bytes(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), None
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return data.decode("utf-8", errors="replace"), data.count(b"\n", 0, error.start) + 1


def _read_bytes(path: Path) -> bytes:
    # A link would leave the folder; a pipe would block; neither is a spec.
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("It is not a regular file.")
            if status.st_size > limits.SPEC_BYTES:
                raise Unreadable(f"It is larger than {limits.SPEC_BYTES:,} bytes.")
            return file.read(limits.SPEC_BYTES)
    except OSError as error:
        if path.is_symlink():
            raise Unreadable("It is a link, and links are not followed.") from None
        raise Unreadable(f"It cannot be read: {os.strerror(error.errno or 0)}.") from None

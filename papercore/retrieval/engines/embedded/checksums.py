"""Checksums of an index's files: computed when it is built, compared when it is opened and afterwards."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from papercore.retrieval.basics.errors import IndexDamaged
from papercore.retrieval.engines.embedded.word_index import LOCK_SUFFIX

# Tells whether a file was changed since it was verified: size, time and inode; None if it is missing.
FileStamp = tuple[int, int, int] | None


class FileSum(Struct, frozen=True):
    """A file of an index as it was built, by its name within the index's folder."""

    name: str
    size: int
    sha256: str


def sums_of(folder: Path, known: Mapping[str, FileSum]) -> tuple[FileSum, ...]:
    """The files of a finished index, except the locks, which mean nothing. Those that are known are not read."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != LOCK_SUFFIX]
    names = [path.relative_to(folder).as_posix() for path in paths]
    return tuple(
        known.get(name) or FileSum(name, path.stat().st_size, _sha256(path))
        for name, path in zip(names, paths, strict=True)
    )


def shared_sums(folder: Path, before: Path, files: Iterable[FileSum]) -> dict[str, FileSum]:
    """The checksums of those files that an index shares with another one."""
    shared = {}
    for file in files:
        stamp = _file_stamp(folder / file.name)
        if stamp and stamp == _file_stamp(before / file.name):
            shared[file.name] = file
    return shared


def file_stamps(folder: Path, names: Iterable[str]) -> tuple[FileStamp, ...]:
    return tuple(_file_stamp(folder / name) for name in names)


def check_sizes(folder: Path, files: Iterable[FileSum]) -> None:
    """IndexDamaged if a file is missing or was cut: reading beyond the end of a mapped file would end the process."""
    for file in files:
        stamp = _file_stamp(folder / file.name)
        if stamp is None or stamp[0] != file.size:
            raise IndexDamaged(file.name)


def verify(folder: Path, files: Iterable[FileSum]) -> None:
    """IndexDamaged if a file has another content than it was built with."""
    for file in files:
        try:
            found = _sha256(folder / file.name)
        except OSError as error:
            raise IndexDamaged(file.name) from error
        if found != file.sha256:
            raise IndexDamaged(file.name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file_stamp(path: Path) -> FileStamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns, status.st_ino)

"""Files that processes share: opened without following links or waiting for pipes, locked, and kept on the disk."""

import errno
import os
import stat
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

# Without these, as on Windows, whoever may change the folder could put a link in place between a look and the opening.
_REFUSES_LINKS = hasattr(os, "O_NOFOLLOW") and os.open in os.supports_dir_fd
_BINARY = getattr(os, "O_BINARY", 0)
_READABLE_BY_OWNER = 0o600
# A folder that leads elsewhere, on Windows.
_JUNCTION = 0xA0000003
# In a folder that cannot be locked itself.
LOCK_FILE = ".lock"
# Windows locks bytes, and nobody else may then read them: so one that is behind the end of any file of ours.
_LOCKED_BYTE = 2**30


class NotRegular(OSError):
    """A folder, a pipe or a device stands where a file should."""


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """The descriptor of a file whose name is no link. A new one can be read by its owner alone."""
    if not _REFUSES_LINKS:
        return _open_between_looks([str(path)], flags)
    return _regular(os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, _READABLE_BY_OWNER))


def open_below(root: str, names: Sequence[str]) -> int:
    """The descriptor of a file by its folders below a root, and its name; none of them may be a link."""
    if not _REFUSES_LINKS:
        return _open_between_looks([*accumulate((root, *names), os.path.join)][1:], os.O_RDONLY)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in names[:-1]:
            deeper = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        return _regular(os.open(names[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder))
    finally:
        os.close(folder)


def _regular(descriptor: int) -> int:
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise NotRegular(errno.EINVAL, "not a regular file")


def _open_between_looks(steps: Sequence[str], flags: int) -> int:
    """Open the last step: what was a link before or is one afterwards is refused."""
    for step in steps:
        _refuse_link(step)
    if os.path.lexists(steps[-1]) and not os.path.isfile(steps[-1]):  # noqa: PTH113 (opening a pipe would wait)
        raise NotRegular(errno.EINVAL, "not a regular file")
    descriptor = os.open(steps[-1], flags | _BINARY, _READABLE_BY_OWNER)
    try:
        for step in steps:
            _refuse_link(step)
    except OSError:
        os.close(descriptor)
        raise
    return _regular(descriptor)


def _refuse_link(path: str) -> None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return  # opening it says so, or makes it
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def sync(path: Path) -> None:
    """Return when the content of a file, or the names in a folder, would survive a power failure."""
    has_folders = hasattr(os, "O_DIRECTORY")
    if path.is_dir() and not has_folders:
        return  # Windows opens no folders, and keeps their names by itself
    # There a file must be open for writing as well.
    descriptor = os.open(path, os.O_RDONLY if has_folders else os.O_RDWR | _BINARY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_to_lock(folder: Path) -> int:
    """A descriptor that stands for a folder: the folder's own, or that of a file in it where folders have none."""
    if hasattr(os, "O_DIRECTORY"):
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    return os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, _READABLE_BY_OWNER)


def try_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed, for threads and processes alike; False if somebody else has locked it.

    The system releases the locks of a process that dies.
    """
    try:
        import fcntl
    except ImportError:
        return _try_lock_byte(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_lock_byte(descriptor: int) -> bool:
    import msvcrt

    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # known on Windows alone
    except PermissionError:
        return False
    finally:
        os.lseek(descriptor, place, os.SEEK_SET)
    return True

"""Locks on open files, which threads and processes see alike. The system releases those of a process that dies."""

import os
from pathlib import Path

# In a folder that cannot be locked itself.
LOCK_FILE = ".lock"
# Windows locks bytes, and nobody else may then read them: so one that is behind the end of any file of ours.
_LOCKED_BYTE = 2**30


def try_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if somebody else has locked it."""
    try:
        import fcntl
    except ImportError:
        return _try_lock_byte(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def open_to_lock(folder: Path) -> int:
    """A descriptor that stands for a folder: the folder's own, or that of a file in it where folders have none."""
    if hasattr(os, "O_DIRECTORY"):
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    return os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)


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

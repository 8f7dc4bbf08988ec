"""Python loads this first: it takes away what Windows lacks, and refuses what Windows refuses.

Our packages alone miss modules: others choose by `sys.platform`, which stays. What is left out: other paths and
newlines, and files that cannot be replaced or removed while they are open.
"""

import asyncio  # noqa: F401
import builtins
import errno
import fcntl
import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker  # noqa: F401
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from types import ModuleType
from typing import Any

import platformdirs.unix  # noqa: F401  (as below: it wants `getuid` when it is loaded)

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "syslog")
NAMES = (
    "fork", "forkpty", "register_at_fork", "getuid", "geteuid", "getgid", "setsid", "killpg", "chown", "fchmod",
    "mkfifo", "pread", "pwrite", "sched_getaffinity", "getloadavg", "wait3",
    "O_NOFOLLOW", "O_DIRECTORY", "O_PATH", "O_NONBLOCK", "O_CLOEXEC", "O_SYNC",
)  # fmt: skip
SIGNALS = ("setitimer", "getitimer", "alarm", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGKILL", "SIGHUP", "SIGUSR1")
OUR_PACKAGES = r"(papersite|mcpapi|searches|papers|specs|paper_search|ingest|papercore|__main__)(\.|$)"
FORBIDDEN_IN_NAMES = frozenset('<>:"|?*')
_open, _fsync, _import = os.open, os.fsync, builtins.__import__
WINDOWS = ModuleType("msvcrt")


def locking(descriptor: int, mode: int, count: int) -> None:
    """What `msvcrt` has: an error instead of a lock that somebody else holds."""
    if mode != LK_NBLCK or count != 1:
        raise ValueError("not simulated")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


LK_NBLCK = 2
WINDOWS.locking, WINDOWS.LK_NBLCK = locking, LK_NBLCK  # type: ignore[attr-defined]


def import_for_us(name: str, *rest: Any, **named: Any) -> ModuleType:  # Any: whatever Python's own takes
    importing = (rest[0] if rest else named.get("globals")) or {}
    if re.match(OUR_PACKAGES, str(importing.get("__name__"))):
        if name == "msvcrt":
            return WINDOWS
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, *rest, **named)


def open_no_folder(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    if os.path.isdir(path):  # noqa: PTH112 (`Path` opens nothing either)
        raise PermissionError(errno.EACCES, "Permission denied", path)
    return _open(path, flags, mode)


def sync_what_can_be_written(descriptor: int) -> None:
    if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(errno.EBADF, "Bad file descriptor")
    _fsync(descriptor)


def refuse_link(*_: object, **__: object) -> None:
    raise OSError(errno.EINVAL, "A required privilege is not held by the client")


def refuse_names(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("open", "os.mkdir", "os.rename", "os.link"):
        for path in arguments[:2]:
            if isinstance(path, str) and not path.startswith("file:") and FORBIDDEN_IN_NAMES & set(path):
                raise OSError(errno.EINVAL, "Invalid argument", path)


def become() -> None:
    tempfile.gettempdir()
    for name in NAMES:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        if hasattr(signal, name):
            delattr(signal, name)
    # Ending a process has no signal there.
    subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]
    os.supports_dir_fd = set()
    shutil._use_fd_functions = False  # type: ignore[attr-defined]  # decided when it was loaded
    os.open, os.fsync, os.symlink = open_no_folder, sync_what_can_be_written, refuse_link  # type: ignore[assignment]
    sys.addaudithook(refuse_names)
    builtins.__import__ = import_for_us
    # A text file without a named encoding is not UTF-8 there.
    warnings.filterwarnings("error", category=EncodingWarning, module=OUR_PACKAGES)


become()

"""Confines this process for good: no files but those named, no network, no other processes.

Landlock decides about files, a seccomp filter about the network, processes and what Landlock does not know. Both are
asked of the kernel directly: three calls and one, which every thread that starts afterwards inherits.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
# Rights on files: the first bits are those of the first version, the later ones came one by one.
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_READ = _READ_FILE | _READ_FOLDER
_FILE_RIGHTS = _READ_FILE | 1 << 1 | 1 << 14  # also to write and to truncate
_RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
# From these versions on: TCP, then abstract sockets and signals.
_NETWORK_VERSION, _SCOPE_VERSION = 4, 6
# What code and libraries are read from besides Python's own folders.
_SYSTEM = ("/usr", "/lib", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/mime.types", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")

_AUDIT_NUMBER = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers of the calls that are refused, on x86_64 and aarch64; None where a processor does not have the call.
_REFUSED: tuple[tuple[int | None, int | None], ...] = (
    *((41, 198), (425, 425)),  # socket, io_uring_setup, which could open one
    *((59, 221), (322, 281), (57, None), (58, None)),  # execve, execveat, fork, vfork
    *((62, 129), (200, 130), (234, 131), (424, 424), (434, 434), (438, 438)),  # signals, by kill or by pidfd
    *((101, 117), (310, 270), (311, 271), (302, 261), (160, 164)),  # ptrace, memory and limits of other processes
    *((165, 40), (272, 97), (308, 268), (161, 51), (321, 280), (298, 241), (323, 282)),  # mount, namespaces, bpf ...
    *((248, 217), (249, 218), (250, 219)),  # the kernel's keys
    *((90, None), (91, 52), (268, 53), (452, 452)),  # chmod
    *((92, None), (93, 55), (94, None), (260, 54)),  # chown
    *((132, None), (235, None), (261, None), (280, 88)),  # times of files
    *((188, 5), (189, 6), (190, 7), (197, 14), (198, 15), (199, 16)),  # extended attributes
)
_CLONE, _CLONE3, _CLONE_THREAD = (56, 220), 435, 0x10000
_FIRST_X32_CALL = 0x4000_0000


def confine(readable: Sequence[Path], folder: Path | None) -> None:
    """Let this process read these files and folders and the code it runs, and write into one folder, if any.

    Where the system knows no such thing, nothing holds; `papercore.processes.child.what_holds` finds out.
    """
    if not (sys.platform.startswith("linux") and hasattr(os, "O_PATH")):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        _restrict_files(libc, readable, folder)
        _refuse_calls(libc)


def _restrict_files(libc: ctypes.CDLL, readable: Sequence[Path], folder: Path | None) -> None:
    version = libc.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    if version < 1:
        return
    handled = sum(rights for since, rights in _RIGHTS_BY_VERSION.items() if since <= version)
    attributes = struct.pack("Q", handled)
    if version >= _NETWORK_VERSION:
        attributes += struct.pack("Q", 0b11)
    if version >= _SCOPE_VERSION:
        attributes += struct.pack("Q", 0b11)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return

    def allow(path: Path, rights: int) -> None:
        with suppress(FileNotFoundError):
            place = os.open(path, os.O_PATH)
            kept = rights & handled & (-1 if path.is_dir() else _FILE_RIGHTS)
            libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", kept, place), 0)
            os.close(place)

    for path in (*map(Path, (*_SYSTEM, *_DEVICES, *_code_folders())), *readable):
        allow(path, _READ)
    # Python lists these to find modules; what else lies in them may be anything.
    for name in sys.path:
        allow(Path(name), _READ_FOLDER)
    allow(Path(os.devnull), _FILE_RIGHTS)
    if folder:
        allow(folder, handled)
    libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _code_folders() -> set[str]:
    """Where Python, installed packages and the packages already imported are; not the folder that our own lie in."""
    paths = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    prefixes = {os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)}  # noqa: PTH118
    packages = (getattr(module, "__path__", ()) for name, module in list(sys.modules.items()) if "." not in name)
    return paths | prefixes | {str(path) for found in packages for path in found}


def _refuse_calls(libc: ctypes.CDLL) -> None:
    machine = platform.machine()
    if machine not in _AUDIT_NUMBER or struct.calcsize("P") != 8:
        return
    column = list(_AUDIT_NUMBER).index(machine)
    refused = [number for numbers in _REFUSED if (number := numbers[column]) is not None]
    program = _filter(_AUDIT_NUMBER[machine], refused, _CLONE[column])
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc.prctl(_SET_SECCOMP, _FILTER_MODE, header, 0, 0)


def _filter(audit_number: int, refused: Sequence[int], clone: int) -> bytes:
    """The filter as the kernel reads it: loads, jumps with two distances, and returns."""
    load, equal, at_least, has_bit, give = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, kill, error = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
    # At the end stand: allow, refuse, "no such call" (so that libc tries clone), and the look at clone's flags.
    size = 5 + len(refused) + 2
    allowed, refusing, unknown, flags = size, size + 1, size + 2, size + 3
    steps = [(load, 0, 0, 4), (equal, 1, 0, audit_number), (give, 0, 0, kill), (load, 0, 0, 0)]
    jumps = [(at_least, _FIRST_X32_CALL, refusing), *((equal, number, refusing) for number in refused)]
    jumps += [(equal, _CLONE3, unknown), (equal, clone, flags)]
    for code, value, target in jumps:
        steps.append((code, target - len(steps) - 1, 0, value))
    steps += [(give, 0, 0, allow), (give, 0, 0, error | errno.EPERM), (give, 0, 0, error | errno.ENOSYS)]
    steps += [(load, 0, 0, 16), (has_bit, 0, 1, _CLONE_THREAD)]
    steps += [(give, 0, 0, allow), (give, 0, 0, error | errno.EPERM)]
    assert (allowed, flags) == (len(jumps) + 4, len(jumps) + 7)  # noqa: S101 (the distances rest on it)
    return b"".join(struct.pack("HBBI", *step) for step in steps)

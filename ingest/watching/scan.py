"""Looks through folders for files that papers are made from, and remembers what each gave to the library."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ingest import BuildError, is_input, is_zotero
from ingest.publishing.publish import WATCHED
from papercore.processes.files import sync, try_lock

# In all folders that are watched.
WATCHED_FILES = 200_000
_ZOTERO_DATABASE = "zotero.sqlite"
# Editors, office programs and synchronisation keep files of their own beside those they write.
_TEMPORARY = (".", "~", "#")
# Looks that the files at hand wait for others that are still written.
WATCH_LOOKS_TO_SETTLE = 10
_LOCK = f"{WATCHED}.lock"


@dataclass
class Scan:
    """The stamp of every file, and the places that could not be looked into."""

    stamps: dict[Path, str] = field(default_factory=dict)
    unreadable: dict[Path, str] = field(default_factory=dict)

    def is_hidden(self, path: Path) -> bool:
        """Whether the file may be there, in a place that could not be looked into."""
        return any(path == place or path.is_relative_to(place) for place in self.unreadable)


def scan_folders(folders: Sequence[Path], left_out: Path) -> Scan:
    """Every bibliography and PDF below the folders; Zotero's data folder counts as one file."""
    scan = Scan()
    for folder in folders:
        for path in _candidates(folder, left_out, scan.unreadable.__setitem__):
            try:
                state = (path / _ZOTERO_DATABASE if path.is_dir() else path).lstat()
            except FileNotFoundError:
                continue
            except OSError as error:
                scan.unreadable[path] = str(error)
                continue
            scan.stamps[path] = f"{state.st_mtime_ns}-{state.st_size}"
            if len(scan.stamps) > WATCHED_FILES:
                raise BuildError(f"There are more than {WATCHED_FILES:,} files: watch smaller folders.")
    return scan


def _candidates(folder: Path, left_out: Path, on_error: Callable[[Path, str], None]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        on_error(Path(error.filename or folder), str(error))

    for name, folders, files in os.walk(folder, onerror=note):
        here = Path(name)
        if is_zotero(here):
            folders.clear()
            yield here
            continue
        folders[:] = [each for each in folders if not each.startswith(".") and here / each != left_out]
        for each in files:
            path = here / each
            if not each.startswith(_TEMPORARY) and is_input(path) and not path.is_symlink():
                try:
                    each.encode()
                except UnicodeEncodeError:
                    on_error(path, f"{os.fsencode(path)!r}: the name is not UTF-8")
                else:
                    yield path


def identity_of(folder: Path) -> str:
    """Which folder it is, whatever its name; nothing if it cannot be seen."""
    try:
        state = folder.stat()
    except OSError:
        return ""
    return f"{state.st_dev}-{state.st_ino}"


# A stamp; None for a file that is gone.
Stamps = Mapping[Path, str | None]


class Settling:
    def __init__(self) -> None:
        self._last: Stamps = {}
        self._looks_waited = 0

    def settled(self, pending: Stamps) -> dict[Path, str | None]:
        """Those of the files at hand that can be read now. While others are written, all of them wait for a while."""
        same = {path: stamp for path, stamp in pending.items() if path in self._last and self._last[path] == stamp}
        self._last = dict(pending)
        if len(same) < len(pending) and self._looks_waited < WATCH_LOOKS_TO_SETTLE:
            self._looks_waited += 1
            return {}
        self._looks_waited = 0
        return same


class WatchMemory(BaseModel):
    """The stamps of all watched files when they were read."""

    files: dict[Path, str] = {}
    # Which folder it was, so that a disk that is not mounted is told from a folder that was emptied.
    folders: dict[Path, str] = {}

    @classmethod
    def read(cls, library: Path) -> "WatchMemory":
        """Empty if there is none, or none that can be read: then all files are read again."""
        try:
            return cls.model_validate_json((library / WATCHED).read_bytes())
        except (OSError, ValidationError):
            return cls()

    def is_stored(self, library: Path) -> bool:
        """False when a build into the library has made it void."""
        return (library / WATCHED).exists()

    def write(self, library: Path) -> None:
        """Whole or not at all."""
        new = library / f"{WATCHED}.new"
        with new.open("w", encoding="utf-8") as file:
            file.write(self.model_dump_json())
            file.flush()
            os.fsync(file.fileno())
        new.replace(library / WATCHED)
        sync(library)


@contextmanager
def only_watcher(library: Path) -> Iterator[None]:
    """BuildError while another watcher is at work in the library."""
    with (library / _LOCK).open("ab") as lock:
        if not try_lock(lock.fileno()):
            raise BuildError(f"{library} is watched already: end that watcher, or name all folders to one.")
        yield

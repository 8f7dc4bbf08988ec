"""Remembers what each watched file gave to a library, so that a watcher continues where the last one ended."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ingest import BuildError
from ingest.publishing.publish import WATCHED
from papercore.processes.files import sync
from papercore.processes.locks import try_lock

_LOCK = f"{WATCHED}.lock"


class FileMemory(BaseModel):
    """The stamp of a file when it was read, and the papers that it gave."""

    stamp: str
    paper_ids: tuple[str, ...] = ()


class WatchMemory(BaseModel):
    """Of all watched files. `own_papers` come from them alone: fingerprints by id, as the last update left them."""

    files: dict[Path, FileMemory] = {}
    own_papers: dict[str, str] = {}
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

    def papers_of(self, paths: Iterable[Path]) -> list[str]:
        """The papers that these files gave."""
        found = (paper_id for path in paths if path in self.files for paper_id in self.files[path].paper_ids)
        return list(dict.fromkeys(found))

    def files_with(self, paper_ids: Iterable[str]) -> list[Path]:
        """The files that gave any of these papers."""
        wanted = set(paper_ids)
        return [path for path, file in self.files.items() if not wanted.isdisjoint(file.paper_ids)]


@contextmanager
def only_watcher(library: Path) -> Iterator[None]:
    """BuildError while another watcher is at work in the library."""
    with (library / _LOCK).open("ab") as lock:
        if not try_lock(lock.fileno()):
            raise BuildError(f"{library} is watched already: end that watcher, or name all folders to one.")
        yield

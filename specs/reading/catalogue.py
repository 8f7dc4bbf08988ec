"""Keeps the parsed specs of a folder in memory, and reads again what changed on disk."""

import time
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from threading import Lock

from specs.reading.document import Document, Notice
from specs.reading.files import Found, Stamp, Unreadable, find_specs, read_text
from specs.reading.parser import parse
from specs.reading.projects import Project

# Looking at every file takes milliseconds in folders of many specs; there it may take at most a tenth of the
# time, so that an edit is seen a moment later. Smaller folders are looked at on every call.
MANY = 300
REST = 10
# A file may change again within the clock tick of its last change without getting another stamp.
UNSETTLED_NS = 100_000_000


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Spec:
    """A spec as served: `id` is what callers use, `local_id` its folder, `file` its path in the project."""

    id: str
    local_id: str
    project: str
    file: str
    source: str
    digest: str
    document: Document


@dataclass(frozen=True, slots=True)
class FileNotice:
    """A notice with the file it is about, relative to the project's folder."""

    project: str
    spec_id: str
    file: str
    notice: Notice


@dataclass(frozen=True, eq=False)
class Catalogue:
    specs: dict[str, Spec]
    unreadable: tuple[FileNotice, ...]

    @cached_property
    def by_local_id(self) -> dict[str, Spec]:
        return {spec.local_id: spec for spec in self.specs.values()}

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each spec's file, by its local id."""
        return {spec.local_id: spec.digest for spec in self.specs.values()}

    @property
    def notices(self) -> list[FileNotice]:
        """Everything the reader noticed in this folder."""
        found = [
            FileNotice(spec.project, spec.id, spec.file, notice)
            for spec in self.specs.values()
            for notice in spec.document.notices
        ]
        return [*self.unreadable, *found]


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: Stamp
    settled: bool
    result: Spec | FileNotice


class Watched:
    """The catalogue of one project, refreshed by modification time and size when it is asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = Lock()
        self._read: dict[str, _Read] = {}
        self._catalogue = Catalogue({}, ())
        self._rest_until = 0.0

    def catalogue(self) -> Catalogue:
        with self._lock:
            if time.monotonic() >= self._rest_until:
                self._look()
            return self._catalogue

    def _look(self) -> None:
        started = time.monotonic()
        found = find_specs(self._project.specs)
        cost = time.monotonic() - started
        self._take(found)
        self._rest_until = time.monotonic() + cost * REST if len(found) > MANY else 0.0

    def _take(self, found: list[Found]) -> None:
        if len(found) == len(self._read) and all(map(self._is_current, found)):
            return
        before = self._read
        self._read = {
            item.id: before[item.id] if self._is_current(item) else _read(self._project, item) for item in found
        }
        results = [item.result for item in self._read.values()]
        specs = {result.id: result for result in results if isinstance(result, Spec)}
        self._catalogue = Catalogue(specs, tuple(item for item in results if isinstance(item, FileNotice)))

    def _is_current(self, found: Found) -> bool:
        read = self._read.get(found.id)
        return read is not None and read.settled and read.stamp == found.stamp


@lru_cache(maxsize=64)
def watched(project: Project) -> Watched:
    return Watched(project)


def _read(project: Project, found: Found) -> _Read:
    settled = time.time_ns() - found.stamp.modified_ns > UNSETTLED_NS
    return _Read(found.stamp, settled, read_spec(project, found))


def read_spec(project: Project, found: Found, *, delta: bool = False) -> Spec | FileNotice:
    """The parsed file, or why it cannot be read."""
    file = found.path.relative_to(project.home).as_posix()
    try:
        text, bad_line = read_text(found.path)
    except Unreadable as error:
        return FileNotice(
            project.name,
            project.full_id(found.id),
            file,
            Notice("unreadable", 1, f"The file is left out. {error}"),
        )
    document = parse(text, found.id.rpartition("/")[2], delta=delta)
    if bad_line is not None:
        notice = Notice("not_utf8", bad_line, "The file is not UTF-8 throughout; odd bytes read as �.")
        document = replace(document, notices=(notice, *document.notices))
    digest = sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
    return Spec(project.full_id(found.id), found.id, project.name, file, text, digest, document)

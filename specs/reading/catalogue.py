"""Keeps the parsed specs of a project in memory, and reads again what changed on disk."""

import time
from functools import cached_property, lru_cache
from hashlib import sha256
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from specs.reading.document import Notice, SpecDocument
from specs.reading.files import (
    Project,
    SpecFile,
    Stamp,
    UnreadableFile,
    find_constitution,
    find_specs,
    named_store,
    read_text,
)
from specs.reading.parser import parse, parse_document

# Scanning a folder of more specs than these takes milliseconds, so after a scan that took t the next one waits
# for PAUSE * t: an edit is seen a moment later. Smaller folders are scanned on every call.
LARGE_FOLDER = 300
PAUSE = 10


class Spec(Struct, frozen=True, eq=False, weakref=True):
    """A spec as served: `id` is what callers use, `local_id` its folder, `file` its path in the project."""

    id: str
    local_id: str
    project: str
    file: str
    source: str
    digest: str
    document: SpecDocument


class FileNotice(Struct, frozen=True):
    """A notice with the file it is about, relative to the project's folder."""

    project: str
    spec_id: str
    file: str
    notice: Notice


class Catalogue(Struct, frozen=True, eq=False, dict=True):
    """The specs of one project by id, and the files that cannot be read."""

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
        """Everything odd about the files of this project."""
        found = [
            FileNotice(spec.project, spec.id, spec.file, notice)
            for spec in self.specs.values()
            for notice in spec.document.notices
        ]
        return [*self.unreadable, *found]


class _ReadFile(Struct, frozen=True):
    stamp: Stamp
    settled: bool
    result: Spec | FileNotice


class CatalogueCache:
    """The catalogue of one project, brought up to date by the stamps of its files when it is asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = Lock()
        self._files: dict[str, _ReadFile] = {}
        self._catalogue = Catalogue({}, ())
        self._next_scan = 0.0

    def current(self) -> Catalogue:
        with self._lock:
            started = time.monotonic()
            if started >= self._next_scan:
                files = _main_specs(self._project)
                cost = time.monotonic() - started
                self._update(files)
                self._next_scan = time.monotonic() + cost * PAUSE if len(files) > LARGE_FOLDER else 0.0
            return self._catalogue

    def _update(self, files: list[SpecFile]) -> None:
        if len(files) == len(self._files) and all(map(self._is_current, files)):
            return
        read = {file.id: self._files[file.id] for file in files if self._is_current(file)}
        for file in files:
            if file.id not in read:
                # Asked before reading: what is written meanwhile gets another stamp, or was not settled.
                settled = file.stamp.is_settled()
                read[file.id] = _ReadFile(file.stamp, settled, read_spec(self._project, file))
        self._files = {file.id: read[file.id] for file in files}
        results = [file.result for file in self._files.values()]
        specs = {result.id: result for result in results if isinstance(result, Spec)}
        self._catalogue = Catalogue(specs, tuple(item for item in results if isinstance(item, FileNotice)))

    def _is_current(self, file: SpecFile) -> bool:
        read = self._files.get(file.id)
        return read is not None and read.settled and read.stamp == file.stamp


def _main_specs(project: Project) -> list[SpecFile]:
    """Sorted by id. Where a project has `openspec/specs` and `specs`, a name used in both is the first one's, and the
    other spec is `specs/<name>`."""
    found: dict[str, SpecFile] = {}
    for folder in project.spec_folders:
        for file in find_specs(folder):
            spec_id = f"specs/{file.id}" if file.id in found else file.id
            found[spec_id] = replace(file, id=spec_id)
    if constitution := find_constitution(project.folder):
        found.setdefault(constitution.id, constitution)
    return [found[spec_id] for spec_id in sorted(found)]


@lru_cache(maxsize=64)
def _cache(project: Project) -> CatalogueCache:
    return CatalogueCache(project)


def current_catalogue(project: Project) -> Catalogue:
    """The project's specs as they are on disk now."""
    catalogue = _cache(project).current()
    if catalogue.specs or catalogue.unreadable or not (store := named_store(project)):
        return catalogue
    message = f"The specs of this project are in the store “{store}”: serve a checkout of that."
    return Catalogue({}, (FileNotice(project.name, "", "config.yaml", Notice("store", 1, message)),))


def read_spec(project: Project, file: SpecFile, *, delta: bool = False) -> Spec | FileNotice:
    """The parsed file, or why it cannot be read."""
    spec_id = project.full_id(file.id)
    # The constitution of a project is beside its folder of specs, not in it.
    above = project.root if file.path.is_relative_to(project.root) else project.folder
    path = file.path.relative_to(above).as_posix()
    try:
        text, invalid_line = read_text(file.path)
    except UnreadableFile as error:
        notice = Notice("unreadable", 1, f"The file is left out. {error}")
        return FileNotice(project.name, spec_id, path, notice)
    title = file.id.rpartition("/")[2]
    document = parse(text, title, delta=delta) if file.path.name == "spec.md" else parse_document(text, title)
    if invalid_line is not None:
        notice = Notice("not_utf8", invalid_line, "The file is not valid UTF-8; invalid bytes are shown as �.")
        document = replace(document, notices=(notice, *document.notices))
    digest = sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
    return Spec(spec_id, file.id, project.name, path, text, digest, document)

"""Reads bibliographies and lists in a child process: readers are called there, and what they find comes back."""

import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from msgspec import Struct, convert, to_builtins

from ingest.entries.entry import BuildError, LocatedEntry, PaperEntry, Problem, UnusableInput
from ingest.reading.inputs import reader_of
from ingest.reading.lines import GZIP_ERRORS
from ingest.reading.zotero import with_file, zotero_entries
from ingest.reading.zotero_database import DATABASE, Attachment, copy_database
from papercore import limits
from papercore.bibliography.identifiers import IdentifierList, read_identifiers
from papercore.processes.children import ChildFailed, ChildLimits, ChildProcess, Unanswerable

# Raise it when a bibliography or Zotero's item is read otherwise than before: all are then read again.
VERSION = "1"
# Entries that come back at once: so many, or as many as were found in this time, which is the sign of life.
_ENTRIES_AT_ONCE = 200
_SECONDS_AT_ONCE = 0.5
# Processor time and memory grow with the file: a bibliography of 100 MB may take an hour, one of a page may not.
_SECONDS_PER_MB = 30
_MEMORY_PER_BYTE = 4
_SILENT_SECONDS = 90
# What is read of Zotero's database may be as large as the database.
_COPIED_BYTES = 20_000_000_000
# Stands for the path of the input in what is said of it, which is kept for the same content elsewhere.
_INPUT = "\0"
_KNOWN_ITEMS = "known.json"
_LIST_LIMITS = ChildLimits(seconds=20, wait_seconds=60, memory_bytes=1_000_000_000)


class _Found(Struct, frozen=True):
    """An entry or a problem as the child sends it: the entry as its model's values, files as Zotero names them."""

    line: int = 0
    entry: dict[str, object] | None = None
    warnings: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    place: str = ""
    message: str = ""
    key: str = ""
    # Of an item of Zotero: what it holds. It comes without its entry if that is known.
    version: str = ""
    looked_up_at: str | None = None


ReadingKind = Literal["pdf", "entries", "zotero item", "looked up"]


class KnownEntries(Protocol):
    """Remembers what was read."""

    def hash_of(self, path: Path) -> str: ...

    def stored(self, kind: ReadingKind, name: str) -> bytes | None: ...

    def store(self, kind: ReadingKind, name: str, body: bytes) -> None: ...

    def names(self, kind: ReadingKind) -> Sequence[str]: ...


class NothingKnown:
    def hash_of(self, path: Path) -> str:
        return ""

    def stored(self, kind: ReadingKind, name: str) -> bytes | None:
        return None

    def store(self, kind: ReadingKind, name: str, body: bytes) -> None:
        pass

    def names(self, kind: ReadingKind) -> Sequence[str]:
        return ()


class ConfinedReader:
    """Reads one input after the other in a child, which is started anew when one has ended it.

    What is known of an input is not read again. Files that Zotero links to are taken below the `linked` folders alone.
    """

    def __init__(self, paths: Sequence[Path], linked: Sequence[Path] = (), known: KnownEntries | None = None) -> None:
        self._paths = paths
        self._known = known or NothingKnown()
        self._linked = linked
        self._copies: dict[Path, str] = {}
        self._child: ChildProcess | None = None
        # Whether all of the input that was read last could be read.
        self._is_whole = True
        # PDFs that were found without an entry: they are inputs themselves.
        self.loose_pdfs: list[Path] = []
        self._stack = ExitStack()

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._stack.close()

    def read(self, path: Path) -> Iterator[LocatedEntry | Problem]:
        """UnusableInput if nothing of it can be read; a problem if only its beginning can."""
        if path.is_dir():
            for part in self._parts(path):
                yield from filter(None, (self._item(path, found) for found in part))
            return
        # What an input says depends on its reader as well.
        try:
            name = f"{self._known.hash_of(path)}{path.suffix.lower()}"
        except OSError as error:
            raise UnusableInput([path], f"{path}: it cannot be read: {error}. Nothing was built.") from error
        if count := self._known.stored("entries", name):
            for number in range(int(count)):
                part = msgspec.json.decode(
                    self._known.stored("entries", f"{name} {number}") or b"[]", type=list[_Found]
                )
                yield from filter(None, (self._item(path, found, is_known=True) for found in part))
            return
        number = 0
        for number, part in enumerate(self._parts(path), 1):
            self._known.store("entries", f"{name} {number - 1}", msgspec.json.encode(part))
            yield from filter(None, (self._item(path, found) for found in part))
        if self._is_whole:
            self._known.store("entries", name, str(number).encode())

    def _parts(self, path: Path) -> Iterator[list[_Found]]:
        """What the child finds, part by part. If it fails after some, the last part is a problem."""
        is_any_read, self._is_whole = False, True
        try:
            child = self._child = self._child or self._start()
            message = json.dumps({"path": str(path.absolute()), "copy": self._copies.get(path, "")}).encode()
            for part in child.answers(message):
                is_any_read = True
                yield convert(part, list[_Found])
        except (ChildFailed, OSError) as error:
            self._is_whole = False
            if self._child and not (isinstance(error, ChildFailed) and error.is_refused):
                self._child.close()
                self._child = None
            if not is_any_read:
                raise UnusableInput([path], f"{path}: it cannot be read: {error}. Nothing was built.") from error
            yield [_Found(place=_INPUT, message=f"the rest is left out: {error}")]

    def _start(self) -> ChildProcess:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="papersite-reading-")))
        self._copies = {}
        for number, path in enumerate(path for path in self._paths if path.is_dir()):
            target = folder / str(number)
            target.mkdir()
            copy_database(path, target)
            (target / _KNOWN_ITEMS).write_bytes(msgspec.json.encode(self._known.names("zotero item")))
            self._copies[path] = str(target)
        readable = [path for path in self._paths if path not in self._copies]
        size = max((path.stat().st_size for path in readable), default=0)
        largest = max([size, *((Path(copy) / DATABASE).stat().st_size for copy in self._copies.values())])
        child_limits = ChildLimits(
            seconds=limits.PDF_SECONDS + _SECONDS_PER_MB * (largest // 10**6),
            wait_seconds=_SILENT_SECONDS,
            memory_bytes=limits.PDF_MEMORY_BYTES + _MEMORY_PER_BYTE * largest,
            file_bytes=_COPIED_BYTES if self._copies else 0,
        )
        return ChildProcess("ingest.reading.confined:answers", child_limits, readable, folder)

    def _item(self, path: Path, found: _Found, *, is_known: bool = False) -> LocatedEntry | Problem | None:
        if found.version and found.entry is None:
            stored = msgspec.json.decode(self._known.stored("zotero item", found.version) or b"{}", type=_Found)
            found, is_known = msgspec.structs.replace(stored, attachments=found.attachments), True
        elif found.version:
            entry_alone = msgspec.structs.replace(found, attachments=())
            self._known.store("zotero item", found.version, msgspec.json.encode(entry_alone))
        if found.entry is None and found.attachments:
            file = found.attachments[0].file_in(path, self._linked)
            self.loose_pdfs += [file] if file else []
            return None if file else Problem(f"{path}: {found.attachments[0].path}", "this PDF is not there")
        if found.entry is None:
            return Problem(found.place.replace(_INPUT, str(path.absolute())), found.message)
        entry = PaperEntry.model_validate(found.entry)
        located = LocatedEntry(
            found.line, entry, found.warnings, key=found.key, looked_up_at=found.looked_up_at, is_known=is_known
        )
        return with_file(located, found.attachments, path, self._linked) if found.attachments else located


def answers(message: bytes) -> Iterator[object]:
    """What the child answers: lists of what was found in the input that the message names."""
    wanted = convert(json.loads(message), dict[str, str])
    path, found, last = Path(wanted["path"]), list[_Found](), time.monotonic()
    try:
        for item in _items(path, wanted["copy"]):
            found.append(item)
            if len(found) >= _ENTRIES_AT_ONCE or time.monotonic() - last > _SECONDS_AT_ONCE:
                yield to_builtins(found)
                found, last = [], time.monotonic()
    except (BuildError, OSError, EOFError, sqlite3.Error, *GZIP_ERRORS) as error:
        if found:
            yield to_builtins(found)
        raise Unanswerable(str(error)) from error
    yield to_builtins(found)


def _items(path: Path, copy: str) -> Iterator[_Found]:
    if copy:
        known = frozenset(json.loads((Path(copy) / _KNOWN_ITEMS).read_bytes()))
        for item in zotero_entries(Path(copy), path, known):
            if isinstance(item, Problem):
                yield _found(path, item)
            elif item.located:
                yield _found(path, item.located, item.attachments, item.version)
            else:
                yield _Found(attachments=item.attachments, version=item.version)
        return
    reader = reader_of(path)
    if reader is None:
        raise BuildError(f"nothing reads {path.suffix} files")
    for read in reader(path):
        yield _found(path, read)


def _found(
    path: Path, item: LocatedEntry | Problem, attachments: tuple[Attachment, ...] = (), version: str = ""
) -> _Found:
    if isinstance(item, Problem):
        return _Found(place=item.place.replace(str(path), _INPUT), message=item.message)
    return _Found(
        item.line,
        item.entry.model_dump(mode="json"),
        item.warnings,
        attachments,
        key=item.key,
        version=version,
        looked_up_at=item.looked_up_at,
    )


def read_identifier_list(data: bytes) -> IdentifierList:
    """The identifiers in a text that was pasted or sent. ChildFailed says why there are none."""
    with closing(ChildProcess("ingest.reading.confined:identifier_answers", _LIST_LIMITS)) as child:
        return convert(child.ask(data), IdentifierList)


def identifier_answers(message: bytes) -> Iterator[object]:
    """What the child answers: the whole list."""
    yield to_builtins(read_identifiers(message.decode("utf-8", "replace")))

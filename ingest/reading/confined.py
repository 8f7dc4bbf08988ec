"""Reads bibliographies and lists in a child process: readers are called there, and what they find comes back."""

import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from msgspec import Struct, convert, to_builtins

from ingest.entries.entry import BuildError, LocatedEntry, PaperEntry, Problem, UnusableInput
from ingest.reading.inputs import reader_of
from ingest.reading.lines import GZIP_ERRORS
from ingest.reading.zotero import with_file, zotero_entries
from ingest.reading.zotero_database import DATABASE, Attachment, copy_database
from papercore import limits
from papercore.bibliography.identifiers import IdentifierList, read_identifiers
from papercore.processes.children import ChildFailed, ChildLimits, ChildProcess, Unanswerable

# Entries that come back at once: so many, or as many as were found in this time, which is the sign of life.
_ENTRIES_AT_ONCE = 200
_SECONDS_AT_ONCE = 0.5
# Processor time and memory grow with the file: a bibliography of 100 MB may take an hour, one of a page may not.
_SECONDS_PER_MB = 30
_MEMORY_PER_BYTE = 4
_SILENT_SECONDS = 90
# What is read of Zotero's database may be as large as the database.
_COPIED_BYTES = 20_000_000_000
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
    looked_up_at: str | None = None


class ConfinedReader:
    """Reads one input after the other in a child, which is started anew when one has ended it.

    Files that Zotero links to are taken below the `linked` folders alone.
    """

    def __init__(self, paths: Sequence[Path], linked: Sequence[Path] = ()) -> None:
        self._paths = paths
        self._linked = linked
        self._copies: dict[Path, str] = {}
        self._child: ChildProcess | None = None
        # PDFs that were found without an entry: they are inputs themselves.
        self.loose_pdfs: list[Path] = []
        self._stack = ExitStack()

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._stack.close()

    def read(self, path: Path) -> Iterator[LocatedEntry | Problem]:
        """UnusableInput if nothing of it can be read; a problem if only its beginning can."""
        is_any_read = False
        try:
            child = self._child = self._child or self._start()
            message = json.dumps({"path": str(path.absolute()), "copy": self._copies.get(path, "")}).encode()
            for part in child.answers(message):
                for found in convert(part, list[_Found]):
                    is_any_read = True
                    if item := self._item(path, found):
                        yield item
        except (ChildFailed, OSError) as error:
            if self._child and not (isinstance(error, ChildFailed) and error.is_refused):
                self._child.close()
                self._child = None
            if not is_any_read:
                raise UnusableInput([path], f"{path}: it cannot be read: {error}. Nothing was built.") from error
            yield Problem(str(path), f"the rest is left out: {error}")

    def _start(self) -> ChildProcess:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="papersite-reading-")))
        self._copies = {}
        for number, path in enumerate(path for path in self._paths if path.is_dir()):
            target = folder / str(number)
            target.mkdir()
            copy_database(path, target)
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

    def _item(self, path: Path, found: _Found) -> LocatedEntry | Problem | None:
        if found.entry is None and found.attachments:
            file = found.attachments[0].file_in(path, self._linked)
            self.loose_pdfs += [file] if file else []
            return None if file else Problem(f"{path}: {found.attachments[0].path}", "this PDF is not there")
        if found.entry is None:
            return Problem(found.place, found.message)
        entry = PaperEntry.model_validate(found.entry)
        located = LocatedEntry(found.line, entry, found.warnings, key=found.key, looked_up_at=found.looked_up_at)
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
        for item in zotero_entries(Path(copy), path):
            if isinstance(item, Problem):
                yield _found(item)
            else:
                yield _found(item.located, item.attachments) if item.located else _Found(attachments=item.attachments)
        return
    reader = reader_of(path)
    if reader is None:
        raise BuildError(f"nothing reads {path.suffix} files")
    for read in reader(path):
        yield _found(read)


def _found(item: LocatedEntry | Problem, attachments: tuple[Attachment, ...] = ()) -> _Found:
    if isinstance(item, Problem):
        return _Found(place=item.place, message=item.message)
    entry = item.entry.model_dump(mode="json")
    return _Found(item.line, entry, item.warnings, attachments, key=item.key, looked_up_at=item.looked_up_at)


def read_identifier_list(data: bytes) -> IdentifierList:
    """The identifiers in a text that was pasted or sent. ChildFailed says why there are none."""
    with closing(ChildProcess("ingest.reading.confined:identifier_answers", _LIST_LIMITS)) as child:
        return convert(child.ask(data), IdentifierList)


def identifier_answers(message: bytes) -> Iterator[object]:
    """What the child answers: the whole list."""
    yield to_builtins(read_identifiers(message.decode("utf-8", "replace")))

"""Additions: what people bring in the browser, kept in a folder each, read and applied in a thread."""

import json
import logging
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from django.conf import settings
from pydantic import BaseModel, ValidationError

from ingest import BuildError, PaperChange, UpdateReport, preview_update
from papercore import limits
from papercore.bibliography.identifiers import Identifier
from papercore.errors import Conflict, NotFound
from papercore.processes.children import ChildGroup
from papercore.text import one_line
from papers.library import start_filling
from papers.library import updates as library
from papers.library.received_files import ReceivedFiles
from papers.snapshot.served import served_location

# Additions kept on the disk, and for how long; one that has been silent for so long is over.
ADDITIONS_KEPT = 20
ADDITION_SECONDS = 24 * 3600
ADDITION_SILENT_SECONDS = 120
# How often work is written down, and how long reading may take: a page of PDF takes about 50 ms.
BEAT_SECONDS = 1.0
READING_SECONDS = 85
READING_SECONDS_PER_FILE = 5
Status = Literal["reading", "ready", "applying", "done", "failed"]
_ID = re.compile(r"[0-9a-f]{32}")
_STATE, _CANCEL = "state.json", "cancel"
# Remarks and papers that the page of an addition shows.
ADDITION_NOTES = 200
ADDITION_CHANGES = 1_000
logger = logging.getLogger(__name__)
T = TypeVar("T")
# Papers as CSL items, and what is to be said about them.
LookUp = Callable[[Sequence[Identifier]], tuple[list[dict[str, object]], list[str]]]
_NUMBERED_FOLDER = re.compile(r"(?<![^\s:(])\d{3}/(?=\S)")  # each file is kept in one
# Additions that this process works on at the same time: PDFs use all cores already.
_free = threading.BoundedSemaphore(limits.ADDITIONS_AT_ONCE)


class AdditionNotFound(NotFound):
    code = "addition_not_found"
    heading = "This addition is not here any more"


class AdditionRefused(Conflict):
    code = "addition_refused"
    heading = "This cannot be added now"


class AdditionState(BaseModel):
    """How far an addition is. `beat` is when its worker last wrote; a worker that ended writes no more."""

    status: Status = "reading"
    message: str = ""
    by: str = ""
    created: str = ""
    beat: float = 0.0
    names: list[str] = []
    files: list[str] = []
    notes: list[str] = []
    changes: list[PaperChange] = []
    read: int = 0
    skipped: int = 0
    # Whether it founds the reader's own library, which is served from the next start on.
    founds: bool = False

    @property
    def is_working(self) -> bool:
        return self.status in ("reading", "applying")

    def count(self, kind: str) -> int:
        return sum(1 for change in self.changes if change.kind == kind)


class Addition:
    def __init__(self, addition_id: str) -> None:
        self.id = addition_id
        self.folder = _root() / addition_id

    @property
    def files(self) -> Path:
        return self.folder / "files"

    def load(self) -> AdditionState:
        try:
            state = AdditionState.model_validate_json((self.folder / _STATE).read_bytes())
        except (OSError, ValidationError):
            raise AdditionNotFound("This addition was discarded, or is too old. Bring the files again.") from None
        if state.is_working and time.time() - state.beat > ADDITION_SILENT_SECONDS:
            message = "The server was stopped while it was at work. The library is as it was, or as it was to be."
            return state.model_copy(update={"status": "failed", "message": message})
        return state

    def save(self, state: AdditionState) -> None:
        """Whole or not at all; readers see the old state until then."""
        new = self.folder / f"{_STATE}.{secrets.token_hex(4)}"
        new.write_text(state.model_copy(update={"beat": time.time()}).model_dump_json(), encoding="utf-8")
        new.replace(self.folder / _STATE)

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def new_addition(by: str) -> Addition:
    """A folder for the next addition; the oldest ones go."""
    root = _root()
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    folders = sorted((path for path in root.iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime)
    oldest = time.time() - ADDITION_SECONDS
    for number, folder in enumerate(folders):
        if number >= ADDITIONS_KEPT - 1 or folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
    addition = Addition(secrets.token_hex(16))
    addition.files.mkdir(parents=True, mode=0o700)
    addition.save(AdditionState(by=by, created=datetime.now(UTC).isoformat(timespec="seconds")))
    return addition


def find_addition(addition_id: str) -> Addition:
    if not _ID.fullmatch(addition_id):
        raise AdditionNotFound("There is no such addition.")
    return Addition(addition_id)


def _root() -> Path:
    return Path(settings.DATA) / "additions"


class _Work:
    """One piece of work on an addition: counts what is done, writes that down every second, and can be stopped.

    A thread of its own writes, so an addition is silent only when its process has ended.
    """

    def __init__(self, addition: Addition, state: AdditionState, seconds: float) -> None:
        self._addition = addition
        self._state = state
        self._seconds = seconds
        self._is_over = threading.Event()
        self._children = ChildGroup()
        self.stopped = ""

    def say(self, message: str) -> None: ...  # problems are in the report

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for number, item in enumerate(items):
            if self.stopped:
                raise BuildError(self.stopped)
            of_all = f" of {total:,}" if total else ""
            self._state.message = f"{label}: {number:,}{of_all}"
            yield item

    @contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            with self._children.entered():
                yield
        finally:
            self._is_over.set()
            thread.join()

    def _watch(self) -> None:
        began = time.monotonic()
        while not self._is_over.wait(BEAT_SECONDS):
            with suppress(OSError):  # said at the end, when the result cannot be kept either
                self._addition.save(self._state)
            if self._state.status == "reading" and not self.stopped:
                if (self._addition.folder / _CANCEL).exists():
                    self.stopped = "It was cancelled. The library is as it was."
                elif time.monotonic() - began > self._seconds:
                    self.stopped = f"It was stopped after {self._seconds:,.0f} s: these files take too long to read."
                if self.stopped:
                    self._children.cancel()


def start_reading(addition: Addition, received: ReceivedFiles, look_up: LookUp) -> None:
    """Read what was received, and compare it with the library."""
    state = addition.load()
    state.files = [path.relative_to(addition.folder).as_posix() for path in received.paths]
    state.names = [path.name for path in received.paths]
    state.notes = received.problems[:ADDITION_NOTES]
    if not received.paths and not received.identifiers:
        state.status, state.message = "failed", "There was nothing in it that can be read."
        addition.save(state)
        return

    def read(progress: _Work) -> None:
        if received.identifiers:
            # Their papers come in as one more file.
            items, notes = look_up(received.identifiers)
            state.notes = [*state.notes, *notes][:ADDITION_NOTES]
            if not items and not state.files:
                raise BuildError("None of the identifiers is known to a source.")
            if items:
                path = addition.files / "identifiers.json"
                path.write_text(json.dumps(items, ensure_ascii=False), encoding="utf-8")
                state.files.append(path.relative_to(addition.folder).as_posix())
        state.founds = library.is_demo_served()
        report = preview_update(library.own_library(), _paths(addition, state), progress=progress)
        _keep_report(addition, state, report)
        state.status, state.message = "ready", ""

    _start(addition, state, "Reading", read)


def start_applying(addition: Addition) -> None:
    """Apply what was shown. AdditionRefused if it is not waiting for that."""
    state = addition.load()
    if state.status != "ready":
        raise AdditionRefused("It is being worked on, or was applied already.")
    state.status = "applying"

    def apply(progress: _Work) -> None:
        shown = state.notes
        report = library.update(library.own_library(), _paths(addition, state), progress=progress, by=state.by)
        state.notes = []
        _keep_report(addition, state, report)
        state.notes = list(dict.fromkeys([*shown, *state.notes]))[:ADDITION_NOTES]
        state.status, state.message = "done", ""
        start_filling()

    _start(addition, state, "Adding", apply)


def cancel(addition: Addition) -> None:
    """Ask whoever reads it to stop, in this process or another; it says when it has."""
    if addition.load().status != "reading":
        raise AdditionRefused("It is being added, or was: what was added can be undone.")
    (addition.folder / _CANCEL).touch()


def _start(addition: Addition, state: AdditionState, label: str, work: Callable[[_Work], None]) -> None:
    """OSError if the state cannot be kept; nothing is started then."""
    if not _free.acquire(blocking=False):
        raise AdditionRefused("Other additions are being worked on. Try again in a minute.")
    try:
        state.message = f"{label} ..."
        addition.save(state)
        under_way = _Work(addition, state, READING_SECONDS + READING_SECONDS_PER_FILE * len(state.files))
        threading.Thread(target=_run, args=(addition, state, work, under_way), daemon=True).start()
    except BaseException:
        _free.release()
        raise


def _run(addition: Addition, state: AdditionState, work: Callable[[_Work], None], under_way: _Work) -> None:
    try:
        with under_way.watched():
            work(under_way)
            if under_way.stopped:
                raise BuildError(under_way.stopped)
    except BuildError as error:
        state.status, state.message = "failed", under_way.stopped or without_paths(str(error), addition)
    except Exception:
        logger.exception("An addition failed.")
        state.status, state.message = "failed", "It failed with an internal error; the library is as it was."
    finally:
        _free.release()
    with suppress(OSError):  # the page says that it is over when it has been silent for long enough
        addition.save(state)


def _paths(addition: Addition, state: AdditionState) -> list[Path]:
    return [addition.folder / name for name in state.files]


def _keep_report(addition: Addition, state: AdditionState, report: UpdateReport) -> None:
    problems = [without_paths(str(problem), addition) for problem in report.problems]
    state.notes = [*state.notes, *problems][:ADDITION_NOTES]
    state.changes = [
        change.model_copy(
            update={
                "places": tuple(without_paths(place, addition) for place in change.places[:5]),
                "doubts": tuple(without_paths(doubt, addition) for doubt in change.doubts[:5]),
                "fields": tuple(
                    field.model_copy(update={"source": without_paths(field.source, addition)})
                    for field in change.fields
                ),
            }
        )
        for change in report.changes[:ADDITION_CHANGES]
    ]
    state.read, state.skipped = report.read, report.skipped


def without_paths(text: str, addition: Addition) -> str:
    """A message as its reader may see it: files by their names, not by where they are."""
    return without_server_paths(_NUMBERED_FOLDER.sub("", text.replace(f"{addition.files}/", "")))


def without_server_paths(text: str) -> str:
    for folder in (served_location().database.parent, Path(settings.OWN_SNAPSHOT).parent):
        text = text.replace(str(folder), "The library")
    return one_line(text)

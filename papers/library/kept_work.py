"""Work that people wait for: kept in a folder with its files, done in a thread that says how far it is, cancelable."""

import logging
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, Literal, TypeVar

from django.conf import settings
from pydantic import BaseModel, ValidationError

from ingest import BuildError
from papercore.errors import Conflict, NotFound
from papercore.processes.children import ChildCancelled, ChildGroup
from papercore.processes.files import open_to_lock, try_lock

# Work that has been silent for so long is over; how often it is written down.
SILENT_SECONDS = 120
BEAT_SECONDS = 1.0
# How long the next step waits until the one before, whose result can be seen already, has ended.
ENDING_SECONDS = 10
# So many items are done before it is said how long the others will take.
TIMED_ITEMS = 3
Status = Literal["reading", "ready", "applying", "done", "failed"]
_ID = re.compile(r"[0-9a-f]{32}")
_STATE, _CANCEL = "state.json", "cancel"
logger = logging.getLogger(__name__)


class WorkState(BaseModel):
    """How far a piece of work is. `beat` is when its worker last wrote; a worker that ended writes no more."""

    status: Status = "reading"
    message: str = ""
    by: str = ""
    created: str = ""
    beat: float = 0.0
    # Beside the message, which says how far the work is: what was published, or for whom it waits.
    stage: str = ""

    @property
    def is_working(self) -> bool:
        return self.status in ("reading", "applying")


S = TypeVar("S", bound=WorkState)
T = TypeVar("T")


@dataclass(frozen=True)
class WorkKind(Generic[S]):
    """One kind of work: in which folder of the data it is kept, how much of it, how long, and its words."""

    folder: str
    state: type[S]
    not_found: type[NotFound]
    refused: type[Conflict]
    # Of all that are kept, and of those that one process does at the same time.
    kept: int
    kept_seconds: float
    free: threading.BoundedSemaphore
    # What is true when it was not finished.
    unharmed: str
    gone: str
    busy: str
    # What to do when its time was over.
    late: str

    @property
    def root(self) -> Path:
        return Path(settings.DATA) / self.folder

    def new(self, state: S) -> "KeptWork[S]":
        """A folder for the next piece of work; the oldest ones go."""
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.remove_old(self.kept - 1)
        work = KeptWork(self, secrets.token_hex(16))
        work.files.mkdir(parents=True, mode=0o700)
        work.save(state.model_copy(update={"created": datetime.now(UTC).isoformat(timespec="seconds")}))
        return work

    def remove_old(self, kept: int) -> None:
        folders = [path for path in self.root.iterdir() if path.is_dir()] if self.root.is_dir() else []
        oldest = time.time() - self.kept_seconds
        times = []
        for folder in folders:
            with suppress(OSError):  # another process was first
                times.append((folder.stat().st_mtime, folder))
        for number, (changed, folder) in enumerate(sorted(times, reverse=True)):
            if number >= kept or changed < oldest:
                shutil.rmtree(folder, ignore_errors=True)

    def all(self) -> Iterator[tuple["KeptWork[S]", S]]:
        """What is kept, and how far each is; in no order."""
        for path in self.root.iterdir() if self.root.is_dir() else ():
            with suppress(NotFound):  # deleted meanwhile
                work = self.find(path.name)
                yield work, work.load()

    def find(self, work_id: str) -> "KeptWork[S]":
        if not _ID.fullmatch(work_id):
            raise self.not_found(self.gone)
        return KeptWork(self, work_id)


@dataclass(frozen=True)
class KeptWork(Generic[S]):
    """A piece of work by its id, which nobody can guess."""

    kind: WorkKind[S]
    id: str

    @property
    def folder(self) -> Path:
        return self.kind.root / self.id

    @property
    def files(self) -> Path:
        return self.folder / "files"

    def load(self) -> S:
        try:
            state = self.kind.state.model_validate_json((self.folder / _STATE).read_bytes())
        except (OSError, ValidationError):
            raise self.kind.not_found(self.kind.gone) from None
        if state.is_working and time.time() - state.beat > SILENT_SECONDS:
            unharmed = self.kind.unharmed.removesuffix(".")
            message = f"The server was stopped while it was at work. {unharmed}, or as it was to be."
            return state.model_copy(update={"status": "failed", "message": message})
        return state

    def save(self, state: S) -> None:
        """Whole or not at all; readers see the old state until then."""
        new = self.folder / f"{_STATE}.{secrets.token_hex(4)}"
        new.write_text(state.model_copy(update={"beat": time.time()}).model_dump_json(), encoding="utf-8")
        new.replace(self.folder / _STATE)

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def cancel(self) -> None:
        """Ask whoever reads it to stop, in this process or another; it says when it has."""
        (self.folder / _CANCEL).touch()

    @property
    def is_cancelled(self) -> bool:
        return (self.folder / _CANCEL).exists()

    def start(
        self,
        state: S,
        message: str,
        work: Callable[["WorkProgress[S]"], None],
        seconds: float | None,
        after: Status | None = None,
        receive: Callable[[], None] | None = None,
    ) -> None:
        """Do the work in a thread, with `after` only if that is still its status: others may be starting it too.

        What was sent is received here when there is a place to work on it. None as seconds: its reader has confirmed
        what is done, which takes as long as it takes. OSError if it cannot be kept; nothing is started then.
        """
        if not self.kind.free.acquire(blocking=False):
            raise self.kind.refused(self.kind.busy)
        with ExitStack() as undone:
            undone.callback(self.kind.free.release)
            lock = self._lock(after)
            undone.callback(os.close, lock)
            if receive:
                receive()
            state.message = message
            self.save(state)
            progress = WorkProgress(self, state, seconds)
            threading.Thread(target=self._run, args=(state, work, progress, lock), daemon=True).start()
            undone.pop_all()

    def _lock(self, after: Status | None) -> int:
        """Its folder, locked until the descriptor is closed."""
        with ExitStack() as undone:
            lock, until = open_to_lock(self.folder), time.monotonic() + ENDING_SECONDS
            undone.callback(os.close, lock)
            while not (is_locked := try_lock(lock)) and time.monotonic() < until and self._is_still(after):
                time.sleep(0.05)
            if not (is_locked and self._is_still(after)):
                raise self.kind.refused("It is being worked on, or was done already.")
            undone.pop_all()
            return lock

    def _is_still(self, status: Status | None) -> bool:
        return status is None or self.load().status == status

    def _run(self, state: S, work: Callable[["WorkProgress[S]"], None], progress: "WorkProgress[S]", lock: int) -> None:
        try:
            with progress.watched():
                work(progress)
                if progress.stopped and state.status != "done":
                    raise BuildError(progress.stopped)
        except (BuildError, ChildCancelled) as error:
            state.status, state.message = "failed", progress.stopped or str(error)
        except Exception:
            logger.exception("Work kept in %s failed.", self.kind.folder)
            state.status, state.message = "failed", f"It failed with an internal error. {self.kind.unharmed}"
        finally:
            self.kind.free.release()
        with suppress(OSError):  # the page says that it is over when it has been silent for long enough
            self.save(state)
        os.close(lock)


@dataclass
class WorkProgress(Generic[S]):
    """Counts what is done, writes that down every second, and can be stopped.

    A thread of its own writes, so work is silent only when its process has ended.
    """

    _work: KeptWork[S]
    _state: S
    _seconds: float | None
    stopped: str = ""
    _at: str = ""
    _is_over: threading.Event = field(default_factory=threading.Event)
    _children: ChildGroup = field(default_factory=ChildGroup)

    def say(self, message: str) -> None: ...  # problems are in the report

    def stage(self, message: str) -> None:
        self._state.stage = message

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        began, self._at = time.monotonic(), label
        for number, item in enumerate(items):
            if self.stopped:
                raise BuildError(self.stopped)
            of_all = f" of {total:,}" if total else ""
            left = (time.monotonic() - began) / number * (total - number) if total and number >= TIMED_ITEMS else 0
            soon = f", about {left:,.0f} s left" if left > 1 else ""
            self._at = f"{label}: {number:,}{of_all}"
            self._state.message = f"{self._at}{soon}"
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
                self._work.save(self._state)
            is_reading = self._state.status == "reading"
            if not self.stopped:
                kept = self._work.kind.unharmed if is_reading else "What was done by then stays, until undone."
                if self._work.is_cancelled:
                    self.stopped = f"It was cancelled. {kept}"
                elif self._seconds is not None and time.monotonic() - began > self._seconds:
                    self.stopped = self._late(self._work.kind.late if is_reading else kept)
                if self.stopped:
                    self._children.cancel()

    def _late(self, consequence: str) -> str:
        at = f" ({self._at})" if self._at else ""
        return f"It was stopped after {self._seconds:g} s{at}: these files take too long to read. {consequence}"

"""Reads an addition and applies it, in a thread; its state tells how far it is."""

import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from ingest import BuildError, UpdateReport, preview_update
from papercore import limits
from papercore.bibliography.identifiers import Identifier
from papercore.errors import Conflict
from papercore.text import one_line
from papers.library import fill_process
from papers.library import updates as library
from papers.library.additions import Addition, AdditionState
from papers.library.received_files import ReceivedFiles
from papers.snapshot.served import served_location

# Remarks and papers that the page of an addition shows.
ADDITION_NOTES = 200
ADDITION_CHANGES = 1_000
logger = logging.getLogger(__name__)
T = TypeVar("T")
# Papers as CSL items, and what is to be said about them.
LookUp = Callable[[Sequence[Identifier]], tuple[list[dict[str, object]], list[str]]]
# The folder of its own that each file is kept in.
_NUMBERED_FOLDER = re.compile(r"(?<![^\s:(])\d{3}/(?=\S)")
# Additions that this process works on at the same time: PDFs use all cores already.
_free = threading.BoundedSemaphore(limits.ADDITIONS_AT_ONCE)


class AdditionRefused(Conflict):
    code = "addition_refused"
    heading = "This cannot be added now"


class _StateProgress:
    """Writes what is being done into the state, now and then."""

    def __init__(self, addition: Addition, state: AdditionState) -> None:
        self._addition = addition
        self._state = state
        self._last = 0.0

    def say(self, message: str) -> None:
        pass  # problems are in the report

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for number, item in enumerate(items):
            if time.monotonic() - self._last > 0.5:
                self._last = time.monotonic()
                of_all = f" of {total:,}" if total else ""
                self._addition.save(self._state.model_copy(update={"message": f"{label}: {number:,}{of_all}"}))
            yield item


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
    identifiers = received.identifiers

    def read(progress: _StateProgress) -> None:
        if identifiers:
            _look_up(addition, state, identifiers, look_up)
        report = preview_update(library.served_library(), _paths(addition, state), progress=progress)
        _keep_report(addition, state, report)
        state.status, state.message = "ready", ""

    _start(addition, state, "Reading", read)


def start_applying(addition: Addition) -> None:
    """Apply what was shown. AdditionRefused if it is not waiting for that."""
    state = addition.load()
    if state.status != "ready":
        raise AdditionRefused("It is being worked on, or was applied already.")
    state.status = "applying"

    def apply(progress: _StateProgress) -> None:
        shown = state.notes
        report = library.update(library.served_library(), _paths(addition, state), progress=progress)
        state.notes = []
        _keep_report(addition, state, report)
        state.notes = list(dict.fromkeys([*shown, *state.notes]))[:ADDITION_NOTES]
        state.status, state.message = "done", ""
        fill_process.start()

    _start(addition, state, "Adding", apply)


def _start(addition: Addition, state: AdditionState, label: str, work: Callable[[_StateProgress], None]) -> None:
    if not _free.acquire(blocking=False):
        raise AdditionRefused("Other additions are being worked on. Try again in a minute.")
    state.message = f"{label} ..."
    addition.save(state)

    def run() -> None:
        try:
            work(_StateProgress(addition, state))
        except BuildError as error:
            state.status, state.message = "failed", without_paths(str(error), addition)
        except Exception:
            logger.exception("An addition failed.")
            state.status, state.message = "failed", "It failed with an internal error; the library is as it was."
        finally:
            _free.release()
        addition.save(state)

    threading.Thread(target=run, name=f"addition {addition.id[:6]}", daemon=True).start()


def _look_up(addition: Addition, state: AdditionState, identifiers: Sequence[Identifier], look_up: LookUp) -> None:
    """Papers of identifiers come in as one more file."""
    items, notes = look_up(identifiers)
    state.notes = [*state.notes, *notes][:ADDITION_NOTES]
    if items:
        path = addition.files / "identifiers.json"
        path.write_text(json.dumps(items, ensure_ascii=False), encoding="utf-8")
        state.files.append(path.relative_to(addition.folder).as_posix())
    elif not state.files:
        raise BuildError("None of the identifiers is known to a source.")


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
            }
        )
        for change in report.changes[:ADDITION_CHANGES]
    ]
    state.read, state.skipped = report.read, report.skipped


def without_paths(text: str, addition: Addition) -> str:
    """A message as its reader may see it: files by their names, not by where they are."""
    return without_server_paths(_NUMBERED_FOLDER.sub("", text.replace(f"{addition.files}/", "")))


def without_server_paths(text: str) -> str:
    return one_line(text.replace(str(served_location().database.parent), "The library"))

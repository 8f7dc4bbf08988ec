"""Additions: what people bring in the browser, read and compared with the library, then applied."""

import io
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings
from pydantic import Field

from ingest import (
    BuildError,
    Decisions,
    PaperChange,
    StateChanged,
    UpdateReport,
    attach_pdf,
    preview_update,
    update_library,
)
from ingest.ledger.readings import LookUp, look_up_once
from ingest.reading.looked_up import write_looked_up
from papercore.bibliography.identifiers import Identifier
from papercore.errors import Conflict, NotFound
from papercore.text import one_line
from papers.library import start_filling
from papers.library import updates as library
from papers.library.kept_work import KeptWork, Status, WorkKind, WorkProgress, WorkState
from papers.library.received_files import ReceivedFiles, SentFiles
from papers.snapshot.served import is_demo, served_location

# Additions that one process works on at once.
ADDITIONS_AT_ONCE = 2
# How long reading may take, whatever the number of files: a page of PDF takes about 50 ms. Then the slot is free again
# within a minute and a half.
READING_SECONDS = 85
# Remarks and papers that the page of an addition shows.
ADDITION_NOTES = 200
ADDITION_CHANGES = 1_000
_NUMBERED_FOLDER = re.compile(r"(?<![^\s:(])\d{3}/(?=\S)")  # each file is kept in one


class AdditionNotFound(NotFound):
    code = "addition_not_found"
    heading = "This addition is not here any more"


class AdditionRefused(Conflict):
    code = "addition_refused"
    heading = "This cannot be added now"


class AdditionState(WorkState):
    """How far an addition is, and what it would change or has changed."""

    names: list[str] = Field(default_factory=list)
    files: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    changes: list[PaperChange] = Field(default_factory=list)
    read: int = 0
    skipped: int = 0
    # The version of the library that the changes were found in; empty if there was none.
    build: str = ""
    # Whether it was asked to be added, and whether it founds the reader's own library, which takes the demo's place.
    was_confirmed: bool = False
    founds: bool = False
    # By an agent, for a person to accept.
    proposed: bool = False
    # The paper that the file is to become the PDF of.
    attach_to: str = ""

    def count(self, kind: str) -> int:
        return sum(1 for change in self.changes if change.kind == kind)


ADDITIONS = WorkKind(
    folder="additions",
    state=AdditionState,
    not_found=AdditionNotFound,
    refused=AdditionRefused,
    kept=20,
    kept_seconds=24 * 3600,
    # PDFs use all cores already.
    free=threading.BoundedSemaphore(ADDITIONS_AT_ONCE),
    unharmed="The library is as it was.",
    gone="This addition was discarded, or is too old. Bring the files again.",
    busy="Other additions are being worked on. Try again in a minute.",
    late="Nothing was added. PDFs that were read are not read again: bring all files again to go on, or fewer at once.",
)
Addition = KeptWork[AdditionState]
ReadingProgress = WorkProgress[AdditionState]


def proposals() -> list[tuple[Addition, AdditionState]]:
    """What agents have proposed and nobody has decided on, the oldest first."""
    found = (each for each in ADDITIONS.all() if each[1].proposed and each[1].status in ("reading", "ready"))
    return sorted(found, key=lambda each: each[1].created)


def sent_files(addition: Addition, text: str = "") -> SentFiles:
    """Where what is sent is kept; it begins with what was pasted, which is a file like others."""
    sent = SentFiles(addition.folder / "sent")
    if text.strip():
        sent.add("pasted", io.BytesIO(text.strip().encode("utf-8", "replace")))
    return sent


def _receive(addition: Addition, state: AdditionState, sent: SentFiles, progress: ReadingProgress) -> ReceivedFiles:
    """Open what was sent, archives too."""
    received = ReceivedFiles(addition.files, problems=list(state.notes))
    for name, stream in progress.track("Files", sent.opened(), len(sent.files)):
        received.add(name, stream)
    state.files = [path.relative_to(addition.folder).as_posix() for path in received.paths]
    state.names = [path.name for path in received.paths]
    state.notes = received.problems[:ADDITION_NOTES]
    return received


def start_reading(addition: Addition, sent: SentFiles, look_up: LookUp, again: Sequence[Identifier] = ()) -> None:
    """Read what was sent, and compare it with the library; `again` are identifiers to look up, whatever is known."""
    state = addition.load()

    def read(progress: ReadingProgress) -> None:
        received = _receive(addition, state, sent, progress)
        received.identifiers += again
        if not received.paths and not received.identifiers:
            raise BuildError("There was nothing in it that can be read.")
        if received.identifiers:
            # Their papers come in as one more file.
            found = look_up_once(library.own_library(), received.identifiers, look_up, again=bool(again))
            state.notes = [*state.notes, *found.notes][:ADDITION_NOTES]
            if not found.papers and not state.files:
                raise BuildError("None of the identifiers is known to a source.")
            if found.papers:
                path = write_looked_up(addition.files, found.papers)
                state.files.append(path.relative_to(addition.folder).as_posix())
                state.names += [paper.identifier for paper in found.papers]
        _compare(addition, state, progress)
        state.message = ""

    _start(addition, state, "Reading", read, READING_SECONDS, receive=sent.keep)


def _compare(addition: Addition, state: AdditionState, progress: ReadingProgress) -> None:
    """Find out what the library would become, as it is now."""
    state.founds = is_demo()
    report = preview_update(library.own_library(), _paths(addition, state), progress=progress)
    _keep_report(addition, state, report)
    state.status, state.build = "ready", report.build_id


def start_applying(addition: Addition, decisions: Decisions | None = None, accepted_by: str = "") -> None:
    """Apply what was shown, as its reader decided. AdditionRefused if it is not waiting for that.

    If the library has become another since, nothing is applied: what it would change now is shown.
    """
    state = addition.load()
    state.status, state.was_confirmed = "applying", True

    def apply(progress: ReadingProgress) -> None:
        shown, state.notes = state.notes, []
        own, paths = library.own_library(), _paths(addition, state)
        try:
            said = ", ".join(state.names)
            by = f"{state.by}, accepted by {accepted_by}" if accepted_by not in ("", state.by) else state.by
            how = library.change_settings(progress, by, shown_build=state.build, said=said)
            report = update_library(own, paths, decisions=decisions, settings=how)
        except StateChanged:
            state.was_confirmed = False
            _compare(addition, state, progress)
            state.message = "The library has changed since this was compared with it. This is what it would change now."
        else:
            _keep_report(addition, state, report)
            state.status, state.message = "done", ""
            start_filling()
        state.notes = list(dict.fromkeys([*shown, *state.notes]))[:ADDITION_NOTES]

    _start(addition, state, "Adding", apply, None, after="ready")


def start_attaching(addition: Addition, sent: SentFiles, paper_id: str) -> None:
    """Make the file the PDF of a paper."""
    if len(sent.files) != 1:
        raise AdditionRefused("Bring one PDF, and nothing else.")
    state = addition.load()
    state.status, state.was_confirmed, state.attach_to = "applying", True, paper_id

    def attach(progress: ReadingProgress) -> None:
        received = _receive(addition, state, sent, progress)
        if [path.suffix for path in received.paths] != [".pdf"] or received.identifiers:
            raise BuildError("Bring one PDF, and nothing else.")
        how = library.change_settings(progress, state.by)
        _keep_report(addition, state, attach_pdf(library.own_library(), paper_id, received.paths[0], settings=how))
        state.status, state.message = "done", ""
        start_filling()

    _start(addition, state, "Attaching", attach, READING_SECONDS, receive=sent.keep)


def cancel(addition: Addition) -> None:
    """Ask whoever reads it to stop, in this process or another; it says when it has."""
    if not addition.load().is_working:
        raise AdditionRefused("It is not being worked on any more.")
    addition.cancel()


def _start(
    addition: Addition,
    state: AdditionState,
    label: str,
    work: Callable[[ReadingProgress], None],
    seconds: float | None,
    after: Status | None = None,
    receive: Callable[[], None] | None = None,
) -> None:
    def without_places(progress: ReadingProgress) -> None:
        try:
            work(progress)
        except BuildError as error:
            raise BuildError(without_paths(str(error), addition)) from error

    addition.start(state, f"{label} ...", without_places, seconds, after, receive)


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
                    field.model_copy(
                        update={
                            "source": without_paths(field.source, addition),
                            "losing": tuple((without_paths(name, addition), text) for name, text in field.losing[:5]),
                        }
                    )
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

"""Checks of drafts that people bring in the browser: read in a thread, shown for an hour, kept no longer."""

import io
import re
import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from django.db import connections
from msgspec import DecodeError, json
from pydantic import Field

from ingest import BuildError
from ingest.drafts.manuscript import Manuscript
from ingest.drafts.reading import DRAFT_KINDS, read_draft
from ingest.reading.archive import unpack
from ingest.reading.lines import decode_file
from papercore import limits
from papercore.errors import Conflict, NotFound, ToolError
from papercore.processes.children import ChildFailed
from papers.drafts.checking import CheckedDraft, check_draft
from papers.library.kept_work import KeptWork, WorkKind, WorkProgress, WorkState
from papers.library.received_files import SentFiles, safe_name
from papers.snapshot import served

# Checks of drafts that one process works on at once.
CHECKS_AT_ONCE = 4
TEXT_KINDS = (".tex", ".md", ".txt", ".bib")
CHECKED_KINDS = ", ".join((*DRAFT_KINDS, ".bib", ".zip"))
# Then its place is free again within a minute and a half, whatever it was.
CHECK_SECONDS = 80
PASTED = "pasted"
_RESULT = "result.json"
_LATEX = re.compile(r"\\(?:documentclass|begin|section|chapter|[A-Za-z]*cite[a-zA-Z]*)\b")
_ROOT = re.compile(r"^[^%\n]*\\documentclass\b", re.MULTILINE)
_PIECE_BYTES = 65_536


class CheckNotFound(NotFound):
    code = "check_not_found"
    heading = "This check is not here any more"


class CheckRefused(Conflict):
    code = "check_refused"
    heading = "This cannot be checked now"


class CheckState(WorkState):
    """How far the check is; `notes` say what could not be read."""

    names: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


CHECKS = WorkKind(
    folder="checks",
    state=CheckState,
    not_found=CheckNotFound,
    refused=CheckRefused,
    kept=100,
    kept_seconds=3600,
    free=threading.BoundedSemaphore(CHECKS_AT_ONCE),
    unharmed="The library is as it was.",
    gone="A check is kept for an hour, or until it is deleted. Bring the draft again.",
    busy="Other drafts are being checked. Try again in a minute.",
    late="Bring fewer at once, or shorter ones.",
)
DraftCheck = KeptWork[CheckState]


class ReceivedDraft:
    """The files of a draft in one folder, under the names that the draft has for them; what was left out, in words."""

    def __init__(self, folder: Path, unpacked_bytes: int = limits.DRAFT_UNPACKED_BYTES) -> None:
        self.folder = folder
        self.left_bytes = unpacked_bytes
        self.names: list[str] = []
        self.problems: list[str] = []

    def add(self, name: str, stream: IO[bytes]) -> None:
        """One file; of an archive, the texts in it, in their folders."""
        shown = safe_name(name)
        if shown.lower().endswith(".zip"):
            self._unpack(shown, stream)
        elif not shown.lower().endswith((*DRAFT_KINDS, ".bib")):
            self.problems.append(f"{shown}: not a kind of file that is read ({CHECKED_KINDS})")
        elif len(self.names) >= limits.UPLOAD_FILES:
            self.problems.append(f"{shown}: left out, more than {limits.UPLOAD_FILES} files")
        else:
            with (self.folder / shown).open("wb") as file:
                while part := stream.read(_PIECE_BYTES):
                    file.write(part)
            self._count(shown)

    def _count(self, name: str) -> None:
        if (self.folder / name).stat().st_size == 0:
            self.problems.append(f"{name}: it is empty")
        elif name not in self.names:
            self.names.append(name)

    def _unpack(self, name: str, stream: IO[bytes]) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as place:
            archive, unpacked = Path(place) / "archive.zip", Path(place) / "unpacked"
            unpacked.mkdir()
            with archive.open("wb") as file:
                shutil.copyfileobj(stream, file)
            try:
                for member, path in unpack(archive, unpacked, self.left_bytes, TEXT_KINDS):
                    self.left_bytes -= path.stat().st_size
                    parts = PurePosixPath(member.replace("\\", "/")).parts
                    inside = PurePosixPath(*(safe_name(part) for part in parts))
                    if len(self.names) < limits.UPLOAD_FILES:
                        (self.folder / inside).parent.mkdir(parents=True, exist_ok=True)
                        path.replace(self.folder / inside)
                        self._count(inside.as_posix())
            except ChildFailed as error:
                self.problems.append(f"{name}: {error}")

    def drafts(self) -> list[str]:
        """Of files in LaTeX those that begin a document, which include the others; all others."""
        latex = [name for name in self.names if name.lower().endswith(".tex")]
        roots = [name for name in latex if _ROOT.search(read_beginning(self.folder / name))] or latex
        return [name for name in self.names if name in roots or not name.lower().endswith((".tex", ".bib"))]

    def bibliographies(self) -> list[str]:
        return [name for name in self.names if name.lower().endswith(".bib")]


def read_beginning(path: Path) -> str:
    with path.open("rb") as file:
        return decode_file(file.read(limits.BODY_BYTES))[0]


def sent_files(check: DraftCheck, text: str = "", bibliography: str = "") -> SentFiles:
    """Where what is sent is kept; it begins with what was pasted, which are files like others."""
    sent = SentFiles(check.folder / "sent")
    kind = ".tex" if _LATEX.search(text) else ".md"
    for name, pasted in ((f"{PASTED}{kind}", text), (f"{PASTED}.bib", bibliography)):
        if pasted.strip():
            sent.add(name, io.BytesIO(pasted.replace("\r\n", "\n").encode("utf-8", "replace")))
    return sent


def start_check(check: DraftCheck, sent: SentFiles, unpacked_bytes: int = limits.DRAFT_UNPACKED_BYTES) -> None:
    """Read what was sent, and check it; it is deleted when that is over."""
    state = check.load()

    def work(progress: WorkProgress[CheckState]) -> None:
        try:
            received = ReceivedDraft(check.files, unpacked_bytes)
            for name, stream in progress.track("Files", sent.opened(), len(sent.files)):
                received.add(name, stream)
            state.names, state.notes = received.names, received.problems
            if not received.names:
                raise BuildError("There was nothing in it that can be read.")
            checked = _checked(received, state, progress)
            (check.folder / _RESULT).write_bytes(json.encode(checked))
            state.status, state.message = "done", ""
            _delete_later(check)
        finally:
            _remove_files(check, kept=PASTED if state.status != "done" else None)

    check.start(state, "Reading ...", work, CHECK_SECONDS, receive=sent.keep)


def _delete_later(check: DraftCheck) -> None:
    timer = threading.Timer(CHECKS.kept_seconds, check.discard)
    timer.daemon = True
    timer.start()


def _checked(received: ReceivedDraft, state: CheckState, progress: WorkProgress[CheckState]) -> CheckedDraft:
    served.renew()
    try:
        drafts = _read_drafts(received, state, progress)
        bibliographies = {name: received.folder / name for name in received.bibliographies()}
        if not drafts and not bibliographies:
            raise BuildError(" ".join(state.notes) or "There is no draft in it.")
        return check_draft(drafts, bibliographies, progress)
    except ToolError as error:
        raise BuildError(error.message) from error
    finally:
        connections.close_all()


def _remove_files(check: DraftCheck, kept: str | None) -> None:
    """What was sent is not needed any more; what was pasted can be corrected, if it could not be read."""
    shutil.rmtree(check.folder / "sent", ignore_errors=True)
    for path in sorted(check.files.rglob("*"), reverse=True):
        if path.is_dir():
            with suppress(OSError):
                path.rmdir()
        elif path.stem != kept:
            path.unlink()


def _read_drafts(
    received: ReceivedDraft, state: CheckState, progress: WorkProgress[CheckState]
) -> dict[str, Manuscript]:
    """Those that can be read; of the others a sentence is kept."""
    names = received.drafts()
    found: dict[str, Manuscript] = {}
    for name in progress.track("Files", names, len(names)):
        try:
            found[name] = read_draft(received.folder / name)
        except ToolError as error:
            if progress.stopped:
                break
            state.notes = [*state.notes, error.message]
    return found


def result_of(check: DraftCheck) -> CheckedDraft:
    try:
        return json.decode((check.folder / _RESULT).read_bytes(), type=CheckedDraft)
    except (OSError, DecodeError):
        raise CheckNotFound(CHECKS.gone) from None


def has_result(check: DraftCheck) -> bool:
    return (check.folder / _RESULT).exists()


def pasted_texts(check: DraftCheck) -> tuple[str, str]:
    """What was pasted into a check that failed: the draft and its bibliography, to correct and send again."""
    texts = {".bib": "", "": ""}
    for kind in (".tex", ".md", ".bib"):
        with suppress(OSError):
            texts[kind if kind == ".bib" else ""] = read_beginning(check.files / f"{PASTED}{kind}")
    return texts[""], texts[".bib"]

"""Additions on the disk: a folder each with the files received and a state, which every process can read."""

import re
import secrets
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from django.conf import settings
from pydantic import BaseModel, ValidationError

from ingest import PaperChange
from papercore.errors import NotFound

# Additions kept on the disk, and for how long; one that has been silent for so long is over.
ADDITIONS_KEPT = 20
ADDITION_SECONDS = 24 * 3600
ADDITION_SILENT_SECONDS = 120
Status = Literal["reading", "ready", "applying", "done", "failed"]
_ID = re.compile(r"[0-9a-f]{32}")
_STATE = "state.json"


class AdditionNotFound(NotFound):
    code = "addition_not_found"
    heading = "This addition is not here any more"


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
            message = "The server was restarted while it was at work. The library is as it was, or as it was to be."
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

"""The data folder: which program wrote it, whether this one may use it, backups before it is changed, the secret key.

Knows no Django, so that the command can look before it starts anything.
"""

import json
import os
import secrets
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from papercore.version import VERSION

STATE = "papersite.json"
# Raise it when older programs would misread the folder. 1: up to 0.2.0, which wrote no STATE.
FORMAT = 2
DATABASE = "site.sqlite3"
BACKUPS = "backups"
BACKUPS_KEPT = 5
KEY_FILE = "secret-key"


class UnusableData(Exception):
    """This program must not use the folder; the message says why and what to do."""


class DataState(Struct, frozen=True):
    """Who wrote the folder last. `prepared` identifies what it was prepared from; empty if preparing did not end."""

    format: int = FORMAT
    version: str = VERSION
    prepared: str = ""


def make(folder: Path) -> None:
    """Make the folder if it does not exist, and see that it can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".write-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise UnusableData(
            f"The data folder {folder} cannot be written ({reason}). Name another one: papersite --data FOLDER"
        ) from None


def read_state(folder: Path) -> DataState | None:
    """None for an empty folder. One without a state, or with one that cannot be read, was written by 0.2.0."""
    try:
        found = json.loads((folder / STATE).read_text(encoding="utf-8"))
        return DataState(int(found["format"]), str(found["version"]), str(found["prepared"]))
    except (OSError, ValueError, KeyError, TypeError):
        return DataState(1, "0.2.0 or older") if (folder / DATABASE).exists() or (folder / "demo").exists() else None


def write_state(folder: Path, prepared: str) -> None:
    aside = folder / f"{STATE}.new"
    aside.write_text(json.dumps(asdict(DataState(prepared=prepared)), indent=2) + "\n", encoding="utf-8")
    aside.replace(folder / STATE)


def refuse_newer(folder: Path, state: DataState | None) -> None:
    if state and state.format > FORMAT:
        raise UnusableData(newer_data(folder, state.version))


def newer_data(folder: Path, version: str) -> str:
    return (
        f"The data in {folder} was written by papersite {version}, and this is {VERSION}. "
        "Install a newer one (uv tool upgrade papersite, or pip install -U papersite), or use --data FOLDER."
    )


def back_up(database: Path, version: str) -> Path:
    """A copy of the database as it is, for its owner alone; the oldest of several copies are removed."""
    folder = database.parent / BACKUPS
    name = "".join(letter if letter.isalnum() or letter == "." else "-" for letter in version)
    target = folder / f"site-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{name}.sqlite3"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        target.touch(0o600)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        target.unlink(missing_ok=True)
        raise UnusableData(f"The database {database} could not be backed up, so it was not upgraded: {error}") from None
    for old in sorted(folder.glob("site-*.sqlite3"))[:-BACKUPS_KEPT]:
        old.unlink()
    return target


def make_secret_key(folder: Path) -> str:
    """The key of a site that was given none: made once, in a file that only its owner can read."""
    path = folder / KEY_FILE
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8").strip()


def stored_secret_key(folder: Path) -> str:
    """The key that was made; empty if there is none, or none that this account may read."""
    try:
        return (folder / KEY_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return ""

"""The last errors of all processes that serve, in a small file of the data folder, for the state page."""

import logging
import os
import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from django.conf import settings
from msgspec import Struct

from papersite import logs

FILE = "last-errors.jsonl"
# When the file is longer, its older half goes.
FILE_BYTES = 64_000
_SHOWN_CHARS = 200


class LoggedError(Struct, frozen=True):
    """What was logged as a warning or an error: the event, where it happened, its code, and for which request."""

    time: str
    event: str
    where: str = ""
    code: str = ""
    request_id: str = ""


class LastErrors(logging.Handler):
    """Writes each record as a line: short lines of several processes do not mix."""

    def emit(self, record: logging.LogRecord) -> None:
        fields, error = logs.fields_of(record), record.exc_info and record.exc_info[1]
        kept = LoggedError(
            datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds"),
            record.getMessage()[:_SHOWN_CHARS],
            str(fields.get("tool") or fields.get("route") or record.name)[:_SHOWN_CHARS],
            type(error).__name__ if error else str(fields.get("code") or fields.get("status", ""))[:_SHOWN_CHARS],
            logs.request_id.get(),
        )
        with suppress(OSError):  # a full disk, or a folder that is read-only: it is in the log
            _append(Path(settings.DATA) / FILE, msgspec.json.encode(kept) + b"\n")


def _append(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, line)
        is_long = os.fstat(descriptor).st_size > FILE_BYTES
    finally:
        os.close(descriptor)
    if is_long:
        content = path.read_bytes()
        new = path.with_name(f"{FILE}.{secrets.token_hex(4)}")
        new.write_bytes(content[content.index(b"\n", len(content) // 2) + 1 :])
        new.chmod(0o600)
        new.replace(path)


def keep_last_errors() -> None:
    """From now on, of this process and those that it forks."""
    handler = LastErrors(logging.WARNING)
    logging.getLogger().addHandler(handler)


def last_errors(most: int) -> list[LoggedError]:
    """The newest first. What was written by another version, or not to its end, is left out."""
    found = []
    with suppress(OSError):
        for line in (Path(settings.DATA) / FILE).read_bytes().splitlines():
            with suppress(msgspec.DecodeError):
                found.append(msgspec.json.decode(line, type=LoggedError))
    return found[-most:][::-1]

"""A checksum in the header of a snapshot file: it finds changed bytes that SQLite does not notice.

SQLite leaves two numbers in its header to applications: `user_version` holds the CRC-32 of the rest of the file,
`application_id` a mark and the change counter. Whoever edits the file with SQLite changes the counter, and with it
the checksum no longer counts.
"""

import time
import zlib
from pathlib import Path
from typing import BinaryIO, Literal

_HEADER_BYTES = 100
_COUNTER, _CHECKSUM, _MARK = slice(26, 28), slice(60, 64), slice(68, 72)
_OURS = b"PS"
# Read at once. Beside a thread that computes, which gives way for a moment after each of them, larger ones.
BLOCK_BYTES, LARGE_BLOCK_BYTES = 1 << 20, 1 << 24

# none: the file has no checksum, or was edited since; unfinished: there was no time to read it all.
ChecksumState = Literal["fits", "differs", "none", "unfinished"]


def write_checksum(path: Path) -> None:
    """Put the checksum into a finished file, which no connection may have open."""
    with path.open("r+b") as file:
        header = bytearray(file.read(_HEADER_BYTES))
        header[_MARK] = _OURS + header[_COUNTER]
        header[_CHECKSUM] = _checksum(header, file, float("inf")) or b""
        file.seek(0)
        file.write(header)


def checksum_state(path: Path, seconds: float, block_bytes: int = BLOCK_BYTES) -> ChecksumState:
    """Compare the file with its checksum, for at most so many seconds."""
    try:
        with path.open("rb") as file:
            header = bytearray(file.read(_HEADER_BYTES))
            if header[_MARK] != _OURS + header[_COUNTER]:
                return "none"
            stored = bytes(header[_CHECKSUM])
            found = _checksum(header, file, time.monotonic() + seconds, block_bytes)
    except OSError:  # a disk that cannot read a part of it
        return "differs"
    if found is None:
        return "unfinished"
    return "fits" if found == stored else "differs"


def _checksum(header: bytearray, rest: BinaryIO, deadline: float, block_bytes: int = BLOCK_BYTES) -> bytes | None:
    """The checksum of header and rest; None if the deadline passes."""
    found = zlib.crc32(header[: _CHECKSUM.start] + header[_CHECKSUM.stop :])
    block = memoryview(bytearray(block_bytes))
    while size := rest.readinto(block):  # type: ignore[attr-defined]  # of every file, but not of every BinaryIO
        if time.monotonic() > deadline:
            return None
        found = zlib.crc32(block[:size], found)
    return found.to_bytes(4, "big")

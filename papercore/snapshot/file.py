"""A snapshot file: what is beside it, its facet tables, its checksum, opening it read-only, and checking it."""

import sqlite3
import time
import zlib
from pathlib import Path
from typing import BinaryIO, Literal
from urllib.parse import quote

from msgspec import Struct

from papercore import limits
from papercore.text import one_line

# A snapshot's files, beside each other.
DATABASE = "paper_snapshot.db"
ASSETS = "static"
INDEX = "index"

# Each has a table of values and a table of links, paper_X.
FACETS = ("author", "keyword", "institution", "tag", "venue")
REQUIRED_TABLES = {"snapshot_meta", "paper", "paper_summary", "paper_translation", "paper_key_alias", "paper_fts"}
REQUIRED_TABLES |= {"facet_node", "paper_facet", "facet_edge", "year_count", "month_count"}
REQUIRED_TABLES |= {name for facet in FACETS for name in (facet, f"paper_{facet}")}
# Make an older file look like a current one: temporary, in memory, for one connection.
LEGACY_DOI = "CREATE TEMP VIEW paper AS SELECT *, NULL AS doi FROM main.paper"
LEGACY_BIBTEX = (
    "CREATE TEMP TABLE paper_bibtex (paper_id TEXT PRIMARY KEY, bibtex_raw TEXT, bibtex_key TEXT, entry_type TEXT)"
)
# Instructions of SQLite's virtual machine between two looks at the clock: often enough, and too rare to slow it down.
STEPS_BETWEEN_CHECKS = 10_000
# A checksum in the header finds changed bytes that SQLite does not notice. SQLite leaves two numbers there to
# applications: `user_version` holds the CRC-32 of the rest of the file, `application_id` a mark and the change counter.
# Whoever edits the file with SQLite changes the counter, and with it the checksum no longer counts.
_HEADER_BYTES = 100
_COUNTER, _CHECKSUM, _MARK = slice(26, 28), slice(60, 64), slice(68, 72)
_OURS = b"PS"
# Read at once. Beside a thread that computes, which gives way for a moment after each of them, larger ones.
BLOCK_BYTES, LARGE_BLOCK_BYTES = 1 << 20, 1 << 24

# none: the file has no checksum, or was edited since; unfinished: there was no time to read it all.
ChecksumState = Literal["fits", "differs", "none", "unfinished"]

_COPY_AGAIN = "build it again, or copy it again and rename it into place."
# changed: SQLite can read it, but it is not as it was built; damaged: SQLite's own check fails.
Verdict = Literal["sound", "changed", "damaged", "unfinished"]
PROBLEMS: dict[Verdict, str] = {
    "changed": f"The snapshot file is damaged, its checksum differs: {_COPY_AGAIN}",
    "damaged": f"The snapshot file is damaged, SQLite's quick_check fails on it: {_COPY_AGAIN}",
}


def facet_key(value: str) -> str:
    """How the facet tables spell a value: lower case, blanks collapsed."""
    return one_line(value).lower()


def database_in(path: Path) -> Path:
    """The database of a snapshot that is given by its folder or by the file itself."""
    return path / DATABASE if path.is_dir() else path


def assets_beside(database: Path) -> Path:
    return database.parent / ASSETS


def index_beside(database: Path) -> Path:
    return database.parent / INDEX


class BadSnapshot(Exception):
    """The file cannot be served. The message says why and what to do, and names no path."""


class SnapshotFacts(Struct, frozen=True):
    """What a snapshot file holds, read once when it is opened."""

    build_id: str
    built_at: str
    has_doi: bool
    has_bibtex: bool


class Connection(sqlite3.Connection):
    """A read-only connection on which every query has a time limit."""

    deadline = float("inf")

    def restart_clock(self) -> None:
        self.deadline = time.monotonic() + limits.QUERY_SECONDS

    def out_of_time(self) -> bool:
        return time.monotonic() > self.deadline


def refuse_unfinished_wal(path: Path) -> None:
    """Refuse a file with a write-ahead log: an immutable read would miss what the log still holds."""
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size > 0:
        raise BadSnapshot(
            "The snapshot has an unfinished write-ahead log beside it: stop its writer, or run "
            "'PRAGMA wal_checkpoint(TRUNCATE)' on it, and publish it by renaming."
        )


def open_read_only(path: Path) -> Connection:
    """Open a snapshot, which nobody may change meanwhile. An older one looks like a current one."""
    uri = f"file:{quote(str(path))}?mode=ro&immutable=1"
    connection: Connection | None = None
    try:
        connection = sqlite3.connect(uri, uri=True, factory=Connection, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA temp_store = MEMORY")
        columns = {row[1] for row in connection.execute("PRAGMA main.table_info(paper)")}
        if columns and "doi" not in columns:
            connection.execute(LEGACY_DOI)
        if not connection.execute("PRAGMA main.table_info(paper_bibtex)").fetchone():
            connection.execute(LEGACY_BIBTEX)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.DatabaseError as error:
        if connection:
            connection.close()
        raise BadSnapshot(f"The snapshot file is not a readable SQLite database: {error}.") from None
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_progress_handler(connection.out_of_time, STEPS_BETWEEN_CHECKS)
    return connection


def check(path: Path, connection: Connection, seconds: float = limits.QUERY_SECONDS) -> SnapshotFacts:
    """Refuse a file that is cut short, damaged or of another format; return what a good one holds."""
    facts = read_facts(connection, path.stat().st_size)
    if problem := PROBLEMS.get(verify(path, connection, seconds)):
        raise BadSnapshot(problem)
    return facts


def read_facts(connection: Connection, size: int) -> SnapshotFacts:
    """Refuse a file that is cut short or of another format; return what a good one holds."""
    try:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        if pages * connection.execute("PRAGMA page_size").fetchone()[0] > size:
            raise BadSnapshot("The snapshot file is cut short: copy it again, then rename it into place.")
        tables = {row[0] for row in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
        if missing := sorted(REQUIRED_TABLES - tables):
            raise BadSnapshot(f"The file is not a paper snapshot: it lacks {', '.join(missing[:5])}.")
        meta = dict(connection.execute("SELECT key, value FROM snapshot_meta"))
        return SnapshotFacts(
            build_id=str(meta.get("snapshot_build_id", "")),
            built_at=str(meta.get("built_at", "")),
            has_doi=any(row[1] == "doi" for row in connection.execute("PRAGMA main.table_info(paper)")),
            has_bibtex="paper_bibtex" in tables,
        )
    except sqlite3.DatabaseError as error:
        raise BadSnapshot(f"The snapshot file is damaged: {error}.") from None


def verify(path: Path, connection: Connection, seconds: float) -> Verdict:
    """Whether the file is as it was built. Without a checksum, SQLite's own check has to do."""
    checksum = checksum_state(path, seconds)
    if checksum == "fits":
        return "sound"
    if checksum == "unfinished":
        return "unfinished"
    found = quick_check(connection, seconds)
    return "changed" if checksum == "differs" and found != "damaged" else found


def quick_check(connection: Connection, seconds: float) -> Verdict:
    """SQLite's own check, as far as it gets in this time."""
    connection.deadline = time.monotonic() + seconds
    try:
        answer = connection.execute("PRAGMA main.quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        return "unfinished" if str(error) == "interrupted" else "damaged"
    finally:
        connection.deadline = float("inf")
    return "sound" if answer == "ok" else "damaged"


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


def write_checksum(path: Path) -> None:
    """Put the checksum into a finished file, which no connection may have open."""
    with path.open("r+b") as file:
        header = bytearray(file.read(_HEADER_BYTES))
        header[_MARK] = _OURS + header[_COUNTER]
        header[_CHECKSUM] = _checksum(header, file, float("inf")) or b""
        file.seek(0)
        file.write(header)


def _checksum(header: bytearray, rest: BinaryIO, deadline: float, block_bytes: int = BLOCK_BYTES) -> bytes | None:
    """The checksum of header and rest; None if the deadline passes."""
    found = zlib.crc32(header[: _CHECKSUM.start] + header[_CHECKSUM.stop :])
    block = memoryview(bytearray(block_bytes))
    while size := rest.readinto(block):  # type: ignore[attr-defined]  # of every file, but not of every BinaryIO
        if time.monotonic() > deadline:
            return None
        found = zlib.crc32(block[:size], found)
    return found.to_bytes(4, "big")

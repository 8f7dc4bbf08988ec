"""The snapshot file: its facet tables, opening it read-only, checking it, and replacing it without a restart."""

import sqlite3
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from papercore import limits

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


class BadSnapshot(Exception):
    """The file cannot be served. The message says why and what to do, and names no path."""


@dataclass(frozen=True)
class FileIdentity:
    """Tells one version of a file from the next."""

    inode: int
    modified_ns: int
    size: int

    @classmethod
    def of(cls, path: Path) -> "FileIdentity":
        try:
            stat = path.stat()
        except FileNotFoundError:
            raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.") from None
        except OSError as error:
            raise BadSnapshot(f"The snapshot file cannot be read: {error.strerror}.") from None
        return cls(stat.st_ino, stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True)
class SnapshotFacts:
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


@dataclass(frozen=True)
class GoodFile:
    """A version of the file that passed the checks. Its connection keeps it readable after the file was replaced."""

    identity: FileIdentity
    facts: SnapshotFacts
    anchor: Connection = field(compare=False, repr=False)


class SnapshotFile:
    """The file at a path: its last good version, and what is wrong with the current one, if anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.good: GoodFile | None = None
        self.problem: str | None = None
        self._checked: FileIdentity | None = None
        self._lock = threading.Lock()

    def refresh(self) -> None:
        """Switch to the file on disk if it changed and is good; otherwise keep serving the last good one."""
        try:
            identity = FileIdentity.of(self.path)
            if identity == self._checked:
                return
            with self._lock:
                if identity != self._checked:
                    self._take_over(identity)
        except BadSnapshot as error:
            self._checked, self.problem = None, str(error)

    def _take_over(self, identity: FileIdentity) -> None:
        try:
            refuse_unfinished_wal(self.path)
            anchor = open_read_only(self.path)
            facts = check(anchor, identity.size)
        except BadSnapshot as error:
            self.problem = str(error)
        else:
            self.good, self.problem = GoodFile(identity, facts, anchor), None
        self._checked = identity

    def connect(self) -> tuple[GoodFile, Connection]:
        """A connection to the last good version: a new one, or the shared one once the file was replaced."""
        self.refresh()
        good = self.good
        if good is None:
            raise BadSnapshot(self.problem or "The snapshot cannot be read.")
        try:
            connection = open_read_only(self.path)
            if FileIdentity.of(self.path) == good.identity:
                return good, connection
            connection.close()
        except BadSnapshot:
            pass
        return good, good.anchor


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


def check(connection: Connection, size: int) -> SnapshotFacts:
    """Refuse a file that is cut short, damaged or of another format; return what a good one holds."""
    try:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        if pages * connection.execute("PRAGMA page_size").fetchone()[0] > size:
            raise BadSnapshot("The snapshot file is cut short: copy it again, then rename it into place.")
        tables = {row[0] for row in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
        if missing := sorted(REQUIRED_TABLES - tables):
            raise BadSnapshot(f"The file is not a paper snapshot: it lacks {', '.join(missing[:5])}.")
        _quick_check(connection)
        return _facts(connection, tables)
    except sqlite3.DatabaseError as error:
        raise BadSnapshot(f"The snapshot file is damaged: {error}.") from None


def _quick_check(connection: Connection) -> None:
    """SQLite's own check, as far as it gets within the time limit: a large file is not read to the end."""
    connection.restart_clock()
    try:
        answer = connection.execute("PRAGMA main.quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if str(error) != "interrupted":
            raise
        return
    finally:
        connection.deadline = float("inf")
    if answer != "ok":
        raise BadSnapshot("The snapshot file is damaged: SQLite's quick_check fails on it.")


def _facts(connection: Connection, tables: set[str]) -> SnapshotFacts:
    meta = dict(connection.execute("SELECT key, value FROM snapshot_meta"))
    return SnapshotFacts(
        build_id=meta.get("snapshot_build_id", ""),
        built_at=meta.get("built_at", ""),
        has_doi=any(row[1] == "doi" for row in connection.execute("PRAGMA main.table_info(paper)")),
        has_bibtex="paper_bibtex" in tables,
    )

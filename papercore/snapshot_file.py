"""One snapshot file on disk: told apart, checked, opened read-only, and replaced without restart."""

import sqlite3
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from papercore import limits

FACETS = ("author", "keyword", "institution", "tag", "venue")
REQUIRED_TABLES = {"snapshot_meta", "paper", "paper_summary", "paper_translation", "paper_key_alias", "paper_fts"}
REQUIRED_TABLES |= {"facet_node", "paper_facet", "facet_edge", "year_count", "month_count"}
REQUIRED_TABLES |= {name for facet in FACETS for name in (facet, f"paper_{facet}")}
# How an older file is made to look like a current one: temporary, in memory, for this connection only.
LEGACY_DOI = "CREATE TEMP VIEW paper AS SELECT *, NULL AS doi FROM main.paper"
LEGACY_BIBTEX = (
    "CREATE TEMP TABLE paper_bibtex (paper_id TEXT PRIMARY KEY, bibtex_raw TEXT, bibtex_key TEXT, entry_type TEXT)"
)
# The progress handler is asked every so many steps of SQLite's machine: often enough, and not felt.
STEPS_BETWEEN_LOOKS = 10_000


class BadSnapshot(Exception):
    """The file cannot be served; the message says why and what to do, and names no path."""


@dataclass(frozen=True)
class Identity:
    """Tells one version of a file from the next."""

    inode: int
    modified_ns: int
    size: int

    @classmethod
    def of(cls, path: Path) -> "Identity":
        try:
            stat = path.stat()
        except FileNotFoundError:
            raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.") from None
        except OSError as error:
            raise BadSnapshot(f"The snapshot file cannot be read: {error.strerror}.") from None
        return cls(stat.st_ino, stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True)
class Facts:
    """What a snapshot file has, asked once when it is opened."""

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
    """A version of the file that passed the checks. Its own connection keeps it readable when it is replaced."""

    identity: Identity
    facts: Facts
    anchor: Connection = field(compare=False, repr=False)


class SnapshotFile:
    """The file at one path: its last good version, and what is wrong with the present one, if anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.good: GoodFile | None = None
        self.problem: str | None = None
        self._looked_at: Identity | None = None
        self._lock = threading.Lock()

    def refresh(self) -> None:
        """Take over the file on disk if it changed and is good; otherwise keep what is served."""
        try:
            identity = Identity.of(self.path)
            if identity == self._looked_at:
                return
            with self._lock:
                if identity != self._looked_at:
                    self._take_over(identity)
        except BadSnapshot as error:
            self._looked_at, self.problem = None, str(error)

    def _take_over(self, identity: Identity) -> None:
        try:
            refuse_unfinished_wal(self.path)
            anchor = open_read_only(self.path)
            facts = check(anchor, identity.size)
        except BadSnapshot as error:
            self.problem = str(error)
        else:
            self.good, self.problem = GoodFile(identity, facts, anchor), None
        self._looked_at = identity

    def connect(self) -> tuple[GoodFile, Connection]:
        """A connection to the last good version: one of its own, or the shared one once the file was replaced."""
        self.refresh()
        good = self.good
        if good is None:
            raise BadSnapshot(self.problem or "The snapshot cannot be read.")
        try:
            connection = open_read_only(self.path)
            if Identity.of(self.path) == good.identity:
                return good, connection
            connection.close()
        except BadSnapshot:
            pass
        return good, good.anchor


def refuse_unfinished_wal(path: Path) -> None:
    """An immutable read would miss what a write-ahead log still holds."""
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size > 0:
        raise BadSnapshot(
            "The snapshot has an unfinished write-ahead log beside it: end its writer, or run "
            "'PRAGMA wal_checkpoint(TRUNCATE)' on it, and publish it by renaming."
        )


def open_read_only(path: Path) -> Connection:
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
    connection.set_progress_handler(connection.out_of_time, STEPS_BETWEEN_LOOKS)
    return connection


def check(connection: Connection, size: int) -> Facts:
    """Refuse a file that is cut short, damaged or of another format; tell what a good one has."""
    try:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        if pages * connection.execute("PRAGMA page_size").fetchone()[0] > size:
            raise BadSnapshot("The snapshot file is cut short: copy it again, then rename it into place.")
        tables = {row[0] for row in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
        if missing := sorted(REQUIRED_TABLES - tables):
            raise BadSnapshot(f"The file is no paper snapshot: it lacks {', '.join(missing[:5])}.")
        quick_check(connection)
        return facts(connection, tables)
    except sqlite3.DatabaseError as error:
        raise BadSnapshot(f"The snapshot file is damaged: {error}.") from None


def quick_check(connection: Connection) -> None:
    """SQLite's own check, as far as it gets within the time limit: a large file is not read to its end."""
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


def facts(connection: Connection, tables: set[str]) -> Facts:
    meta = dict(connection.execute("SELECT key, value FROM snapshot_meta"))
    return Facts(
        build_id=meta.get("snapshot_build_id", ""),
        built_at=meta.get("built_at", ""),
        has_doi=any(row[1] == "doi" for row in connection.execute("PRAGMA main.table_info(paper)")),
        has_bibtex="paper_bibtex" in tables,
    )

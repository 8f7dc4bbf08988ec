"""Remembers what files, Zotero's items and services say, by content and reader's version, so that none is read twice.

A file of its own beside the ledger: it can be deleted, and is then filled again.
"""

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import json

from ingest.pdf import readers
from ingest.pdf.lines import PageLines
from ingest.pdf.readers import PdfText, UnreadablePdf
from ingest.reading import confined
from ingest.reading.confined import ReadingKind
from ingest.reading.looked_up import LookedUpPaper, LookedUpPapers
from papercore.bibliography.identifiers import Identifier

READINGS = "readings.db"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS reading (kind TEXT, name TEXT, version TEXT, failure TEXT, body BLOB,
  PRIMARY KEY (kind, name, version));
CREATE TABLE IF NOT EXISTS recognised (sha256 TEXT, number INTEGER, pages INTEGER, body BLOB,
  PRIMARY KEY (sha256, number));
CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, stamp TEXT, sha256 TEXT);
"""
# What another version of its reader read is read again. No reader stands between a service and what it says.
_VERSIONS: dict[ReadingKind, str] = {
    "pdf": readers.VERSION, "entries": confined.VERSION, "zotero item": confined.VERSION, "looked up": "1",
}  # fmt: skip
_BUSY_SECONDS = 60


class StoredReadings:
    def __init__(self, library: Path) -> None:
        self._database = sqlite3.connect(
            library / READINGS, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False
        )
        self._keep_a_log()
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.executescript(_SCHEMA)

    def _keep_a_log(self) -> None:
        """Of two who open a new file at once, SQLite refuses one right away, however long it may wait."""
        until = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._database.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    self.close()
                    raise
                time.sleep(0.02)

    def close(self) -> None:
        self._database.close()

    def stored(self, kind: ReadingKind, name: str) -> bytes | None:
        """What was read before of something with this name, which says what its content is."""
        sql = "SELECT body FROM reading WHERE kind = ? AND name = ? AND version = ?"
        row = self._database.execute(sql, [kind, name, _VERSIONS[kind]]).fetchone()
        return zlib.decompress(row[0]) if row else None

    def store(self, kind: ReadingKind, name: str, body: bytes, failure: str = "") -> None:
        row = (kind, name, _VERSIONS[kind], failure, zlib.compress(body))
        self._database.execute("INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?)", row)

    def names(self, kind: ReadingKind) -> list[str]:
        sql = "SELECT name FROM reading WHERE kind = ? AND version = ?"
        return [name for (name,) in self._database.execute(sql, [kind, _VERSIONS[kind]])]

    def pdf(self, path: Path) -> PdfText | UnreadablePdf | None:
        sql = "SELECT failure, body FROM reading WHERE kind = 'pdf' AND name = ? AND version = ?"
        row = self._database.execute(sql, [self.hash_of(path), readers.VERSION]).fetchone()
        if row is None:
            return None
        failure, body = row
        return UnreadablePdf(failure) if failure else json.decode(zlib.decompress(body), type=PdfText)

    def keep(self, path: Path, read: PdfText | UnreadablePdf) -> None:
        failure, body = (str(read), b"") if isinstance(read, UnreadablePdf) else ("", json.encode(read))
        self.store("pdf", self.hash_of(path), body, failure)

    def forget(self, path: Path) -> None:
        """Let the file be read again."""
        self._database.execute("DELETE FROM reading WHERE kind = 'pdf' AND name = ?", [self.hash_of(path)])

    def pdfs(self) -> list[tuple[Path, PdfText]]:
        """All that could be read, with where they were."""
        sql = (
            "SELECT path, body FROM file JOIN reading ON kind = 'pdf' AND name = sha256"
            " WHERE version = ? AND failure = '' ORDER BY path"
        )
        rows = self._database.execute(sql, [readers.VERSION])
        return [(Path(path), json.decode(zlib.decompress(body), type=PdfText)) for path, body in rows]

    def recognised(self, path: Path) -> list[PageLines]:
        """The pages of a file that was read by OCR; none until all were."""
        sql = "SELECT pages, body FROM recognised WHERE sha256 = ? ORDER BY number"
        rows = self._database.execute(sql, [self.hash_of(path)]).fetchall()
        if not rows or len(rows) < rows[0][0]:
            return []
        return [json.decode(zlib.decompress(body), type=PageLines) for _, body in rows]

    def recognised_numbers(self, path: Path) -> set[int]:
        rows = self._database.execute("SELECT number FROM recognised WHERE sha256 = ?", [self.hash_of(path)])
        return {number for (number,) in rows}

    def keep_recognised(self, path: Path, page: PageLines, pages: int) -> None:
        row = (self.hash_of(path), page.number, pages, zlib.compress(json.encode(page)))
        self._database.execute("INSERT OR REPLACE INTO recognised VALUES (?, ?, ?, ?)", row)

    def hash_of(self, path: Path) -> str:
        """The hash of a file's content, which is looked at again only when its time or size has changed."""
        state = path.stat()
        stamp = f"{state.st_mtime_ns}-{state.st_size}-{state.st_ino}"
        name = str(path.absolute())
        row = self._database.execute("SELECT sha256 FROM file WHERE path = ? AND stamp = ?", [name, stamp]).fetchone()
        if row:
            return str(row[0])
        with path.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        self._database.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", [name, stamp, sha256])
        return sha256


LookUp = Callable[[Sequence[Identifier]], LookedUpPapers]


def look_up_once(
    library: Path, identifiers: Sequence[Identifier], look_up: LookUp, *, again: bool = False
) -> LookedUpPapers:
    """Papers by their identifiers; services are asked for those that none has described before, or `again` for all."""
    library.mkdir(parents=True, exist_ok=True)
    with closing(StoredReadings(library)) as readings:
        stored = {} if again else {name: readings.stored("looked up", name) for name in map(str, identifiers)}
        known = [json.decode(body, type=LookedUpPaper) for body in stored.values() if body]
        missing = [identifier for identifier in identifiers if not stored.get(str(identifier))]
        found = look_up(missing) if missing else LookedUpPapers([], [], [])
        for paper in found.papers:
            if paper.service:
                readings.store("looked up", paper.identifier, json.encode(paper))
    return LookedUpPapers([*known, *found.papers], found.stubs, found.left_out)

"""Remembers what PDFs say, by their content and the reader's version, so that none is read twice.

A file of its own beside the ledger: it can be deleted, and is then filled again.
"""

import hashlib
import sqlite3
import time
import zlib
from functools import cache
from pathlib import Path

from msgspec import json

from ingest import pdf
from ingest.pdf.lines import PageLines
from ingest.pdf.readers import PdfText, UnreadablePdf

READINGS = "readings.db"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pdf (sha256 TEXT, version TEXT, failure TEXT, body BLOB, PRIMARY KEY (sha256, version));
CREATE TABLE IF NOT EXISTS recognised (sha256 TEXT, number INTEGER, pages INTEGER, body BLOB,
  PRIMARY KEY (sha256, number));
CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, stamp TEXT, sha256 TEXT);
"""
_BUSY_SECONDS = 60


@cache
def reader_version() -> str:
    """What the code of the reader is: what another one read is read again."""
    digest = hashlib.sha256()
    for path in sorted(Path(pdf.__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


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
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def close(self) -> None:
        self._database.close()

    def pdf(self, path: Path) -> PdfText | UnreadablePdf | None:
        row = self._database.execute(
            "SELECT failure, body FROM pdf WHERE sha256 = ? AND version = ?", [self.hash_of(path), reader_version()]
        ).fetchone()
        if row is None:
            return None
        failure, body = row
        return UnreadablePdf(failure) if failure else json.decode(zlib.decompress(body), type=PdfText)

    def keep(self, path: Path, read: PdfText | UnreadablePdf) -> None:
        failure, body = (str(read), b"") if isinstance(read, UnreadablePdf) else ("", zlib.compress(json.encode(read)))
        row = (self.hash_of(path), reader_version(), failure, body)
        self._database.execute("INSERT OR REPLACE INTO pdf VALUES (?, ?, ?, ?)", row)

    def forget(self, path: Path) -> None:
        """Let the file be read again."""
        self._database.execute("DELETE FROM pdf WHERE sha256 = ?", [self.hash_of(path)])

    def pdfs(self) -> list[tuple[Path, PdfText]]:
        """All that could be read, with where they were."""
        sql = "SELECT path, body FROM file JOIN pdf USING (sha256) WHERE version = ? AND failure = '' ORDER BY path"
        rows = self._database.execute(sql, [reader_version()])
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

"""Writes the snapshot's database: one pass over the papers, then counts and indexes over all of them."""

import hashlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from ingest.entries.errors import BuildError
from ingest.publishing.facets import FacetWriter
from ingest.publishing.paper_rows import PaperRows
from ingest.publishing.prepared_paper import PreparedPaper
from ingest.publishing.schema import INDEXES, TABLES

# Part of the build id, so that a change in what we write makes a new build.
_BUILDER = "papersite-2"
_CACHE_KIB = 64 * 1024


class SnapshotWriter:
    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        # Nobody reads the file before it is complete, and a failed build is thrown away.
        for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE_KIB}", "temp_store=FILE"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.executescript(TABLES)
        self._rows = PaperRows(self._database, set())
        self._facets = FacetWriter(self._database)
        self._content = hashlib.sha256(_BUILDER.encode())
        self._papers = 0
        self._database.execute("BEGIN")

    def add(self, paper: PreparedPaper) -> None:
        """Write one paper to every table that holds something about it."""
        self._rows.add(self._papers + 1, self._papers, paper)
        self._facets.add(paper.identity.paper_id, self._papers, paper.facets)
        self._content.update(paper.content)
        self._papers += 1

    def finish(self) -> str:
        """Write counts, indexes and metadata; returns the build id, which is the same for the same content."""
        self._facets.finish()
        count_dates(self._database)
        for name in ("paper_fts", "paper_fts_trigram"):
            self._database.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")  # noqa: S608 - our names
        build_id = self._content.hexdigest()[:32]
        write_meta(self._database, build_id)
        self._database.execute("COMMIT")
        self._database.executescript(INDEXES + "PRAGMA journal_mode=DELETE;")
        (state,) = self._database.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise BuildError(f"The new database is damaged: {state}")
        return build_id

    def close(self) -> None:
        self._database.close()


def count_dates(database: sqlite3.Connection) -> None:
    """Count the papers of each year and month anew."""
    for name in ("year", "month"):
        database.execute(f"DELETE FROM {name}_count")  # noqa: S608 - our names
        database.execute(
            f"INSERT INTO {name}_count SELECT {name}, count(*) FROM paper GROUP BY 1 ORDER BY 1"  # noqa: S608 - our names
        )


def write_meta(database: sqlite3.Connection, build_id: str) -> None:
    meta = (("snapshot_build_id", build_id), ("built_at", datetime.now(UTC).isoformat()))
    database.executemany("INSERT OR REPLACE INTO snapshot_meta VALUES (?, ?)", meta)

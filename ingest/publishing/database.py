"""Writes a snapshot's database: a new one in one pass over all papers, or changes in the copy of a finished one."""

import hashlib
import sqlite3
from collections.abc import Iterator, MutableSet
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from ingest.entries.entry import BuildError
from ingest.matching.identity import PaperIdentity
from ingest.matching.records import Record
from ingest.publishing.assets import PaperFiles
from ingest.publishing.facets import FacetChanges, FacetWriter, facet_values
from ingest.publishing.paper_rows import PaperRows, PreparedPaper, prepare
from ingest.publishing.schema import INDEXES, TABLES, TRIGRAMS
from ingest.publishing.stored_papers import StoredPaper
from papercore.snapshot.file import LEGACY_BIBTEX

# Part of the build id, so that a change in what we write makes a new build.
_BUILDER = "papersite-2"
_CACHE_KIB = 64 * 1024
_COPY_CACHE_KIB = 16 * 1024
_BY_PAPER_ID = ("paper", "paper_summary", "paper_translation", "paper_bibtex", "paper_key_alias")
_FULL_TEXT = ("paper_fts", "paper_fts_trigram")


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
        _count_dates(self._database)
        for name in _FULL_TEXT:
            self._database.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")  # noqa: S608 - our names
        build_id = self._content.hexdigest()[:32]
        _write_meta(self._database, build_id)
        self._database.execute("COMMIT")
        self._database.executescript(INDEXES + "PRAGMA journal_mode=DELETE;")
        (state,) = self._database.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise BuildError(f"The new database is damaged: {state}")
        return build_id

    def close(self) -> None:
        self._database.close()


class LibraryWriter:
    """Removes and adds papers; counts, full-text tables and the build id follow."""

    def __init__(self, path: Path, build_id: str) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        # Nobody reads the copy before it is complete, and one that failed is thrown away.
        for pragma in ("journal_mode=DELETE", "journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_COPY_CACHE_KIB}"):
            self._database.execute(f"PRAGMA {pragma}")
        columns = {row[1] for row in self._database.execute("PRAGMA table_info(paper)")}
        # What older snapshots lack.
        if "doi" not in columns:
            self._database.execute("ALTER TABLE paper ADD COLUMN doi TEXT")
        if not self._database.execute("PRAGMA table_info(paper_bibtex)").fetchone():
            self._database.execute(LEGACY_BIBTEX.replace("TEMP ", ""))
        if not self._database.execute("PRAGMA table_info(paper_fts_trigram)").fetchone():
            self._database.execute(TRIGRAMS)
        self._rows = PaperRows(self._database, _BibtexKeys(self._database))
        self._facets = FacetChanges(self._database)
        self._content = hashlib.sha256(build_id.encode())
        last_rows = (self._first(f"SELECT max(rowid) FROM {table}") for table in ("paper", *_FULL_TEXT))  # noqa: S608 - our names
        self._last_row = max(row or 0 for row in last_rows)
        last_index = self._first("SELECT max(paper_index) FROM paper")
        self._last_index = -1 if last_index is None else last_index
        self._database.execute("BEGIN")

    def _first(self, sql: str) -> int | None:
        row: tuple[int | None] = self._database.execute(sql).fetchone()
        return row[0]

    def remove(self, paper: StoredPaper) -> None:
        self._facets.remove(paper.paper_id, facet_values(paper.record, sorted(paper.files.translations)))
        for table in _BY_PAPER_ID:
            self._database.execute(f"DELETE FROM {table} WHERE paper_id = ?", [paper.paper_id])  # noqa: S608 - our names
        for table in _FULL_TEXT:
            # Builds give a paper the same row everywhere; in a snapshot of another program it has to be looked for.
            sql = f"SELECT rowid FROM {table} WHERE rowid = ? AND paper_id = ?"  # noqa: S608 - our names
            everywhere = f"SELECT rowid FROM {table} WHERE paper_id = ?"  # noqa: S608 - our names
            rows = self._database.execute(sql, [paper.rowid, paper.paper_id]).fetchall()
            rows = rows or self._database.execute(everywhere, [paper.paper_id]).fetchall()
            self._database.executemany(f"DELETE FROM {table} WHERE rowid = ?", rows)  # noqa: S608 - our names
        self._content.update(f"removed {paper.paper_id}".encode())

    def add(self, identity: PaperIdentity, record: Record, files: PaperFiles, place: StoredPaper | None = None) -> None:
        """Add a paper, at the place of the one that it replaces or at the end."""
        taken = (
            self._database.execute(f"SELECT 1 FROM {table} WHERE rowid = ?", [place.rowid]).fetchone()  # noqa: S608 - our names
            for table in ("paper", *_FULL_TEXT)
            if place
        )
        if place and not any(taken):
            rowid, index = place.rowid, place.index
        else:
            self._last_row, self._last_index = self._last_row + 1, self._last_index + 1
            rowid, index = self._last_row, self._last_index
        paper = prepare(identity, record, files)
        self._rows.add(rowid, index, paper)
        self._facets.add(identity.paper_id, paper.facets)
        self._content.update(paper.content)

    def is_asset_used(self, key: str) -> bool:
        """Whether a paper has the text or PDF that is stored under this key."""
        folder, name = key.split("/")[0], Path(key).stem
        column = {"pdf": "paper WHERE pdf_content_hash", "md": "paper WHERE source_md_content_hash"}.get(folder)
        column = column or "paper_translation WHERE md_content_hash"
        return self._database.execute(f"SELECT 1 FROM {column} = ? LIMIT 1", [name]).fetchone() is not None  # noqa: S608 - our names

    def finish(self) -> str:
        """Write the counts that depend on all papers, and the metadata; returns the new build id."""
        _count_dates(self._database)
        build_id = self._content.hexdigest()[:32]
        _write_meta(self._database, build_id)
        self._database.execute("COMMIT")
        return build_id

    def close(self) -> None:
        self._database.close()


class _BibtexKeys(MutableSet[str]):
    """The BibTeX keys of a library, read when the first one is made up."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._added = set[str]()

    @cached_property
    def _stored(self) -> set[str]:
        return {key for (key,) in self._database.execute("SELECT bibtex_key FROM paper_bibtex")}

    def __contains__(self, key: object) -> bool:
        return key in self._added or key in self._stored

    def __iter__(self) -> Iterator[str]:
        return iter(self._added | self._stored)

    def __len__(self) -> int:
        return len(self._added | self._stored)

    def add(self, value: str) -> None:
        self._added.add(value)

    def discard(self, value: str) -> None:
        self._added.discard(value)
        self._stored.discard(value)


def _count_dates(database: sqlite3.Connection) -> None:
    """Count the papers of each year and month anew."""
    for name in ("year", "month"):
        database.execute(f"DELETE FROM {name}_count")  # noqa: S608 - our names
        database.execute(
            f"INSERT INTO {name}_count SELECT {name}, count(*) FROM paper GROUP BY 1 ORDER BY 1"  # noqa: S608 - our names
        )


def _write_meta(database: sqlite3.Connection, build_id: str) -> None:
    meta = (("snapshot_build_id", build_id), ("built_at", datetime.now(UTC).isoformat()))
    database.executemany("INSERT OR REPLACE INTO snapshot_meta VALUES (?, ?)", meta)

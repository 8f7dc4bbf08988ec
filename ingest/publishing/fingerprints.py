"""Tells whether papers of a library are as they were: a hash of each."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from ingest.entries.errors import BuildError
from papercore.snapshot.file import BadSnapshot, open_read_only
from papercore.snapshot.layout import DATABASE

# The full-text table has all of a paper's words: metadata, summaries, source and translations.
_PAPERS = (
    "SELECT p.paper_id, json_array(p.title, p.publication_date, p.venue, p.preferred_summary_template,"
    " p.source_hash, p.pdf_content_hash, p.source_md_content_hash, b.bibtex_raw, f.summary, f.source, f.translated,"
    " f.metadata) FROM main.paper p LEFT JOIN paper_bibtex b ON b.paper_id = p.paper_id"
    " LEFT JOIN paper_fts f ON f.rowid = p.rowid WHERE p.paper_id IN (SELECT value FROM json_each(?))"
)


def fingerprints(library: Path, paper_ids: Iterable[str]) -> dict[str, str]:
    """By id, for those of these papers that the library has; equal while nothing about a paper changes."""
    try:
        with closing(open_read_only(library / DATABASE)) as connection:
            return fingerprints_in(connection, paper_ids)
    except (OSError, sqlite3.Error, BadSnapshot) as error:
        raise BuildError(f"{library} cannot be read: {error}") from error


def fingerprints_in(database: sqlite3.Connection, paper_ids: Iterable[str]) -> dict[str, str]:
    rows = database.execute(_PAPERS, [json.dumps(list(paper_ids))])
    return {paper_id: hashlib.sha256(content.encode()).hexdigest()[:16] for paper_id, content in rows}

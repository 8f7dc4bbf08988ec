"""The rows of one paper in the snapshot's tables, but for its facets."""

import sqlite3
from collections.abc import MutableSet

from ingest.publishing.prepared_paper import PreparedPaper

_INSERT_WORDS = (
    "INSERT INTO paper_fts (rowid, paper_id, title, summary, source, translated, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_TRIGRAMS = "INSERT INTO paper_fts_trigram (rowid, paper_id, title, venue) VALUES (?, ?, ?, ?)"


class PaperRows:
    """Writes papers. A paper has the same row id in the table of papers and in both full-text tables."""

    def __init__(self, database: sqlite3.Connection, bibtex_keys: MutableSet[str]) -> None:
        self._database = database
        self._bibtex_keys = bibtex_keys

    def add(self, rowid: int, index: int, paper: PreparedPaper) -> None:
        identity, paper_id = paper.identity, paper.identity.paper_id
        # Named, because in an older snapshot that is updated the columns have another order.
        row: dict[str, str | int | None] = {"rowid": rowid, "paper_index": index, **paper.columns}
        sql = f"INSERT INTO paper ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608 - our names
        self._database.execute(sql, tuple(row.values()))
        summaries = [(paper_id, template) for template in paper.summaries]
        self._database.executemany("INSERT INTO paper_summary VALUES (?, ?)", summaries)
        translations = [(paper_id, *translation) for translation in paper.translations]
        self._database.executemany("INSERT INTO paper_translation VALUES (?, ?, ?)", translations)
        aliases = [(key.text, paper_id, key.type, key.fingerprint) for key in identity.aliases]
        self._database.executemany("INSERT OR IGNORE INTO paper_key_alias VALUES (?, ?, ?, ?)", aliases)
        bibtex = paper.with_unique_key(self._bibtex_keys)
        self._bibtex_keys.add(bibtex.key)
        bibtex_row = (paper_id, bibtex.raw, bibtex.key, bibtex.entry_type)
        self._database.execute("INSERT INTO paper_bibtex VALUES (?, ?, ?, ?)", bibtex_row)
        self._database.execute(_INSERT_WORDS, (rowid, paper_id, *paper.texts))
        self._database.execute(_INSERT_TRIGRAMS, (rowid, paper_id, *paper.trigrams))

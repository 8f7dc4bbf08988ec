"""Writes the snapshot's database: one pass over the papers, then counts and indexes over all of them."""

import hashlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from papercore.text import one_line
from papers.build.entry import ABSTRACT_TEMPLATE, Summary
from papers.build.errors import BuildError
from papers.build.facets import FacetWriter
from papers.build.generated_bibtex import generated_bibtex
from papers.build.merge import Record
from papers.build.paper_files import PaperFiles
from papers.build.paper_ids import PaperIdentity
from papers.build.schema import INDEXES, TABLES
from papers.build.text import plain_text, preview, spaced_cjk

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
        self._facets = FacetWriter(self._database)
        self._content = hashlib.sha256(_BUILDER.encode())
        self._papers = 0
        self._bibtex_keys: set[str] = set()
        self._database.execute("BEGIN")

    def add(self, identity: PaperIdentity, record: Record, files: PaperFiles) -> None:
        """Write one paper to every table that holds something about it."""
        summaries = {summary.template: _summary_words(summary) for summary in record.summaries}
        self._add_paper(identity, record, files, preview(summaries.get(record.preferred_template, "")))
        self._add_related(identity, record, files)
        self._facets.add(identity.paper_id, self._papers, record, sorted(files.translations))
        self._add_full_text(identity.paper_id, record, files, " ".join(summaries.values()))
        self._content.update(_content(identity, record, files))
        self._papers += 1

    def _add_paper(self, identity: PaperIdentity, record: Record, files: PaperFiles, summary_preview: str) -> None:
        provenance = record.provenance
        source = files.source.sha256 if files.source else None
        row = (
            identity.paper_id,
            identity.key.text,
            identity.key.type,
            record.doi,
            record.title,
            record.year,
            record.month,
            record.date,
            record.venue,
            record.preferred_template,
            summary_preview,
            self._papers,
            record.source_hash or source,
            provenance.output_language,
            provenance.provider,
            provenance.model,
            provenance.prompt_template,
            provenance.extracted_at,
            files.pdf,
            source,
        )
        self._database.execute(f"INSERT INTO paper VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - no values

    def _add_related(self, identity: PaperIdentity, record: Record, files: PaperFiles) -> None:
        paper_id = identity.paper_id
        summaries = [(paper_id, summary.template) for summary in record.summaries]
        self._database.executemany("INSERT INTO paper_summary VALUES (?, ?)", summaries)
        translations = [(paper_id, lang, text.sha256) for lang, text in sorted(files.translations.items())]
        self._database.executemany("INSERT INTO paper_translation VALUES (?, ?, ?)", translations)
        aliases = [(key.text, paper_id, key.type, key.fingerprint) for key in identity.aliases]
        self._database.executemany("INSERT OR IGNORE INTO paper_key_alias VALUES (?, ?, ?, ?)", aliases)
        bibtex = record.bibtex or generated_bibtex(record, self._bibtex_keys)
        self._bibtex_keys.add(bibtex.key)
        row = (paper_id, bibtex.raw, bibtex.key, bibtex.entry_type)
        self._database.execute("INSERT INTO paper_bibtex VALUES (?, ?, ?, ?)", row)

    def _add_full_text(self, paper_id: str, record: Record, files: PaperFiles, summaries: str) -> None:
        source = files.source.words if files.source else ""
        translated = " ".join(text.words for _, text in sorted(files.translations.items()))
        texts = (record.title, summaries, source, translated, metadata_words(record))
        self._database.execute("INSERT INTO paper_fts VALUES (?, ?, ?, ?, ?, ?)", (paper_id, *map(spaced_cjk, texts)))
        row = (paper_id, record.title.lower(), record.venue.lower())
        self._database.execute("INSERT INTO paper_fts_trigram VALUES (?, ?, ?)", row)

    def finish(self) -> str:
        """Write counts, indexes and metadata; returns the build id, which is the same for the same content."""
        self._facets.finish()
        for name in ("year", "month"):
            self._database.execute(
                f"INSERT INTO {name}_count SELECT {name}, count(*) FROM paper GROUP BY 1 ORDER BY 1"  # noqa: S608 - our names
            )
        for name in ("paper_fts", "paper_fts_trigram"):
            self._database.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")  # noqa: S608 - our names
        build_id = self._content.hexdigest()[:32]
        meta = (("snapshot_build_id", build_id), ("built_at", datetime.now(UTC).isoformat()))
        self._database.executemany("INSERT INTO snapshot_meta VALUES (?, ?)", meta)
        self._database.execute("COMMIT")
        self._database.executescript(INDEXES + "PRAGMA journal_mode=DELETE;")
        (state,) = self._database.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise BuildError(f"The new database is damaged: {state}")
        return build_id

    def close(self) -> None:
        self._database.close()


def metadata_words(record: Record) -> str:
    """The words of the paper's metadata, for the full-text index."""
    words = [
        record.title,
        *record.authors,
        record.venue,
        *record.keywords,
        *record.institutions,
        *record.tags,
        record.year,
        record.doi or "",
        record.arxiv or "",
    ]
    return one_line(" ".join(words))


def _summary_words(summary: Summary) -> str:
    # An abstract is not markdown: its underscores and asterisks are meant literally.
    return one_line(summary.text) if summary.template == ABSTRACT_TEMPLATE else plain_text(summary.text)


def _content(identity: PaperIdentity, record: Record, files: PaperFiles) -> bytes:
    """Everything that makes the paper what it is, for the build id."""
    hashes = [files.pdf or "", files.source.sha256 if files.source else ""]
    hashes += [f"{lang}:{text.sha256}" for lang, text in sorted(files.translations.items())]
    keys = [key.text for key in identity.aliases]
    return "\0".join([identity.paper_id, record.model_dump_json(), *hashes, *keys]).encode()

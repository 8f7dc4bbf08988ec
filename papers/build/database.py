"""Writes paper_snapshot.db: one pass over the papers, then what is counted and indexed over all of them."""

import hashlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from papers.build.assets import PaperFiles
from papers.build.entry import ABSTRACT_TEMPLATE
from papers.build.errors import BuildError
from papers.build.facets import FacetWriter
from papers.build.merge import Record
from papers.build.paper_ids import PaperIdentity
from papers.build.schema import INDEXES, TABLES
from papers.build.text import clean_line, plain_text, preview, spaced_cjk

# Goes into the build id, so that a change of what we write is a new build.
_BUILDER = "papersite-1"
_CACHE_KIB = 64 * 1024


class SnapshotWriter:
    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        # Nobody reads the file before it is whole, and a failed build is thrown away.
        for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE_KIB}", "temp_store=FILE"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.executescript(TABLES)
        self._facets = FacetWriter(self._database)
        self._content = hashlib.sha256(_BUILDER.encode())
        self._papers = 0
        self._database.execute("BEGIN")

    def add(self, identity: PaperIdentity, record: Record, files: PaperFiles) -> None:
        """One paper with everything that is told of it in the tables."""
        words = [_summary_words(summary.template, summary.text) for summary in record.summaries]
        templates = [summary.template for summary in record.summaries]
        shown = dict(zip(templates, words, strict=True)).get(record.preferred_template, "")
        self._add_paper(identity, record, files, preview(shown))
        self._add_belongings(identity, record, files)
        self._facets.add(identity.paper_id, self._papers, record, sorted(files.translations))
        self._add_words(identity.paper_id, record, files, " ".join(words))
        self._content.update(_told(identity, record, files))
        self._papers += 1

    def _add_paper(self, identity: PaperIdentity, record: Record, files: PaperFiles, shown: str) -> None:
        made = record.provenance
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
            shown,
            self._papers,
            record.source_hash or source,
            made.output_language,
            made.provider,
            made.model,
            made.prompt_template,
            made.extracted_at,
            files.pdf,
            source,
        )
        self._database.execute(f"INSERT INTO paper VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608

    def _add_belongings(self, identity: PaperIdentity, record: Record, files: PaperFiles) -> None:
        paper_id = identity.paper_id
        summaries = [(paper_id, summary.template) for summary in record.summaries]
        self._database.executemany("INSERT INTO paper_summary VALUES (?, ?)", summaries)
        translations = [(paper_id, lang, text.sha256) for lang, text in sorted(files.translations.items())]
        self._database.executemany("INSERT INTO paper_translation VALUES (?, ?, ?)", translations)
        aliases = [(key.text, paper_id, key.type, key.fingerprint) for key in identity.aliases]
        self._database.executemany("INSERT OR IGNORE INTO paper_key_alias VALUES (?, ?, ?, ?)", aliases)
        if record.bibtex:
            bib = record.bibtex
            self._database.execute(
                "INSERT INTO paper_bibtex VALUES (?, ?, ?, ?)", (paper_id, bib.raw, bib.key, bib.entry_type)
            )

    def _add_words(self, paper_id: str, record: Record, files: PaperFiles, summary: str) -> None:
        source = files.source.words if files.source else ""
        translated = " ".join(text.words for _, text in sorted(files.translations.items()))
        texts = (record.title, summary, source, translated, metadata_words(record))
        self._database.execute("INSERT INTO paper_fts VALUES (?, ?, ?, ?, ?, ?)", (paper_id, *map(spaced_cjk, texts)))
        self._database.execute(
            "INSERT INTO paper_fts_trigram VALUES (?, ?, ?)",
            (paper_id, record.title.lower(), record.venue.lower()),
        )

    def finish(self) -> str:
        """Count, index, note the build; returns the build id, the same for the same content."""
        self._facets.finish()
        for name in ("year", "month"):
            self._database.execute(
                f"INSERT INTO {name}_count SELECT {name}, count(*) FROM paper GROUP BY 1 ORDER BY 1"  # noqa: S608
            )
        for name in ("paper_fts", "paper_fts_trigram"):
            self._database.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")  # noqa: S608
        build_id = self._content.hexdigest()[:32]
        meta = (("snapshot_build_id", build_id), ("built_at", datetime.now(UTC).isoformat()))
        self._database.executemany("INSERT INTO snapshot_meta VALUES (?, ?)", meta)
        self._database.execute("COMMIT")
        self._database.executescript(INDEXES + "PRAGMA journal_mode=DELETE;")
        self._check()
        return build_id

    def _check(self) -> None:
        (state,) = self._database.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise BuildError(f"The new database is damaged: {state}")

    def close(self) -> None:
        self._database.close()


def metadata_words(record: Record) -> str:
    """What a reader may type to find the paper that is not in its texts."""
    known = (record.doi, record.arxiv)
    lists = (
        record.authors,
        (record.venue,),
        record.keywords,
        record.institutions,
        record.tags,
        (record.year,),
    )
    words = [record.title, *(word for values in lists for word in values), *(text for text in known if text)]
    return clean_line(" ".join(words))


def _summary_words(template: str, text: str) -> str:
    # An abstract is no markdown: its underscores and asterisks are meant.
    return clean_line(text) if template == ABSTRACT_TEMPLATE else plain_text(text)


def _told(identity: PaperIdentity, record: Record, files: PaperFiles) -> bytes:
    hashes = [files.pdf or "", files.source.sha256 if files.source else ""]
    hashes += [f"{lang}:{text.sha256}" for lang, text in sorted(files.translations.items())]
    keys = [key.text for key in identity.aliases]
    return "\0".join([identity.paper_id, record.model_dump_json(), *hashes, *keys]).encode()

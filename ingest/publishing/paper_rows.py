"""The rows of one paper, but for its facets: prepared without the tables, and so in any process, then written."""

import sqlite3
from collections.abc import MutableSet, Set

from msgspec import Struct

from ingest.entries.entry import ABSTRACT_TEMPLATE, BibtexEntry
from ingest.entries.text import plain_text, preview, spaced_cjk
from ingest.matching.corrections import generated_bibtex, own_key
from ingest.matching.identity import PaperIdentity
from ingest.matching.records import Record
from ingest.publishing.assets import PaperFiles
from ingest.publishing.facets import FacetTexts, facet_values
from papercore.bibliography.citation import unique_key
from papercore.text import one_line

_INSERT_WORDS = (
    "INSERT INTO paper_fts (rowid, paper_id, title, summary, source, translated, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_TRIGRAMS = "INSERT INTO paper_fts_trigram (rowid, paper_id, title, venue) VALUES (?, ?, ?, ?)"


class PreparedPaper(Struct, frozen=True):
    """The rows of one paper. The texts are those of the full-text table, the trigrams those of the other one."""

    identity: PaperIdentity
    columns: dict[str, str | None]
    summaries: list[str]
    translations: list[tuple[str, str]]
    bibtex: BibtexEntry
    # Whether the key of the BibTeX entry is made up, so that it may be another paper's.
    has_made_up_key: bool
    texts: list[str]
    trigrams: tuple[str, str]
    facets: FacetTexts
    # Everything that makes the paper what it is, for the build id.
    content: bytes

    def with_unique_key(self, taken: Set[str]) -> BibtexEntry:
        """The BibTeX entry under a key that no other paper has."""
        old = self.bibtex.key
        key = unique_key(old, taken) if self.has_made_up_key else old
        if key == old:
            return self.bibtex
        return self.bibtex.model_copy(update={"key": key, "raw": self.bibtex.raw.replace(f"{{{old},", f"{{{key},", 1)})


def prepare(identity: PaperIdentity, record: Record, files: PaperFiles) -> PreparedPaper:
    """The rows of a paper, made of everything that is known about it."""
    words = {
        # An abstract is not markdown: its underscores and asterisks are meant literally.
        summary.template: one_line(summary.text) if summary.template == ABSTRACT_TEMPLATE else plain_text(summary.text)
        for summary in record.summaries
    }
    provenance, source = record.provenance, files.source.sha256 if files.source else None
    translations = sorted(files.translations.items())
    texts = (
        record.title,
        " ".join(words.values()),
        files.source.words if files.source else "",
        " ".join(text.words for _, text in translations),
        metadata_words(record),
    )
    hashes = [files.pdf or "", source or "", *(f"{lang}:{text.sha256}" for lang, text in translations)]
    content = [identity.paper_id, record.model_dump_json(), *hashes, *(key.text for key in identity.aliases)]
    return PreparedPaper(
        identity=identity,
        columns={
            "paper_id": identity.paper_id,
            "paper_key": identity.key.text,
            "paper_key_type": identity.key.type,
            "doi": record.doi,
            "title": record.title,
            "year": record.year,
            "month": record.month,
            "publication_date": record.date,
            "venue": record.venue,
            "preferred_summary_template": record.preferred_template,
            "summary_preview": preview(words.get(record.preferred_template, "")),
            "source_hash": record.source_hash or source,
            "output_language": provenance.output_language,
            "provider": provenance.provider,
            "model": provenance.model,
            "prompt_template": provenance.prompt_template,
            "extracted_at": provenance.extracted_at,
            "pdf_content_hash": files.pdf,
            "source_md_content_hash": source,
        },
        summaries=[summary.template for summary in record.summaries],
        translations=[(lang, text.sha256) for lang, text in translations],
        bibtex=record.bibtex or generated_bibtex(record, frozenset()),
        has_made_up_key=record.bibtex is None and not own_key(record),
        texts=[spaced_cjk(text) for text in texts],
        trigrams=(record.title.lower(), record.venue.lower()),
        facets=facet_values(record, sorted(files.translations)),
        content="\0".join(content).encode(),
    )


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

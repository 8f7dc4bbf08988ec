"""Reads the papers of a library back as entries, so that an update treats them like any other input."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import numpy as np
import orjson
from msgspec import Struct
from msgspec.structs import fields
from numpy.typing import NDArray

from ingest.bibtex.citation import read_stored_entry
from ingest.entries.entry import (
    ABSTRACT_TEMPLATE,
    BibtexEntry,
    BuildError,
    PaperEntry,
    Provenance,
    Publication,
    Summary,
    Trust,
)
from ingest.entries.text import plain_text
from ingest.matching.corrections import Field, generated_bibtex
from ingest.matching.facts import compared_title
from ingest.matching.identity import Key
from ingest.matching.records import Record, merge
from ingest.pdf.blocks import PAGE_MARK
from ingest.publishing.assets import PaperFiles, TextAsset, asset_keys
from papercore import limits
from papercore.bibliography.citation import Citation
from papercore.bibliography.fields import UNKNOWN
from papercore.bibliography.identifiers import paper_key
from papercore.snapshot.assets import (
    manifest_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)

_PAPER = (
    "SELECT rowid, title, doi, publication_date, venue, preferred_summary_template, paper_index, source_hash,"
    " pdf_content_hash, source_md_content_hash FROM paper WHERE paper_id = ?"
)
_KEYS = "SELECT paper_key_type, paper_key, meta_fingerprint FROM paper_key_alias WHERE paper_id = ? ORDER BY rowid"
_BIBTEX = "SELECT bibtex_raw, bibtex_key, entry_type FROM paper_bibtex WHERE paper_id = ?"
_TITLES = "SELECT rowid, title FROM paper"


class StoredPaper(Struct, frozen=True, dict=True):
    """A paper of a library: its place in the tables, its keys, what it says, and its files."""

    paper_id: str
    rowid: int
    index: int
    keys: list[Key]
    entry: PaperEntry
    files: PaperFiles
    bibtex: BibtexEntry | None

    @cached_property
    def record(self) -> Record:
        return merge([self.entry])

    @cached_property
    def state(self) -> str:
        """Another one when anything has changed that people see of the paper."""
        texts = [self.files.source, *(self.files.translations[lang] for lang in sorted(self.files.translations))]
        hashes = [self.files.pdf or "", *(text.sha256 if text else "" for text in texts)]
        said = [self.entry.model_dump_json(), self.bibtex.raw if self.bibtex else "", *hashes]
        return hashlib.sha256("\0".join(said).encode()).hexdigest()[:24]

    def asset_keys(self) -> set[str]:
        return asset_keys(self.paper_id, self.record, self.files)


class StoredPapers:
    """The papers of one library, looked up by key, title or file name."""

    def __init__(self, database: sqlite3.Connection, assets: Path) -> None:
        self._database = database
        self._assets = assets

    def with_keys(self, keys: Iterable[str]) -> list[str]:
        """The papers that any of these keys leads to."""
        sql = "SELECT DISTINCT paper_id FROM paper_key_alias WHERE paper_key IN (SELECT value FROM json_each(?))"
        return [paper_id for (paper_id,) in self._database.execute(sql, [json.dumps(list(keys))])]

    def the_one_called(self, name: str) -> str:
        """The id of the paper with this name. BuildError if there is none, or if it is the BibTeX key of several."""
        found = self._called(name)
        if not found:
            raise BuildError(f"There is no paper {name}: name papers by id, DOI, arXiv id or BibTeX key.")
        if len(found) > 1:
            listed = json.dumps(found)
            sql = "SELECT paper_id, title FROM paper WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY rowid"
            papers = "; ".join(f"{paper_id} {title}" for paper_id, title in self._database.execute(sql, [listed]))
            raise BuildError(f"Several papers have the key {name}. Name one by its id: {papers}")
        return found[0]

    def _called(self, name: str) -> list[str]:
        if self.has(name):
            return [name]
        if key := paper_key(name):
            return self.with_keys([key])
        # The aliases hold each key once, and keys of earlier entries: the entries themselves say who has it now.
        cited = self._database.execute("SELECT paper_id FROM paper_bibtex WHERE bibtex_key = ? ORDER BY rowid", [name])
        return [paper_id for (paper_id,) in cited] or self.with_keys([f"bib:{name}", name])

    def other_with(self, paper_id: str, field: Field, value: str) -> tuple[str, str] | None:
        """Id and title of another paper that has this DOI, arXiv id or key; none where this one has it, too."""
        tables = {
            "doi": "paper WHERE doi = ?1",
            "arxiv": "paper_key_alias a JOIN paper USING (paper_id) WHERE a.paper_key = 'arxiv:' || ?1",
            "key": "paper_bibtex JOIN paper USING (paper_id) WHERE bibtex_key = ?1",
        }
        found = dict(self._database.execute(f"SELECT paper_id, title FROM {tables[field]}", [value]))  # noqa: S608 - our words
        return next(iter(found.items())) if found and paper_id not in found else None

    def with_title(self, title: str) -> list[str]:
        """The papers whose titles have the same words, as entries are matched by them."""
        wanted = compared_title(title)
        hashes, rows = self._titles
        if not wanted or not len(rows):
            return []
        first, last = (int(np.searchsorted(hashes, hash(wanted), side)) for side in ("left", "right"))
        sql = "SELECT paper_id, title FROM paper WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY rowid"
        found = self._database.execute(sql, [json.dumps(rows[first:last].tolist())])
        return [paper_id for paper_id, stored in found if compared_title(stored) == wanted]

    @cached_property
    def _titles(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Hashes of all titles in ascending order, and their rows: 16 bytes a paper."""
        found = [(hash(compared_title(title)), row) for row, title in self._database.execute(_TITLES)]
        table = np.array(found, dtype=np.int64).reshape(len(found), 2)
        table = table[np.argsort(table[:, 0], kind="stable")]
        return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])

    def titles_and_authors(self) -> Iterator[tuple[str, str, str]]:
        """Of every paper its id, title and first author."""
        author = (
            "(SELECT value FROM paper_author a JOIN author USING (author_id) WHERE a.paper_id = p.paper_id"
            " ORDER BY a.rowid LIMIT 1)"
        )
        yield from self._database.execute(f"SELECT paper_id, title, coalesce({author}, '') FROM paper p")  # noqa: S608 - our words

    def named(self, names: Sequence[str]) -> list[str]:
        """The papers that files with these names may belong to: by BibTeX key, arXiv id, DOI or title."""
        if not names:
            return []
        keys = []
        for name in map(str.lower, names):
            slashed = name.replace("_", "/")
            keys += [f"bib:{name}", f"arxiv:{name}", f"arxiv:{slashed}", f"doi:{name.replace('_', '/', 1)}"]
        sql = "SELECT paper_id FROM paper_key_alias WHERE lower(paper_key) IN (SELECT value FROM json_each(?))"
        by_key = [paper_id for (paper_id,) in self._database.execute(sql, [json.dumps(keys)])]
        return list(dict.fromkeys([*by_key, *(paper_id for name in names for paper_id in self.with_title(name))]))

    def has(self, paper_id: str) -> bool:
        return self._database.execute("SELECT 1 FROM paper WHERE paper_id = ?", [paper_id]).fetchone() is not None

    def read(self, paper_id: str) -> StoredPaper | None:
        row = self._database.execute(_PAPER, [paper_id]).fetchone()
        if row is None:
            return None
        rowid, title, doi, date, venue, preferred, index, source_hash, pdf, source = row
        document = self._json(preferred_summary_key(paper_id))
        keys = [Key(*row) for row in self._database.execute(_KEYS, [paper_id])]
        found = self._database.execute(_BIBTEX, [paper_id]).fetchone()
        bibtex = BibtexEntry(raw=found[0], key=found[1] or "", entry_type=found[2] or "misc") if found else None
        abstract = _text(document.get("abstract"))
        entry = PaperEntry(
            title=title,
            trust=Trust.LIBRARY,
            authors=_texts(document.get("paper_authors")) or tuple(self._linked("author", paper_id)),
            date=date,
            venue="" if venue == UNKNOWN else venue,
            abstract=abstract,
            keywords=_texts(document.get("keywords")) or tuple(self._linked("keyword", paper_id)),
            institutions=_texts(document.get("paper_institutions")) or tuple(self._linked("institution", paper_id)),
            tags=tuple(self._linked("tag", paper_id)),
            doi=doi,
            arxiv=_key_text(keys, "arxiv"),
            bib_key=_key_text(keys, "bib"),
            bibtex=bibtex,
            summaries=tuple(self._summaries(paper_id, preferred, abstract)),
            source_hash=source_hash if source_hash and source_hash != source else "",
            reading_editions=_texts(self._json(manifest_key(paper_id)).get("reading_editions")),
        )
        files = self._files(paper_id, pdf, source)
        return StoredPaper(paper_id, rowid, index, keys, _with_publication(entry), files, bibtex)

    def _linked(self, facet: str, paper_id: str) -> list[str]:
        sql = f"SELECT value FROM paper_{facet} JOIN {facet} USING ({facet}_id) WHERE paper_id = ? ORDER BY {facet}_id"  # noqa: S608 - our names
        return [value for (value,) in self._database.execute(sql, [paper_id])]

    def _summaries(self, paper_id: str, preferred: str, abstract: str) -> Iterator[Summary]:
        """The preferred one first; an abstract that stands in for a summary is none."""
        sql = "SELECT template_tag FROM paper_summary WHERE paper_id = ? ORDER BY template_tag != ?, template_tag"
        for (template,) in self._database.execute(sql, [paper_id, preferred]):
            document = self._json(summary_key(paper_id, template))
            text = _text(document.get("summary"))
            if template == ABSTRACT_TEMPLATE and text == abstract:
                continue
            provenance = Provenance(**{name: _text(document.get(name)) for name in Provenance.model_fields})
            yield Summary(template=template, text=text, provenance=provenance)

    def _files(self, paper_id: str, pdf: str | None, source: str | None) -> PaperFiles:
        files = PaperFiles(pdf=pdf)
        if source:
            markdown = self._read(source_key(source)).decode("utf-8", "replace")
            files.source = TextAsset(source, plain_text(markdown))
            files.has_markdown = PAGE_MARK not in markdown
        sql = "SELECT lang, md_content_hash FROM paper_translation WHERE paper_id = ?"
        for lang, sha256 in self._database.execute(sql, [paper_id]):
            markdown = self._read(translation_key(lang, sha256)).decode("utf-8", "replace")
            files.translations[lang] = TextAsset(sha256, plain_text(markdown))
        images = self._json(manifest_key(paper_id)).get("images")
        for image in images if isinstance(images, list) else ():
            if isinstance(image, dict) and isinstance(name := image.get("static_path"), str):
                files.images[name] = name if image.get("status") == "available" else None
        return files

    def _json(self, key: str) -> dict[str, object]:
        with suppress(orjson.JSONDecodeError):
            document = orjson.loads(self._read(key))
            return document if isinstance(document, dict) else {}
        return {}

    def _read(self, key: str) -> bytes:
        """An asset; nothing if it is missing or larger than any that is served."""
        path = self._assets / key
        if not path.is_file() or path.stat().st_size > limits.ASSET_BYTES:
            return b""
        return path.read_bytes()


def _key_text(keys: Sequence[Key], kind: str) -> str | None:
    return next((key.text.partition(":")[2] for key in keys if key.type == kind), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _with_publication(entry: PaperEntry) -> PaperEntry:
    """With the parts of the citation. A BibTeX entry that was generated counts only as what it was generated from."""
    if entry.bibtex is None:
        return entry
    citation = read_stored_entry(entry.bibtex.raw).citation
    names = {field.name for field in fields(Citation)} & set(Publication.model_fields)
    publication = Publication(**{name: getattr(citation, name) for name in names})
    generated = entry.model_copy(update={"bibtex": None, "publication": publication})
    if same_entry(generated_bibtex(merge([generated]), frozenset()), entry.bibtex):
        return generated
    return entry


def same_entry(entry: BibtexEntry, other: BibtexEntry) -> bool:
    """Whether two BibTeX entries differ in nothing but their keys."""
    return entry.raw.replace(entry.key, "", 1) == other.raw.replace(other.key, "", 1)

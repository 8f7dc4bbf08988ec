"""The word index of a generation as tantivy keeps it: created, opened, filled, and updated."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import tantivy

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.coined import coined_names
from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import LOCK_SUFFIX, link_files
from papercore.retrieval.vectors.arrays import map_array

# Attempts to remove a folder in which the engine's first reader, which ends in a thread of its own, may still put its
# lock.
REMOVALS = 5
# One writer keeps up with Python; a large heap makes few segments, which answer faster.
WRITERS, HEAP_BYTES = 1, 600_000_000
# An update is small.
UPDATE_HEAP_BYTES = 20_000_000


def new_index(path: Path, schema: tantivy.Schema) -> tantivy.Index:
    """An empty word index in a new folder."""
    path.mkdir()
    index = tantivy.Index(schema, path=str(path))
    _register_analyzers(index)
    return index


def open_index(path: Path) -> tantivy.Index:
    """A finished word index. It never changes, so nothing watches the folder, and nothing is written to it."""
    # To read, tantivy creates a lock file beside the index, which a read-only library does not allow. So it reads
    # through links in a folder of its own, which is not needed once all files are open.
    links = Path(tempfile.mkdtemp(prefix="papersite-index-"))
    try:
        return open_to_write(links if _link_files(path, links) else path)
    finally:
        for _ in range(REMOVALS):
            shutil.rmtree(links, ignore_errors=True)
            if not links.exists():
                break


def _link_files(source: Path, links: Path) -> bool:
    """False where links are not allowed, as on Windows; the index is then read in place."""
    files = [file for file in source.resolve().iterdir() if file.suffix != LOCK_SUFFIX]
    try:
        for file in files:
            (links / file.name).symlink_to(file)
    except OSError:
        return False
    return True


def open_to_write(path: Path) -> tantivy.Index:
    """A word index of which nobody reads this copy."""
    index = tantivy.Index.open(str(path))
    _register_analyzers(index)
    index.config_reader("Manual")
    index.reload()
    return index


def _register_analyzers(index: tantivy.Index) -> None:
    """Register the analyzers that our schemas name."""
    index.register_tokenizer("text", analysis.TEXT)
    index.register_tokenizer("name", analysis.NAME)
    index.register_tokenizer("verbatim", analysis.VERBATIM)
    # A field that only sorts needs no terms.
    index.register_tokenizer("sortable", analysis.NO_TERM)
    index.register_fast_field_tokenizer("sortable", analysis.VALUE)


class WordWriter:
    """The word index of one generation while it is written."""

    def __init__(self, path: Path, index: tantivy.Index, heap_bytes: int = HEAP_BYTES) -> None:
        self._path = path
        self._index = index
        self._writer = index.writer(heap_bytes, WRITERS)

    @classmethod
    def new(cls, path: Path, facets: Sequence[str]) -> "WordWriter":
        """Of a new build: the fields as tantivy declares them."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(fields.ALL, tokenizer_name="text")
        builder.add_text_field(fields.TITLE, tokenizer_name="text")
        builder.add_text_field(fields.TITLE_WORDS, tokenizer_name="name", index_option="basic")
        builder.add_text_field(fields.TITLE_KEY, tokenizer_name="sortable", fast=True, index_option="basic")
        builder.add_unsigned_field(fields.TITLE_HASH, indexed=True)
        builder.add_text_field(fields.IDENTIFIER, tokenizer_name="verbatim", index_option="basic")
        builder.add_text_field(fields.COINED, tokenizer_name="verbatim", index_option="basic")
        builder.add_integer_field(fields.YEAR, indexed=True, fast=True)
        builder.add_integer_field(fields.YEAR_OLDEST, fast=True)
        builder.add_integer_field(fields.ROW, indexed=True, fast=True)
        for name in facets:
            builder.add_unsigned_field(fields.facet_field(name), indexed=True, fast=True)
            builder.add_text_field(fields.words_field(name), tokenizer_name="name")
        builder.add_text_field(fields.STORED_ID, stored=True, tokenizer_name="verbatim", index_option="basic")
        for name in (
            fields.STORED_TITLE,
            fields.STORED_TEXT,
            fields.STORED_BODY,
            fields.STORED_VALUES,
            fields.STORED_PAYLOAD,
        ):
            builder.add_bytes_field(name, stored=True)
        return cls(path, new_index(path / folder.WORDS, builder.build()))

    def add(self, document: Document, row: int, numbers: Mapping[str, Sequence[int]]) -> None:
        """Add a document; `numbers` are those of its facet values."""
        entry = tantivy.Document()
        for text in fields.searched_texts(document, numbers):
            entry.add_text(fields.ALL, text)
        title = analysis.with_cjk_pairs(document.title)
        entry.add_text(fields.TITLE, title)
        entry.add_text(fields.TITLE_WORDS, title)
        entry.add_text(fields.TITLE_KEY, analysis.value_key(document.title)[: fields.TITLE_KEY_CHARS])
        entry.add_unsigned(fields.TITLE_HASH, analysis.key_hash(document.title))
        for key in fields.identifier_keys(document):
            entry.add_text(fields.IDENTIFIER, key)
        for key in coined_names(document.title, document.text):
            entry.add_text(fields.COINED, key)
        entry.add_integer(fields.YEAR, document.year or fields.NO_YEAR)
        entry.add_integer(fields.YEAR_OLDEST, document.year or fields.LAST_YEAR + 1)
        entry.add_integer(fields.ROW, row)
        for name, found in numbers.items():
            for number in found:
                entry.add_unsigned(fields.facet_field(name), number)
            for value in document.facets.get(name, ()):
                entry.add_text(fields.words_field(name), analysis.with_cjk_pairs(value))
        values = fields.FACET_END.join(fields.VALUE_END.join(document.facets.get(name, ())) for name in numbers)
        stored = {
            fields.STORED_TITLE: document.title,
            fields.STORED_TEXT: document.text,
            fields.STORED_BODY: document.body,
            fields.STORED_VALUES: values,
        }
        entry.add_text(fields.STORED_ID, document.id)
        for field, text in stored.items():
            entry.add_bytes(field, analysis.clean(text).encode())
        entry.add_bytes(fields.STORED_PAYLOAD, document.payload)
        self._writer.add_document(entry)

    def finish(self, documents: int) -> Callable[[str], int]:
        """Make the index complete; return the number of documents with a term."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        searcher, addresses = self._index.searcher(), np.zeros((0, 2), dtype=np.int32)
        if documents:
            # The address of each row's document, which never changes once it is written.
            everything, ascending = tantivy.Query.all_query(), tantivy.Order.Asc
            found = searcher.search(everything, documents, count=False, order_by_field=fields.ROW, order=ascending)
            addresses = np.array([(address.segment_ord, address.doc) for _, address in found.hits], dtype=np.int32)
        np.save(self._path / folder.ADDRESSES, addresses)
        return partial(searcher.doc_freq, fields.ALL)


class WordUpdater(WordWriter):
    """The word index of a generation while it is made from the one before, with which it shares its files."""

    def __init__(self, before: Path, path: Path) -> None:
        link_files(before / folder.WORDS, path / folder.WORDS)
        super().__init__(path, open_to_write(path / folder.WORDS), UPDATE_HEAP_BYTES)
        self._before = self._index.searcher()
        self._addresses = map_array(before / folder.ADDRESSES)

    def rows_of(self, document_ids: Iterable[str]) -> dict[str, int]:
        """The rows before of those documents that are in the index."""
        found: dict[str, int] = {}
        for key in document_ids:
            hits = self._before.search(self._with_id(key), 1, count=False).hits
            if hits:
                found[key] = int(self._before.fast_field_values(fields.ROW, [hits[0][1]])[0] or 0)
        return found

    def id_at(self, row: int) -> str:
        return str(self._stored(row)[fields.STORED_ID][0])

    def values_at(self, row: int) -> list[list[str]]:
        """The values of a document for each facet, in their order."""
        text: bytes = self._stored(row)[fields.STORED_VALUES][0]
        return [
            [value for value in values.split(fields.VALUE_END) if value]
            for values in text.decode().split(fields.FACET_END)
        ]

    def _stored(self, row: int) -> tantivy.Document:
        segment, number = self._addresses[row].tolist()
        return self._before.doc(tantivy.DocAddress(segment, number))

    def _with_id(self, key: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._index.schema, fields.STORED_ID, key)

    def remove(self, document_id: str) -> None:
        self._writer.delete_documents_by_query(self._with_id(document_id))

"""Changes documents in a word index that shares its files with the one before: the engine never writes into a file."""

from collections.abc import Iterable, Mapping, Set
from pathlib import Path

import tantivy

from papercore.npy import map_array
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.shared_files import link_files
from papercore.retrieval.engines.embedded.word_index import open_to_write
from papercore.retrieval.engines.embedded.word_writer import WordWriter

# For one writer; an update is small.
HEAP_BYTES = 20_000_000


class WordUpdater(WordWriter):
    """The word index of a build while it is made from the one before."""

    def __init__(self, before: Path, path: Path, frequent: Mapping[str, Set[int]]) -> None:
        link_files(before / folder.WORDS, path / folder.WORDS)
        super().__init__(path, open_to_write(path / folder.WORDS), frequent, HEAP_BYTES)
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

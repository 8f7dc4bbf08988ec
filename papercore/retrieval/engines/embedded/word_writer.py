"""Writes the word index of a build, and the addresses of its rows."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from papercore.retrieval.basics.document import Document
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.documents import build_schema, fill_document
from papercore.retrieval.engines.embedded.word_index import new_index

# One writer keeps up with Python; a large heap makes few segments, which answer faster.
WRITERS, HEAP_BYTES = 1, 600_000_000


def new_words(path: Path, facets: Sequence[str]) -> tantivy.Index:
    """An empty word index for a build."""
    return new_index(path / folder.WORDS, build_schema(facets))


class WordWriter:
    """The word index of one build while it is written."""

    def __init__(
        self, path: Path, index: tantivy.Index, frequent: Mapping[str, Set[int]], heap_bytes: int = HEAP_BYTES
    ) -> None:
        """`frequent` are for each facet the numbers of its frequent values, more of which may become known."""
        self._path = path
        self._index = index
        self._frequent = frequent
        self._writer = index.writer(heap_bytes, WRITERS)

    def add(self, document: Document, row: int, numbers: Mapping[str, Sequence[int]]) -> None:
        """Add a document; `numbers` are those of its facet values."""
        self._writer.add_document(fill_document(document, row, numbers, self._frequent))

    def finish(self, documents: int) -> Callable[[str], int]:
        """Make the index complete; return the number of documents with a term."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        np.save(self._path / folder.ADDRESSES, _addresses(self._index, documents))
        return partial(self._index.searcher().doc_freq, fields.ALL)


def _addresses(index: tantivy.Index, count: int) -> NDArray[np.int32]:
    """The address of each row's document in the word index, which never changes once it is written."""
    if not count:
        return np.zeros((0, 2), dtype=np.int32)
    everything, ascending = tantivy.Query.all_query(), tantivy.Order.Asc
    found = index.searcher().search(everything, count, count=False, order_by_field=fields.ROW, order=ascending)
    return np.array([(address.segment_ord, address.doc) for _, address in found.hits], dtype=np.int32)

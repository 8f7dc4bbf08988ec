"""The passages of one build in a word index of their own: written beside the documents, and searched by words.

Only what ranks is indexed: no positions, and no text, which the library holds anyway.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Occur, Query

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Document
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.folder import link_files
from papercore.retrieval.engines.embedded.word_index import new_index, open_index, open_to_write
from papercore.retrieval.engines.fields import AROUND_BOOST
from papercore.retrieval.engines.fields import PASSAGE_AROUND as AROUND
from papercore.retrieval.engines.fields import PASSAGE_DOCUMENT as DOCUMENT
from papercore.retrieval.engines.fields import PASSAGE_PAYLOAD as PAYLOAD
from papercore.retrieval.engines.fields import PASSAGE_WORDS as WORDS
from papercore.retrieval.engines.interface import PassageQuery, ScoredPassages

HEAP_BYTES, UPDATE_HEAP_BYTES = 200_000_000, 20_000_000
# A passage's number: its segment, and its place there.
PLACE_BITS = 32


class PassageWriter:
    """The passages of one generation while they are written."""

    def __init__(self, index: tantivy.Index, heap_bytes: int) -> None:
        self._schema = index.schema
        self._writer = index.writer(heap_bytes, 1)

    @classmethod
    def new(cls, path: Path) -> "PassageWriter":
        """Of a new build."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(WORDS, tokenizer_name="text", index_option="freq")
        builder.add_text_field(AROUND, tokenizer_name="text", index_option="basic")
        builder.add_integer_field(DOCUMENT, indexed=True, fast=True)
        builder.add_bytes_field(PAYLOAD, stored=True)
        return cls(new_index(path / folder.PASSAGES, builder.build()), HEAP_BYTES)

    @classmethod
    def updating(cls, before: Path, path: Path) -> "PassageWriter":
        """Of a build that is made from the one before."""
        link_files(before / folder.PASSAGES, path / folder.PASSAGES)
        return cls(open_to_write(path / folder.PASSAGES), UPDATE_HEAP_BYTES)

    def remove(self, row: int) -> None:
        """Remove the passages that the document with this row has had."""
        self._writer.delete_documents_by_query(tantivy.Query.term_query(self._schema, DOCUMENT, row))

    def add(self, document: Document, row: int) -> None:
        """Add the passages of a document."""
        title = analysis.with_cjk_pairs(document.title)
        for passage in document.passages:
            entry = tantivy.Document()
            entry.add_text(WORDS, analysis.with_cjk_pairs(passage.text))
            entry.add_text(AROUND, title)
            if passage.headings:
                entry.add_text(AROUND, analysis.with_cjk_pairs(passage.headings))
            entry.add_integer(DOCUMENT, row)
            entry.add_bytes(PAYLOAD, passage.payload)
            self._writer.add_document(entry)

    def finish(self) -> None:
        self._writer.commit()
        self._writer.wait_merging_threads()


class TantivyPassages:
    """Answers as PassageEngine asks, from the files of one generation."""

    def __init__(self, path: Path) -> None:
        index = open_index(path / folder.PASSAGES)
        self._schema = index.schema
        self._searcher = index.searcher()

    def ranked(self, queries: Sequence[PassageQuery]) -> list[ScoredPassages]:
        ranked = []
        for query in queries:
            found = self._searcher.search(self._query(query), query.limit, count=False)
            addresses = [address for _, address in found.hits]
            numbers = [address.segment_ord << PLACE_BITS | address.doc for address in addresses]
            rows = self._searcher.fast_field_values(DOCUMENT, addresses) if addresses else []
            scores = np.array([score for score, _ in found.hits], dtype=np.float32)
            ranked.append(ScoredPassages(np.array(numbers, dtype=np.int64), np.array(rows, dtype=np.int64), scores))
        return ranked

    def payloads(self, numbers: Sequence[int]) -> list[bytes]:
        places = [(number >> PLACE_BITS, number & (1 << PLACE_BITS) - 1) for number in numbers]
        return [self._searcher.doc(tantivy.DocAddress(*place))[PAYLOAD][0] for place in places]

    def _query(self, query: PassageQuery) -> Query:
        terms = Counter(analysis.text_terms(query.words))
        inside, around = self._terms(WORDS, terms), self._terms(AROUND, terms, AROUND_BOOST)
        # Of given documents also what stands below a title or a heading with the words.
        sought = [*inside, *around] if query.documents is not None else inside
        parts = [(Occur.Must, _any(sought))] if terms else []
        parts += [(Occur.Should, term) for term in around if query.documents is None]
        if query.documents is not None:
            rows = [Query.term_query(self._schema, DOCUMENT, row) for row in query.documents]
            parts.append((Occur.Must, Query.const_score_query(_any(rows), 0.0)))
        return Query.boolean_query(parts) if parts else Query.all_query()

    def _terms(self, field: str, terms: Counter[str], boost: float = 1.0) -> list[Query]:
        return [
            Query.boost_query(Query.term_query(self._schema, field, term), boost * times)
            for term, times in terms.items()
        ]


def _any(parts: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, part) for part in parts])

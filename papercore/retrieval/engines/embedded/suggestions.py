"""Suggests facet values while a person types, from a small index of the distinct values."""

from collections.abc import Mapping
from pathlib import Path

import tantivy
from tantivy import FieldType, Occur, Query

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Completion
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.facets import FacetValueTable, GrowingValues
from papercore.retrieval.engines.embedded.folder import link_files
from papercore.retrieval.engines.embedded.word_index import new_index, open_index, open_to_write
from papercore.retrieval.engines.facets import ValueNumbers

KIND, WORDS, NUMBER, COUNT = "kind", "words", "number", "count"
HEAP_BYTES = 50_000_000
# Words that an unfinished one may be completed to.
COMPLETIONS = 50


def write(path: Path, values: Mapping[str, ValueNumbers]) -> None:
    """Index the words of the distinct facet values, with their numbers and counts."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(KIND, tokenizer_name="verbatim", index_option="basic")
    builder.add_text_field(WORDS, tokenizer_name="name", index_option="basic")
    builder.add_unsigned_field(NUMBER, fast=True)
    builder.add_unsigned_field(COUNT, fast=True)
    writer = new_index(path / folder.SUGGESTIONS, builder.build()).writer(HEAP_BYTES, 1)
    for kind, numbered in values.items():
        for number, (name, count) in enumerate(zip(numbered.names, numbered.counts, strict=True)):
            writer.add_document(_entry(kind, number, name, count))
    writer.commit()
    writer.wait_merging_threads()


def update(before: Path, path: Path, values: Mapping[str, GrowingValues]) -> None:
    """The index of the values before, with those whose counts changed written again."""
    link_files(before / folder.SUGGESTIONS, path / folder.SUGGESTIONS)
    index = open_to_write(path / folder.SUGGESTIONS)
    searcher, writer = index.searcher(), index.writer(HEAP_BYTES, 1)
    for kind, growing in values.items():
        for number, change in growing.changes.items():
            if not change:
                continue
            one_number = Query.range_query(index.schema, NUMBER, FieldType.Unsigned, number, number)
            same = [(Occur.Must, Query.term_query(index.schema, KIND, kind)), (Occur.Must, one_number)]
            found = searcher.search(Query.boolean_query(same), 1, count=False, order_by_field=COUNT).hits
            count = change + (int(found[0][0]) if found else 0)
            writer.delete_documents_by_query(Query.boolean_query(same))
            if count > 0:
                writer.add_document(_entry(kind, number, growing.name(number), count))
    writer.commit()
    writer.wait_merging_threads()


def _entry(kind: str, number: int, name: str, count: int) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_text(KIND, kind)
    entry.add_text(WORDS, analysis.with_cjk_pairs(name))
    entry.add_unsigned(NUMBER, number)
    entry.add_unsigned(COUNT, count)
    return entry


class CompletionIndex:
    """The suggestions of one opened index."""

    def __init__(self, path: Path, values: Mapping[str, FacetValueTable]) -> None:
        self._index = open_index(path / folder.SUGGESTIONS)
        self._searcher = self._index.searcher()
        self._values = values

    def find(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """The commonest values with all the words, the last of which may be unfinished."""
        query = prefix_query(self._index.schema, self._searcher, WORDS, prefix)
        if query is None or kind not in self._values:
            return []
        wanted = Query.term_query(self._index.schema, KIND, kind)
        both = Query.boolean_query([(Occur.Must, query), (Occur.Must, wanted)])
        found = self._searcher.search(both, limit, count=False, order_by_field=COUNT)
        numbers = self._searcher.fast_field_values(NUMBER, [address for _, address in found.hits])
        names = [self._values[kind].name(int(number or 0)) for number in numbers]
        return [Completion(kind, name, int(count)) for name, (count, _) in zip(names, found.hits, strict=True)]


def prefix_query(index_schema: tantivy.Schema, searcher: tantivy.Searcher, field: str, text: str) -> Query | None:
    """Matches all words typed so far in a field of names; the last may be unfinished. None without words."""
    *whole, last = analysis.name_terms(text) or [""]
    if not last:
        return None
    endings = searcher.terms_with_prefix(field, last, limit=COMPLETIONS)
    terms = [(Occur.Must, Query.term_query(index_schema, field, term)) for term in whole]
    ended = [term for term, _ in endings]
    return Query.boolean_query([*terms, (Occur.Must, Query.term_set_query(index_schema, field, ended))])

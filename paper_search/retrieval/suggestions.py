"""Completions of facet values while a person types: a small index of the distinct values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tantivy
from tantivy import Occur, Query

from paper_search.retrieval import analysis
from paper_search.retrieval.storage import new_index, open_index

FOLDER = "values"
KIND, WORDS, VALUE, COUNT = "kind", "words", "value", "count"
HEAP_BYTES = 50_000_000
# Words that an unfinished one may stand for.
COMPLETIONS = 50


@dataclass(frozen=True)
class Suggestion:
    """A value that begins as typed, in how many documents it stands, and what it is."""

    kind: str
    value: str
    count: int


def write(folder: Path, values: Counter[tuple[str, str]]) -> None:
    """Index the distinct facet values with their counts."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(KIND, tokenizer_name="verbatim", stored=True, index_option="basic")
    builder.add_text_field(WORDS, tokenizer_name="name", index_option="basic")
    builder.add_bytes_field(VALUE, stored=True)
    builder.add_integer_field(COUNT, stored=True, fast=True)
    writer = new_index(folder / FOLDER, builder.build()).writer(HEAP_BYTES, 1)
    for (kind, value), count in values.items():
        entry = tantivy.Document()
        entry.add_text(KIND, kind)
        entry.add_text(WORDS, analysis.spread(value))
        entry.add_bytes(VALUE, analysis.clean(value).encode())
        entry.add_integer(COUNT, count)
        writer.add_document(entry)
    writer.commit()
    writer.wait_merging_threads()


class Suggestions:
    """The values of one opened index."""

    def __init__(self, folder: Path) -> None:
        self._index = open_index(folder / FOLDER)
        self._searcher = self._index.searcher()

    def find(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Suggestion]:
        """The commonest values that have all the words, the last of them perhaps unfinished."""
        query = typed(self._index.schema, self._searcher, WORDS, prefix)
        if query is None or not kinds:
            return []
        wanted = Query.term_set_query(self._index.schema, KIND, list(kinds))
        both = Query.boolean_query([(Occur.Must, query), (Occur.Must, wanted)])
        found = self._searcher.search(both, limit, count=False, order_by_field=COUNT)
        return [_suggestion(self._searcher.doc(address)) for _, address in found.hits]


def typed(index_schema: tantivy.Schema, searcher: tantivy.Searcher, field: str, text: str) -> Query | None:
    """All the words typed so far, in a field of names; the last may be unfinished. None without a word."""
    *whole, last = analysis.name_terms(text) or [""]
    if not last:
        return None
    endings = searcher.terms_with_prefix(field, last, limit=COMPLETIONS)
    terms = [(Occur.Must, Query.term_query(index_schema, field, term)) for term in whole]
    ended = [term for term, _ in endings]
    return Query.boolean_query([*terms, (Occur.Must, Query.term_set_query(index_schema, field, ended))])


def _suggestion(entry: tantivy.Document) -> Suggestion:
    return Suggestion(entry[KIND][0], entry[VALUE][0].decode(), entry[COUNT][0])

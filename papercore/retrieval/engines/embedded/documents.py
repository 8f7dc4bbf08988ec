"""The word index's fields as tantivy declares them, and how a document fills them."""

from collections.abc import Iterable, Mapping, Sequence, Set

import tantivy

from papercore.retrieval import analysis, schema
from papercore.retrieval.document import Document


def build_schema(facets: Sequence[str]) -> tantivy.Schema:
    """The schema for documents with these facets."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(schema.ALL, tokenizer_name="text")
    builder.add_text_field(schema.TITLE, tokenizer_name="text")
    builder.add_text_field(schema.TITLE_WORDS, tokenizer_name="name", index_option="basic")
    builder.add_text_field(schema.TITLE_KEY, tokenizer_name="sortable", fast=True, index_option="basic")
    builder.add_unsigned_field(schema.TITLE_HASH, indexed=True)
    builder.add_text_field(schema.IDENTIFIER, tokenizer_name="verbatim", index_option="basic")
    builder.add_integer_field(schema.YEAR, indexed=True, fast=True)
    builder.add_integer_field(schema.YEAR_OLDEST, fast=True)
    builder.add_integer_field(schema.ROW, indexed=True, fast=True)
    for name in facets:
        builder.add_unsigned_field(schema.facet_field(name), indexed=True, fast=True)
        builder.add_unsigned_field(schema.frequent_field(name), fast=True)
        builder.add_text_field(schema.words_field(name), tokenizer_name="name")
    builder.add_text_field(schema.STORED_ID, stored=True, tokenizer_name="verbatim", index_option="basic")
    for name in (
        schema.STORED_TITLE,
        schema.STORED_TEXT,
        schema.STORED_BODY,
        schema.STORED_VALUES,
        schema.STORED_PAYLOAD,
    ):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


def fill_document(
    document: Document, row: int, numbers: Mapping[str, Sequence[int]], frequent: Mapping[str, Set[int]]
) -> tantivy.Document:
    """The document for the word index; `numbers` are those of its facet values, and of all that are frequent."""
    entry = tantivy.Document()
    for text in schema.searched_texts(document, numbers):
        entry.add_text(schema.ALL, text)
    title = analysis.with_cjk_pairs(document.title)
    entry.add_text(schema.TITLE, title)
    entry.add_text(schema.TITLE_WORDS, title)
    entry.add_text(schema.TITLE_KEY, analysis.value_key(document.title)[: schema.TITLE_KEY_CHARS])
    entry.add_unsigned(schema.TITLE_HASH, analysis.key_hash(document.title))
    for key in schema.identifier_keys(document):
        entry.add_text(schema.IDENTIFIER, key)
    entry.add_integer(schema.YEAR, document.year or schema.NO_YEAR)
    entry.add_integer(schema.YEAR_OLDEST, document.year or schema.LAST_YEAR + 1)
    entry.add_integer(schema.ROW, row)
    for name, found in numbers.items():
        for number in found:
            entry.add_unsigned(schema.facet_field(name), number)
            if number in frequent[name]:
                entry.add_unsigned(schema.frequent_field(name), number)
        for value in document.facets.get(name, ()):
            entry.add_text(schema.words_field(name), analysis.with_cjk_pairs(value))
    _store(entry, document, numbers)
    return entry


def _store(entry: tantivy.Document, document: Document, facets: Iterable[str]) -> None:
    entry.add_text(schema.STORED_ID, document.id)
    values = schema.FACET_END.join(schema.VALUE_END.join(document.facets.get(name, ())) for name in facets)
    stored = {
        schema.STORED_TITLE: document.title,
        schema.STORED_TEXT: document.text,
        schema.STORED_BODY: document.body,
        schema.STORED_VALUES: values,
    }
    for field, text in stored.items():
        entry.add_bytes(field, analysis.clean(text).encode())
    entry.add_bytes(schema.STORED_PAYLOAD, document.payload)

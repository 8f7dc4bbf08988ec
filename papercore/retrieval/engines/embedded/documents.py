"""The word index's fields as tantivy declares them, and how a document fills them."""

from collections.abc import Iterable, Mapping, Sequence, Set

import tantivy

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.document import Document
from papercore.retrieval.engines import fields


def build_schema(facets: Sequence[str]) -> tantivy.Schema:
    """The schema for documents with these facets."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(fields.ALL, tokenizer_name="text")
    builder.add_text_field(fields.TITLE, tokenizer_name="text")
    builder.add_text_field(fields.TITLE_WORDS, tokenizer_name="name", index_option="basic")
    builder.add_text_field(fields.TITLE_KEY, tokenizer_name="sortable", fast=True, index_option="basic")
    builder.add_unsigned_field(fields.TITLE_HASH, indexed=True)
    builder.add_text_field(fields.IDENTIFIER, tokenizer_name="verbatim", index_option="basic")
    builder.add_integer_field(fields.YEAR, indexed=True, fast=True)
    builder.add_integer_field(fields.YEAR_OLDEST, fast=True)
    builder.add_integer_field(fields.ROW, indexed=True, fast=True)
    for name in facets:
        builder.add_unsigned_field(fields.facet_field(name), indexed=True, fast=True)
        builder.add_unsigned_field(fields.frequent_field(name), fast=True)
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
    return builder.build()


def fill_document(
    document: Document, row: int, numbers: Mapping[str, Sequence[int]], frequent: Mapping[str, Set[int]]
) -> tantivy.Document:
    """The document for the word index; `numbers` are those of its facet values, and of all that are frequent."""
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
    entry.add_integer(fields.YEAR, document.year or fields.NO_YEAR)
    entry.add_integer(fields.YEAR_OLDEST, document.year or fields.LAST_YEAR + 1)
    entry.add_integer(fields.ROW, row)
    for name, found in numbers.items():
        for number in found:
            entry.add_unsigned(fields.facet_field(name), number)
            if number in frequent[name]:
                entry.add_unsigned(fields.frequent_field(name), number)
        for value in document.facets.get(name, ()):
            entry.add_text(fields.words_field(name), analysis.with_cjk_pairs(value))
    _store(entry, document, numbers)
    return entry


def _store(entry: tantivy.Document, document: Document, facets: Iterable[str]) -> None:
    entry.add_text(fields.STORED_ID, document.id)
    values = fields.FACET_END.join(fields.VALUE_END.join(document.facets.get(name, ())) for name in facets)
    stored = {
        fields.STORED_TITLE: document.title,
        fields.STORED_TEXT: document.text,
        fields.STORED_BODY: document.body,
        fields.STORED_VALUES: values,
    }
    for field, text in stored.items():
        entry.add_bytes(field, analysis.clean(text).encode())
    entry.add_bytes(fields.STORED_PAYLOAD, document.payload)

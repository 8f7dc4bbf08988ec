"""The word index's fields, and how a document fills them."""

from collections.abc import Mapping, Sequence

import tantivy

from papercore import identifiers
from papercore.retrieval import analysis
from papercore.retrieval.document import Document

# All searchable text in one field: one posting list for each word.
ALL = "all"
TITLE = "title"
# The title's words as spelled, for completing a word that is being typed.
TITLE_WORDS = "title_words"
# The title as one folded string, for sorting, and its hash, for finding an exact title.
TITLE_KEY, TITLE_HASH = "title_key", "title_hash"
IDENTIFIER = "identifier"
YEAR = "year"
# The same for sorting the oldest first, where an unknown year still comes last.
YEAR_OLDEST = "year_oldest"
# The document's row among the vectors.
ROW = "row"
STORED_ID, STORED_TITLE, STORED_TEXT, STORED_BODY = "id", "title_text", "text", "body"
STORED_VALUES, STORED_PAYLOAD = "values", "payload"
# Separators of stored values and of stored facets.
VALUE_END, FACET_END = "\x1f", "\x1e"
# An unknown year; no range includes it.
NO_YEAR = 0
LAST_YEAR = 9999
# Longer titles are broken data; this much of one still sorts well.
TITLE_KEY_CHARS = 300


def facet_field(name: str) -> str:
    """The field of the numbers of a facet's values, for filters and counts."""
    return f"facet_{name}"


def words_field(name: str) -> str:
    """The field of the words of a facet's values, for `author:smith`."""
    return f"words_{name}"


def build(facets: Sequence[str]) -> tantivy.Schema:
    """The schema for documents with these facets."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(ALL, tokenizer_name="text")
    builder.add_text_field(TITLE, tokenizer_name="text")
    builder.add_text_field(TITLE_WORDS, tokenizer_name="name", index_option="basic")
    builder.add_text_field(TITLE_KEY, tokenizer_name="sortable", fast=True, index_option="basic")
    builder.add_unsigned_field(TITLE_HASH, indexed=True)
    builder.add_text_field(IDENTIFIER, tokenizer_name="verbatim", index_option="basic")
    builder.add_integer_field(YEAR, indexed=True, fast=True)
    builder.add_integer_field(YEAR_OLDEST, fast=True)
    builder.add_integer_field(ROW, indexed=True, fast=True)
    for name in facets:
        builder.add_unsigned_field(facet_field(name), indexed=True, fast=True)
        builder.add_text_field(words_field(name), tokenizer_name="name")
    builder.add_text_field(STORED_ID, stored=True, tokenizer_name="verbatim", index_option="basic")
    for name in (STORED_TITLE, STORED_TEXT, STORED_BODY, STORED_VALUES, STORED_PAYLOAD):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


def fill(document: Document, row: int, numbers: Mapping[str, Sequence[int]]) -> tantivy.Document:
    """The document for the word index; `numbers` are those of its facet values."""
    entry = tantivy.Document()
    _add_text(entry, document)
    _add_facets(entry, document, numbers)
    for identifier in document.identifiers:
        key = identifiers.canonical(identifier) or identifier.lower()
        entry.add_text(IDENTIFIER, key)
        entry.add_text(ALL, key)
    entry.add_integer(YEAR, document.year or NO_YEAR)
    entry.add_integer(YEAR_OLDEST, document.year or LAST_YEAR + 1)
    if document.year:
        entry.add_text(ALL, str(document.year))
    entry.add_integer(ROW, row)
    entry.add_text(STORED_ID, document.id)
    entry.add_bytes(STORED_PAYLOAD, document.payload)
    return entry


def _add_text(entry: tantivy.Document, document: Document) -> None:
    title = analysis.with_cjk_pairs(document.title)
    for field in (ALL, TITLE, TITLE_WORDS):
        entry.add_text(field, title)
    entry.add_text(TITLE_KEY, analysis.value_key(document.title)[:TITLE_KEY_CHARS])
    entry.add_unsigned(TITLE_HASH, analysis.key_hash(document.title))
    for text in (document.text, document.body):
        if text:
            entry.add_text(ALL, analysis.with_cjk_pairs(text))
    stored = {STORED_TITLE: document.title, STORED_TEXT: document.text, STORED_BODY: document.body}
    for field, text in stored.items():
        entry.add_bytes(field, analysis.clean(text).encode())


def _add_facets(entry: tantivy.Document, document: Document, numbers: Mapping[str, Sequence[int]]) -> None:
    for name in numbers:
        for number in numbers[name]:
            entry.add_unsigned(facet_field(name), number)
        for value in document.facets.get(name, ()):
            words = analysis.with_cjk_pairs(value)
            entry.add_text(words_field(name), words)
            entry.add_text(ALL, words)
    stored = FACET_END.join(VALUE_END.join(document.facets.get(name, ())) for name in numbers)
    entry.add_bytes(STORED_VALUES, analysis.clean(stored).encode())

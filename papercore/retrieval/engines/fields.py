"""The names of the index's fields, and the text that is searched, the same for every engine."""

from collections.abc import Iterable

from papercore.bibliography import identifiers
from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.document import Document

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
# The index of passages: the words of a passage, and those of the title and the headings above it ...
PASSAGE_WORDS, PASSAGE_AROUND = "words", "around"
# ... of which one counts this much of one in it;
AROUND_BOOST = 0.4
# the row of its document, by which a document's passages are found and removed; and its payload.
PASSAGE_DOCUMENT, PASSAGE_PAYLOAD = "document", "payload"
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


def searched_texts(document: Document, facets: Iterable[str]) -> list[str]:
    """The texts of the field with all text, with CJK pairs."""
    values = [value for name in facets for value in document.facets.get(name, ())]
    texts = [document.title, document.text, document.body, *values]
    year = [str(document.year)] if document.year else []
    return [*(analysis.with_cjk_pairs(text) for text in texts if text), *identifier_keys(document), *year]


def identifier_keys(document: Document) -> list[str]:
    return [identifiers.canonical(identifier) or identifier.lower() for identifier in document.identifiers]

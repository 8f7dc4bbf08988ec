"""The names of the index's fields, the same for every engine."""

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

"""The fields of an index, the text that is searched, and facet values as numbers: the same for every engine."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

from papercore.bibliography import identifiers
from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Count, Document

# All searchable text in one field: one posting list for each word.
ALL = "all"
TITLE = "title"
# The title's words as spelled, for completing a word that is being typed.
TITLE_WORDS = "title_words"
# The title as one folded string, for sorting, and its hash, for finding an exact title.
TITLE_KEY, TITLE_HASH = "title_key", "title_hash"
IDENTIFIER = "identifier"
# The names of what the document introduces.
COINED = "coined"
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


class ValueNumbers:
    """The values of one facet while an index is built, numbered as they appear."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.names: list[str] = []
        # Number of documents with each value.
        self.counts: list[int] = []

    def add(self, values: Iterable[str]) -> list[int]:
        """Count one document's values; their numbers, each once."""
        found: dict[int, None] = {}
        for value in values:
            key = analysis.same_value_key(value)
            number = self._numbers.setdefault(key, len(self.names))
            if number == len(self.names):
                self.names.append(analysis.clean(value))
                self.counts.append(0)
            elif self.names[number] == key:
                # Tables keep names in lower case; any other spelling is the author's own.
                self.names[number] = analysis.clean(value)
            found[number] = None
        for number in found:
            self.counts[number] += 1
        return list(found)


class Bucket(TypedDict):
    """A value's number and how many hits have it, as engines report them."""

    key: float
    doc_count: int


def commonest(buckets: Sequence[Bucket], limit: int, name_of: Callable[[int], str]) -> tuple[Count, ...]:
    """The values with most hits; ties by name. `buckets` come in descending order."""
    least = buckets[limit - 1]["doc_count"] if len(buckets) > limit else 0
    tied = [bucket for bucket in buckets if bucket["doc_count"] >= least]
    counts = [Count(name_of(int(bucket["key"])), bucket["doc_count"]) for bucket in tied]
    return tuple(sorted(counts, key=lambda count: (-count.count, count.value.lower()))[:limit])

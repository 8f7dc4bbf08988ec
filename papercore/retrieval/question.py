"""A request, read: what it asks by words, what every hit must match, and how it is to be answered."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import log

from tantivy import Occur, Query

from papercore.retrieval import analysis, query, schema
from papercore.retrieval.errors import DocumentNotFound
from papercore.retrieval.generation import Generation, restricted
from papercore.retrieval.query import Node, Words
from papercore.retrieval.results import Mode, Request
from papercore.retrieval.wordvectors import Vector

# Above every score by words.
EXACT_TITLE = 10_000.0
# Words by which a document looks for its like; more cost time and add noise.
TELLING_WORDS = 25


@dataclass(frozen=True)
class Question:
    """What to look for. `words` ranks within the filters, `unfiltered` without them; `hits` only tells what is one."""

    node: Node | None
    unfiltered: Query
    # Made only when it is needed: to rank by words alone and count nothing takes none of it.
    matching: Callable[[], Query]
    filters: list[Query]
    mode: Mode
    # The sense of the question; None when it is to be answered by words.
    text: str
    vector: Vector | None

    @property
    def words(self) -> Query:
        return restricted(self.unfiltered, self.filters)

    @property
    def hits(self) -> Query:
        return restricted(self.matching(), self.filters)


def read(generation: Generation, request: Request) -> Question:
    """Understand a request. What is known (a title, a phrase, a field's value) is looked up by words."""
    known_title = _has_title(generation, request.query)
    node = _tree(generation, request, known_title)
    looked_up = known_title or not query.is_plain(node)
    text = query.meaning(node)
    by_words = request.mode == "words" or (request.mode == "hybrid" and looked_up)
    vector = None if by_words or generation.meaning is None else generation.meaning.vector(text)
    title = request.query if known_title else None
    ranking = _title_first(generation, title, generation.queries.of(node))
    mode = "words" if vector is None else request.mode

    def matching() -> Query:
        return _title_first(generation, title, generation.matching.of(node))

    return Question(node, ranking, matching, generation.filters(request.filters), mode, text, vector)


def _has_title(generation: Generation, text: str) -> bool:
    return bool(text.strip()) and generation.queries.has_title(text)


def _tree(generation: Generation, request: Request, known_title: bool) -> Node | None:
    if known_title:
        return query.plain(request.query)
    fields = (schema.TITLE, *generation.manifest.facets)
    return query.parse(request.query, fields)


def _title_first(generation: Generation, title: str | None, others: Query) -> Query:
    if title is None:
        return others
    exact = Query.const_score_query(generation.queries.title(title), EXACT_TITLE)
    return Query.boolean_query([(Occur.Should, exact), (Occur.Should, others)])


def similar_to(generation: Generation, document_id: str) -> Question:
    """The question that a document asks: its most telling words, and its meaning."""
    found = generation.ranked(generation.queries.identity(document_id), 1)
    if not found.addresses:
        raise DocumentNotFound("No such document in the index.", document_id=document_id)
    stored = generation.searcher.doc(found.addresses[0])
    title, text = (stored[name][0].decode() for name in (schema.STORED_TITLE, schema.STORED_TEXT))
    node = Words(_telling(generation, f"{title} {title} {text}"))
    vector = None
    if generation.meaning is not None:
        vector = generation.meaning.vectors_of(generation.rows(found.addresses))[0]
    ranking, matching = generation.queries.of(node), partial(generation.matching.of, node)
    return Question(node, ranking, matching, [], "hybrid", f"{title}. {text}", vector)


def _telling(generation: Generation, text: str) -> tuple[str, ...]:
    """The words that are frequent here and rare elsewhere, but not only here."""
    counts = Counter(word for word in analysis.words(text) if not analysis.is_stop_word(word))
    worth = {}
    for word, count in counts.items():
        frequency = generation.searcher.doc_freq(schema.ALL, analysis.term(word))
        if frequency > 1:
            worth[word] = count * log(1 + generation.manifest.documents / frequency)
    return tuple(sorted(worth, key=lambda word: -worth[word])[:TELLING_WORDS])

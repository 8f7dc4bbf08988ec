"""A request as it will be carried out: the query by words, the filters, and the vector of its meaning."""

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
from papercore.retrieval.word_vectors import Vector

# Above every score by words.
EXACT_TITLE = 10_000.0
# Words by which similar documents are found; more cost time and add noise.
DISTINCTIVE_WORDS = 25


@dataclass(frozen=True)
class SearchPlan:
    """What to look for. `words` ranks within the filters, `unfiltered` without them; `hits` matches without ranking."""

    node: Node | None
    unfiltered: Query
    # Built only when needed: a page ranked by words alone needs no count.
    matching: Callable[[], Query]
    filters: list[Query]
    mode: Mode
    # The words whose meaning is asked for.
    text: str
    # None where words alone answer.
    vector: Vector | None

    @property
    def words(self) -> Query:
        return restricted(self.unfiltered, self.filters)

    @property
    def hits(self) -> Query:
        return restricted(self.matching(), self.filters)


def plan_search(generation: Generation, request: Request) -> SearchPlan:
    """Plan a request. A known title, a phrase or a field's value is looked up by words."""
    known_title = bool(request.query.strip()) and generation.queries.has_title(request.query)
    if known_title:
        node: Node | None = query.plain(request.query)
    else:
        node = query.parse(request.query, (schema.TITLE, *generation.manifest.facets))
    looked_up = known_title or not query.is_plain(node)
    text = query.meaning(node)
    by_words = request.mode == "words" or (request.mode == "hybrid" and looked_up)
    vector = None if by_words or generation.meaning is None else generation.meaning.vector(text)
    title = request.query if known_title else None
    ranking = _title_first(generation, title, generation.queries.of(node))
    mode = "words" if vector is None else request.mode

    def matching() -> Query:
        return _title_first(generation, title, generation.matching.of(node))

    return SearchPlan(node, ranking, matching, generation.filters(request.filters), mode, text, vector)


def _title_first(generation: Generation, title: str | None, others: Query) -> Query:
    if title is None:
        return others
    exact = Query.const_score_query(generation.queries.title(title), EXACT_TITLE)
    return Query.boolean_query([(Occur.Should, exact), (Occur.Should, others)])


def plan_similar(generation: Generation, document_id: str) -> SearchPlan:
    """Plan the search for documents like this one: by its most distinctive words, and its vector."""
    found = generation.ranked(generation.queries.document_id(document_id), 1)
    if not found.addresses:
        raise DocumentNotFound("No such document in the index.", document_id=document_id)
    stored = generation.searcher.doc(found.addresses[0])
    title, text = (stored[name][0].decode() for name in (schema.STORED_TITLE, schema.STORED_TEXT))
    node = Words(_distinctive_words(generation, f"{title} {title} {text}"))
    vector = None
    if generation.meaning is not None:
        vector = generation.meaning.vectors_of(generation.rows(found.addresses))[0]
    ranking, matching = generation.queries.of(node), partial(generation.matching.of, node)
    return SearchPlan(node, ranking, matching, [], "hybrid", f"{title}. {text}", vector)


def _distinctive_words(generation: Generation, text: str) -> tuple[str, ...]:
    """The words that are frequent here and rare in other documents, but do occur there."""
    counts = Counter(analysis.without_stop_words(analysis.words(text)))
    weights = {}
    for word, count in counts.items():
        frequency = generation.searcher.doc_freq(schema.ALL, analysis.term(word))
        if frequency > 1:
            weights[word] = count * log(1 + generation.manifest.documents / frequency)
    return tuple(sorted(weights, key=lambda word: -weights[word])[:DISTINCTIVE_WORDS])

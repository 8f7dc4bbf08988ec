"""A request as it will be carried out: the query by words, and the vector of its meaning."""

from collections import Counter
from math import log

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis, query
from papercore.retrieval.basics.errors import DocumentNotFound
from papercore.retrieval.basics.query import Node, Words
from papercore.retrieval.basics.request import Mode, Request
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordQuery
from papercore.retrieval.ranking.known_items import NOTHING_NAMED, NamedPapers, named_papers
from papercore.retrieval.vectors.arrays import Vector
from papercore.text import FOREIGN_FUNCTION_WORDS, is_english

# Candidates taken by words, which are then compared by their meaning.
BY_WORDS = 200
# Words by which similar documents are found; more cost time and add noise.
DISTINCTIVE_WORDS = 25


class RankingPlan(Struct, frozen=True):
    """What to look for, and how."""

    query: WordQuery
    mode: Mode
    # The words whose meaning is asked for.
    text: str
    # None where words alone answer.
    vector: Vector | None
    # The part of the best documents that is shown.
    shown: slice
    # Whether the best documents must show that the question is answered at all.
    judged: bool = True
    # The papers that the words name, before all others.
    named: NamedPapers = NOTHING_NAMED


def plan_search(generation: Generation, request: Request) -> RankingPlan:
    """Plan a request. A known title, a phrase or a field's value is looked up by words."""
    known_title = bool(request.query.strip()) and generation.words.has_title(request.query)
    node: Node | None
    if known_title:
        node = query.plain(request.query)
    else:
        node = query.parse(request.query, (fields.TITLE, *generation.manifest.facets))
    text, meaning, vector = query.meaning(node), generation.meaning, None
    if query.is_plain(node) and not is_english(text):
        # Every text in that language has its function words, whatever it is about.
        node = query.without(node, FOREIGN_FUNCTION_WORDS)
    looked_up = known_title or not query.is_plain(node)
    if meaning and request.mode != "words" and not (request.mode == "hybrid" and looked_up):
        vector = meaning.vector(text)
        if vector is None and generation.sentences and text.strip():
            # The sentence model may know what the word vectors do not.
            vector = np.zeros(meaning.word_vectors.projection.shape[1], dtype=np.float32)
    named = NOTHING_NAMED
    if vector is not None and request.mode == "hybrid" and not request.as_typed:
        named = named_papers(generation, node, request.query)
    return RankingPlan(
        query=WordQuery(node, request.filters, request.query if known_title else None),
        mode="words" if vector is None else request.mode,
        text=text,
        vector=vector,
        shown=slice(request.offset, request.offset + request.limit) if request.sort == "relevance" else slice(0, 0),
        judged=request.mode != "words",
        named=named,
    )


def plan_similar(generation: Generation, document_id: str, limit: int) -> RankingPlan:
    """Plan the search for documents like this one: by its most distinctive words, and its vector."""
    row = generation.words.rows_of([document_id]).get(document_id)
    if row is None:
        raise DocumentNotFound("No such document in the index.", document_id=document_id)
    [stored] = generation.words.stored([row])
    # Distinctive words are frequent here and rare in other documents, but do occur there.
    counts = Counter(analysis.without_stop_words(analysis.words(f"{stored.title} {stored.title} {stored.text}")))
    frequencies = generation.words.frequencies([analysis.term(word) for word in counts])
    weights = {
        word: count * log(1 + generation.manifest.documents / frequency)
        for (word, count), frequency in zip(counts.items(), frequencies, strict=True)
        if frequency > 1
    }
    distinctive = sorted(weights, key=lambda word: -weights[word])[:DISTINCTIVE_WORDS]
    return RankingPlan(
        query=WordQuery(Words(tuple(distinctive))),
        mode="hybrid",
        text=f"{stored.title}. {stored.text}",
        vector=generation.meaning.vectors.of(np.array([row]))[0] if generation.meaning else None,
        shown=slice(0, limit),
        judged=False,
    )

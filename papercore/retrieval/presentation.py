"""The rows that are shown: their stored text, a snippet, and where the words were found."""

from collections.abc import Sequence

import tantivy

from papercore.retrieval import schema, snippets
from papercore.retrieval.generation import Generation
from papercore.retrieval.listing import Place
from papercore.retrieval.results import Hit
from papercore.retrieval.snippets import QueryTerms
from papercore.retrieval.wordvectors import Vector

# Sentences weighed for a hit by meaning; its best is rarely later.
SENTENCES = 40


def shown(generation: Generation, places: Sequence[Place], sought: QueryTerms, vector: Vector | None) -> list[Hit]:
    """The hits of one page."""
    return [_hit(generation, place, sought, vector) for place in places]


def _named(generation: Generation, stored: tantivy.Document, sought: QueryTerms) -> list[str]:
    """The facets in whose values a sought word stands."""
    values = _text(stored, schema.STORED_VALUES)
    if not sought.names_in(values):
        return []
    named = zip(generation.manifest.facets, values.split(schema.FACET_END), strict=False)
    return [name for name, text in named if text and sought.names_in(text)]


def _hit(generation: Generation, place: Place, sought: QueryTerms, vector: Vector | None) -> Hit:
    stored = generation.searcher.doc(place.address)
    title, text, body = (_text(stored, name) for name in (schema.STORED_TITLE, schema.STORED_TEXT, schema.STORED_BODY))
    in_title = next(sought.marks(title), None) is not None
    snippet, where = _snippet(generation, title, text, body, sought, vector if place.by_meaning else None)
    matched = [*(["title"] if in_title else []), *_named(generation, stored, sought), *where]
    if place.by_meaning:
        matched.append("meaning")
    return Hit(
        id=stored[schema.STORED_ID][0],
        title=title,
        score=place.score,
        snippet=snippet,
        matched=tuple(matched),
        payload=stored[schema.STORED_PAYLOAD][0],
    )


def _text(stored: tantivy.Document, name: str) -> str:
    value: bytes = stored[name][0]
    return value.decode()


def _snippet(
    generation: Generation, title: str, text: str, body: str, sought: QueryTerms, vector: Vector | None
) -> tuple[str, list[str]]:
    """The best piece to show, and in which text the words were found."""
    if found := snippets.in_context(text, sought):
        return found, ["text"]
    if vector is not None and (sentence := _best_sentence(generation, text, vector)):
        return sentence, []
    if found := snippets.in_context(body, sought):
        return found, ["body"]
    return snippets.opening(text or body) or snippets.in_context(title, sought) or title, []


def _best_sentence(generation: Generation, text: str, vector: Vector) -> str:
    """For a hit by meaning: the sentence that comes nearest to the question."""
    if generation.meaning is None:
        return ""
    return snippets.opening(generation.meaning.nearest_text(vector, snippets.sentences(text)[:SENTENCES]))

"""The hits of a page: their stored text, a snippet, and where the words were found."""

from collections.abc import Sequence

import tantivy

from papercore.retrieval import schema, snippets
from papercore.retrieval.generation import Generation
from papercore.retrieval.ranking import RankedDocument
from papercore.retrieval.results import Hit
from papercore.retrieval.snippets import QueryTerms
from papercore.retrieval.word_vectors import Vector

# Sentences compared for a hit by meaning; the best is rarely further on.
SENTENCES = 40


def hits_of(
    generation: Generation, documents: Sequence[RankedDocument], sought: QueryTerms, vector: Vector | None
) -> list[Hit]:
    return [_hit(generation, document, sought, vector) for document in documents]


def _hit(generation: Generation, document: RankedDocument, sought: QueryTerms, vector: Vector | None) -> Hit:
    stored = generation.searcher.doc(document.address)
    title, text, body = (_text(stored, name) for name in (schema.STORED_TITLE, schema.STORED_TEXT, schema.STORED_BODY))
    in_title = next(sought.marks(title), None) is not None
    snippet, where = _snippet(generation, title, text, body, sought, vector if document.by_meaning else None)
    matched = [*(["title"] if in_title else []), *_matched_facets(generation, stored, sought), *where]
    if document.by_meaning:
        matched.append("meaning")
    return Hit(
        id=stored[schema.STORED_ID][0],
        title=title,
        score=document.score,
        snippet=snippet,
        matched=tuple(matched),
        payload=stored[schema.STORED_PAYLOAD][0],
    )


def _matched_facets(generation: Generation, stored: tantivy.Document, sought: QueryTerms) -> list[str]:
    """The facets whose values have one of the words."""
    values = _text(stored, schema.STORED_VALUES)
    if not sought.names_in(values):
        return []
    named = zip(generation.manifest.facets, values.split(schema.FACET_END), strict=False)
    return [name for name, text in named if text and sought.names_in(text)]


def _text(stored: tantivy.Document, name: str) -> str:
    value: bytes = stored[name][0]
    return value.decode()


def _snippet(
    generation: Generation, title: str, text: str, body: str, sought: QueryTerms, vector: Vector | None
) -> tuple[str, list[str]]:
    """The best passage to show, and in which text the words were found."""
    if found := snippets.in_context(text, sought):
        return found, ["text"]
    if vector is not None and generation.meaning is not None:
        sentences = snippets.sentences(text)[:SENTENCES]
        if nearest := snippets.opening(generation.meaning.nearest_text(vector, sentences)):
            return nearest, []
    if found := snippets.in_context(body, sought):
        return found, ["body"]
    return snippets.opening(text or body) or snippets.in_context(title, sought) or title, []

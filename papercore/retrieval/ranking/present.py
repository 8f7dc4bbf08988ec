"""The hits of a page: their stored text, a snippet, and where the words were found."""

from collections.abc import Sequence

from papercore.retrieval.basics.request import Hit
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import StoredDocument
from papercore.retrieval.ranking import snippets
from papercore.retrieval.ranking.rank import RankedDocument
from papercore.retrieval.ranking.snippets import QueryTerms
from papercore.retrieval.vectors.arrays import Vector
from papercore.text import sentences

# Sentences compared for a hit by meaning; the best is rarely further on.
SENTENCES = 40


def hits_of(
    generation: Generation, documents: Sequence[RankedDocument], sought: QueryTerms, vector: Vector | None
) -> list[Hit]:
    """The documents as they are shown, with the words marked and where they were found."""
    hits = []
    stored_documents = generation.words.stored([document.row for document in documents])
    for document, stored in zip(documents, stored_documents, strict=True):
        marked_title = snippets.with_marks(stored.title, sought)
        snippet, where = _snippet(generation, stored, sought, vector if document.by_meaning else None)
        matched = ["title"] if snippets.OPEN in marked_title else []
        if sought.names_in(fields.FACET_END.join(stored.values)):
            named = zip(generation.manifest.facets, stored.values, strict=False)
            matched += [name for name, text in named if text and sought.names_in(text)]
        matched += [*where, *(["meaning"] if document.by_meaning else [])]
        hits.append(
            Hit(
                id=stored.id,
                title=stored.title,
                marked_title=marked_title,
                score=document.score,
                snippet=snippet,
                matched=tuple(matched),
                payload=stored.payload,
            )
        )
    return hits


def _snippet(
    generation: Generation, stored: StoredDocument, sought: QueryTerms, vector: Vector | None
) -> tuple[str, list[str]]:
    """The best passage to show, and in which text the words were found."""
    if found := snippets.in_context(stored.text, sought):
        return found, ["text"]
    if vector is not None and generation.meaning is not None:
        readable = sentences(stored.text)[:SENTENCES]
        if nearest := snippets.opening(generation.meaning.nearest_text(vector, readable)):
            return nearest, []
    if found := snippets.in_context(stored.body, sought):
        return found, ["body"]
    opening = snippets.opening(stored.text or stored.body)
    return opening or snippets.in_context(stored.title, sought) or stored.title, []

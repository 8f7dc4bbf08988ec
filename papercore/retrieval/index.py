"""The index as callers see it: search, similar, suggest; and where the indexes of builds are found."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from papercore.retrieval.basics import query
from papercore.retrieval.basics.request import (
    INDEX_HITS,
    Completion,
    Filters,
    Hit,
    PassageCandidate,
    PassageRequest,
    Request,
    Results,
    check_bounds,
)
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.embedded.words import engine_panics_translated
from papercore.retrieval.engines.generation import Generation, Manifest
from papercore.retrieval.engines.interface import StoredDocument
from papercore.retrieval.ranking import snippets
from papercore.retrieval.ranking.conditions import with_conditions
from papercore.retrieval.ranking.head import RankedDocument
from papercore.retrieval.ranking.known_items import NOTHING_NAMED, NamedPapers
from papercore.retrieval.ranking.passages import find_candidates
from papercore.retrieval.ranking.plan import plan_search, plan_similar
from papercore.retrieval.ranking.rank import NEAREST, Ranking
from papercore.retrieval.ranking.sentence_scores import PassageReader, SentenceScores, can_read
from papercore.retrieval.ranking.slips import corrected_query
from papercore.retrieval.ranking.snippets import QueryTerms
from papercore.retrieval.vectors.arrays import Vector
from papercore.retrieval.vectors.sentence_model import SentenceModel
from papercore.text import sentences

# Sentences compared for a hit by meaning; the best is rarely further on.
SENTENCES = 40


class Index(Struct, frozen=True):
    """One build of an index. It never changes, so all its answers belong together."""

    generation: Generation
    # Another one each time that an index is opened, for caches of what it answers.
    serial: int = field(default_factory=count(1).__next__)

    @property
    def manifest(self) -> Manifest:
        return self.generation.manifest

    @property
    def has_meaning(self) -> bool:
        """False: built with other word vectors than those in use, so it answers by words until it is built again."""
        return self.generation.meaning is not None or not self.manifest.documents

    @engine_panics_translated()
    def search(self, request: Request) -> Results:
        """One page of what the request asks for. No query text is an error."""
        corrected = "" if request.as_typed else corrected_query(self.generation, request.query)
        asked, only = with_conditions(self.generation, replace(request, query=corrected or request.query))
        ranking = Ranking(self.generation, plan_search(self.generation, asked))
        if corrected and not ranking.is_plausible:
            # It is about something else, and spelled as it was meant.
            corrected, (asked, only) = "", with_conditions(self.generation, request)
            ranking = Ranking(self.generation, plan_search(self.generation, asked))
        plan = ranking.plan
        if asked.sort == "relevance":
            documents = ranking.page(request.offset, request.limit)
        else:
            documents = ranking.sorted_page(asked.sort, request.offset, request.limit)
        total, beyond = ranking.totals()
        verdict, nearest = ranking.verdict, ranking.nearest
        if request.query.strip() and not total + beyond:
            verdict = "nothing"
            if only:
                nearest = self._nearest_of_other_years(asked, request.filters)
            elif query.is_plain(plan.query.node) and not can_read(self.generation, plan.text):
                verdict, nearest = "unsure", []
        shown = [*documents, *nearest]
        hits = hits_of(self.generation, shown, QueryTerms.of(plan.query.node), plan.vector, plan.named)
        counts = {}
        if request.facets:
            counts = self.generation.words.facet_counts(ranking.all_hits(), asked)
        found = len(documents)
        return Results(
            tuple(hits[:found]),
            total,
            plan.mode,
            counts,
            tuple(hits[found:]),
            verdict,
            beyond,
            corrected_query=corrected,
            understood=replace(plan.named.understood, only=only),
        )

    def _nearest_of_other_years(self, asked: Request, given: Filters) -> list[RankedDocument]:
        """What would be found without the years that the query's words name."""
        filters = replace(asked.filters, year_from=given.year_from, year_to=given.year_to)
        ranking = Ranking(self.generation, plan_search(self.generation, replace(asked, filters=filters, limit=NEAREST)))
        if asked.sort == "relevance":
            return ranking.nearest or ranking.page(0, NEAREST)
        return ranking.sorted_page(asked.sort, 0, NEAREST)

    @engine_panics_translated()
    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """The documents most similar to this one, by its distinctive words and its meaning."""
        check_bounds("limit", limit, INDEX_HITS)
        plan = plan_similar(self.generation, document_id, limit + 1)
        documents = Ranking(self.generation, plan).page(0, limit + 1)
        hits = hits_of(self.generation, documents, QueryTerms.of(plan.query.node), plan.vector)
        return tuple(hit for hit in hits if hit.id != document_id)[:limit]

    @engine_panics_translated()
    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]:
        """Titles and facet values that match what was typed so far, at most `limit` of each kind."""
        check_bounds("limit", limit, INDEX_HITS)
        return [found for kind in kinds for found in self.generation.words.complete(prefix, kind, limit)]

    @engine_panics_translated()
    def passages(self, request: PassageRequest) -> list[PassageCandidate]:
        """The passages that fit a query best, for a ranking that reads them."""
        return find_candidates(self.generation, request)

    def reader(self, question: str) -> PassageReader | None:
        """A sentence model that compares passages with the question; None without one that is meant for it."""
        scores = SentenceScores.of(self.generation, question)
        return PassageReader(scores.model, scores.vector) if scores else None

    def written(self, facet: str, value: str) -> str | None:
        """A facet's value as people write it, given in any case; None if there is no such value."""
        return self.generation.words.written(facet, value)

    @engine_panics_translated()
    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        """The payloads of those of the documents that are in the index, by id."""
        return self.generation.words.payloads(document_ids)


def hits_of(
    generation: Generation,
    documents: Sequence[RankedDocument],
    sought: QueryTerms,
    vector: Vector | None,
    named: NamedPapers = NOTHING_NAMED,
) -> list[Hit]:
    """The documents as they are shown, with the words marked and where they were found."""
    hits = []
    stored_documents = generation.words.stored([document.row for document in documents])
    for document, stored in zip(documents, stored_documents, strict=True):
        marked_title = snippets.with_marks(stored.title, sought)
        snippet, where = _snippet(generation, stored, sought, vector if document.by_meaning else None)
        matched = named.introduced_by(document.row)
        matched += ["title"] if snippets.OPEN in marked_title else []
        if sought.names_in(fields.FACET_END.join(stored.values)):
            facets = zip(generation.manifest.facets, stored.values, strict=False)
            matched += [name for name, text in facets if text and sought.names_in(text)]
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


class SearchIndexes(Protocol):
    """Opens the index that fits the data. Threads may share it."""

    @property
    def model(self) -> SentenceModel | None:
        """The sentence model that questions are put with."""

    def open(self, build_id: str) -> Index | None:
        """The index built from this data, if there is one that can be used."""

    def problem(self, build_id: str) -> str:
        """Why the index of this data cannot be used; empty if nothing is known to be wrong."""

    def failing(self, build_id: str) -> bool:
        """Whether the index of this data is known to be unusable now. Looks at nothing and asks nobody."""

    def verify(self, build_id: str) -> None:
        """Find out now whether the index of this data is sound."""

    def verified(self, build_id: str) -> bool:
        """False while it is still being found out whether this index is sound."""

    def failures_of(self, index: Index) -> AbstractContextManager[None]:
        """Turn whatever goes wrong inside into EngineFailed, and look into it."""

"""Search behind one interface: the index beside the snapshot, or, without one, the snapshot's own tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import orjson

from papercore import retrieval
from papercore.retrieval import DocumentNotFound, Hit, Request, Results
from papers.errors import PaperNotFound
from papers.schemas import FacetValue, SearchHit, SearchPage, SuggestedKind, Suggestion
from papers.search import index
from papers.search.fallback.tables import Tables
from papers.search.paging import next_offset
from papers.texts import stored


class Searcher(Protocol):
    """What an index and the tables both answer."""

    def search(self, request: Request) -> Results: ...

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]: ...

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[retrieval.Suggestion]: ...


def searcher() -> Searcher:
    """What searches the snapshot that this thread reads."""
    return index.current() or Tables()


def search(request: Request) -> SearchPage:
    """One page of the papers that a request asks for; without words, the newest."""
    if not request.query.strip() and request.sort == "relevance":
        request = replace(request, sort="year")
    return _page(searcher().search(request), request)


def similar(paper_id: str, limit: int) -> list[SearchHit]:
    """The papers nearest to one paper; PaperNotFound when there is no such paper."""
    try:
        return [_hit(hit) for hit in searcher().similar(paper_id, limit)]
    except DocumentNotFound:
        raise PaperNotFound(paper_id) from None


def suggest(prefix: str, kinds: tuple[SuggestedKind, ...], limit: int) -> list[Suggestion]:
    """Titles and names that have what was typed, the commonest first; of each kind at most `limit`."""
    found = searcher()
    return [
        Suggestion(kind=kind, value=item.value, paper_count=item.count)
        for kind in kinds
        for item in found.suggest(prefix, [kind], limit)
    ]


def _page(results: Results, request: Request) -> SearchPage:
    return SearchPage(
        papers=[_hit(hit) for hit in results.hits],
        total=results.total,
        offset=request.offset,
        next_offset=next_offset(len(results.hits), results.total, request.offset),
        mode=results.mode,
        facets={
            name: [FacetValue(value=count.value, paper_count=count.count) for count in counts]
            for name, counts in results.facets.items()
        },
    )


def _hit(hit: Hit) -> SearchHit:
    """A hit, with what the index keeps of its paper for showing."""
    return SearchHit(
        paper_id=hit.id,
        **orjson.loads(hit.payload),
        snippet_markdown=stored.snippet_markdown(hit.snippet),
        score=None if hit.score is None else round(hit.score, 4),
        matched=list(hit.matched),
    )

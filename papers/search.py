"""Search behind one interface: the index beside the snapshot, or, without one, the snapshot's own tables."""

from dataclasses import replace

import orjson

from paper_search.retrieval import DocumentNotFound, Hit, Index, Request, Results
from papers import content, index, search_tables
from papers.errors import PaperNotFound
from papers.listing import next_offset
from papers.schemas import FacetValue, SearchHit, SearchPage, SuggestedKind, Suggestion


def search(request: Request) -> SearchPage:
    """One page of the papers that a request asks for; without words, the newest."""
    if not request.query.strip() and request.sort == "relevance":
        request = replace(request, sort="year")
    found = index.current()
    return search_tables.search(request) if found is None else _page(found.search(request), request)


def similar(paper_id: str, limit: int) -> list[SearchHit]:
    """The papers nearest to one paper; PaperNotFound when there is no such paper."""
    found = index.current()
    if found is None:
        return search_tables.similar(paper_id, limit)
    try:
        return [_hit(hit) for hit in found.similar(paper_id, limit)]
    except DocumentNotFound:
        raise PaperNotFound(f"There is no paper {paper_id}. Find ids with search_papers.", paper_id=paper_id) from None


def suggest(prefix: str, kinds: tuple[SuggestedKind, ...], limit: int) -> list[Suggestion]:
    """Titles and names that begin as typed, the commonest first; of each kind at most `limit`."""
    found = index.current()
    return search_tables.suggest(prefix, kinds, limit) if found is None else _suggestions(found, prefix, kinds, limit)


def _suggestions(found: Index, prefix: str, kinds: tuple[SuggestedKind, ...], limit: int) -> list[Suggestion]:
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
        snippet_markdown=content.snippet_markdown(hit.snippet),
        score=None if hit.score is None else round(hit.score, 4),
        matched=list(hit.matched),
    )

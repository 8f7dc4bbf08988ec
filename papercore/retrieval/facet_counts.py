"""Counts facet values over all hits of a search."""

from typing import TypedDict

from tantivy import Query

from papercore.retrieval import schema
from papercore.retrieval.generation import Generation
from papercore.retrieval.results import Count, Request

# Values that each segment of the index reports, so that the counts of the commonest are right.
PER_SEGMENT = 500
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


class Bucket(TypedDict):
    """A value's number and how many hits have it, as tantivy reports them."""

    key: float
    doc_count: int


def counted(generation: Generation, query: Query, request: Request) -> dict[str, tuple[Count, ...]]:
    """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
    known = [name for name in request.facets if name == schema.YEAR or name in generation.values]
    found = generation.searcher.aggregate(
        query, {name: {"terms": _terms(name, request.counted(name))} for name in known}
    )
    counts = {name: _counts(generation, name, found[name]["buckets"], request.counted(name)) for name in known}
    return {name: counts.get(name, ()) for name in request.facets}


def _terms(name: str, limit: int) -> dict[str, object]:
    field = schema.YEAR if name == schema.YEAR else schema.facet_field(name)
    size = MARGIN * limit + 1  # one more for the unknown year
    return {"field": field, "size": size, "segment_size": max(PER_SEGMENT, size)}


def _counts(generation: Generation, name: str, buckets: list[Bucket], limit: int) -> tuple[Count, ...]:
    known = [bucket for bucket in buckets if name != schema.YEAR or bucket["key"] != schema.NO_YEAR]
    least = known[limit - 1]["doc_count"] if len(known) > limit else 0
    counts = [
        Count(_name(generation, name, int(bucket["key"])), bucket["doc_count"])
        for bucket in known
        if bucket["doc_count"] >= least
    ]
    return tuple(sorted(counts, key=lambda count: (-count.count, count.value.lower()))[:limit])


def _name(generation: Generation, facet: str, number: int) -> str:
    return str(number) if facet == schema.YEAR else generation.values[facet].name(number)

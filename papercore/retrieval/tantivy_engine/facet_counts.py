"""Counts the values of facets over all hits of a query."""

from collections.abc import Mapping

import tantivy

from papercore.retrieval import schema
from papercore.retrieval.facets import Bucket, FacetValueTable, commonest
from papercore.retrieval.results import Count, Request

# Values that each segment of the index reports, so that the counts of the commonest are right.
PER_SEGMENT = 500
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


def count_facets(
    searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable], query: tantivy.Query, request: Request
) -> dict[str, tuple[Count, ...]]:
    """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
    known = [name for name in request.facets if name == schema.YEAR or name in values]
    found = searcher.aggregate(query, {name: {"terms": _terms(name, request.counted(name))} for name in known})
    counts = {name: _counts(values, name, found[name]["buckets"], request.counted(name)) for name in known}
    return {name: counts.get(name, ()) for name in request.facets}


def _terms(name: str, limit: int) -> dict[str, object]:
    field = schema.YEAR if name == schema.YEAR else schema.facet_field(name)
    size = MARGIN * limit + 1  # one more for the unknown year
    return {"field": field, "size": size, "segment_size": max(PER_SEGMENT, size)}


def _counts(values: Mapping[str, FacetValueTable], name: str, buckets: list[Bucket], limit: int) -> tuple[Count, ...]:
    if name == schema.YEAR:
        return commonest([bucket for bucket in buckets if bucket["key"] != schema.NO_YEAR], limit, str)
    return commonest(buckets, limit, values[name].name)

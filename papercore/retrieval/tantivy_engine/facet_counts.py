"""Counts the values of facets over all hits of a query."""

from collections.abc import Mapping
from typing import TypedDict

import tantivy

from papercore.retrieval import schema
from papercore.retrieval.facets import Bucket, FacetValueTable, commonest
from papercore.retrieval.results import Count, Request

# Values that each segment of the index reports at first: nearly always enough.
PER_SEGMENT = 500
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


class Terms(TypedDict):
    """What tantivy answers about a facet."""

    buckets: list[Bucket]
    # The highest count of a value that a segment has not reported.
    doc_count_error_upper_bound: int


def count_facets(
    searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable], query: tantivy.Query, request: Request
) -> dict[str, tuple[Count, ...]]:
    """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
    known = [name for name in request.facets if name == schema.YEAR or name in values]

    def buckets(per_segment: Mapping[str, int]) -> dict[str, Terms]:
        terms = {name: {"terms": _terms(name, request.counted(name), most)} for name, most in per_segment.items()}
        return searcher.aggregate(query, terms) if terms else {}

    found = buckets(dict.fromkeys(known, PER_SEGMENT))
    one_segment = searcher.num_segments == 1
    unsure = [name for name in known if _may_be_wrong(found[name], request.counted(name), one_segment=one_segment)]
    found |= buckets({name: len(values[name].order) if name in values else schema.LAST_YEAR for name in unsure})
    counts = {name: _counts(values, name, found[name]["buckets"], request.counted(name)) for name in known}
    return {name: counts.get(name, ()) for name in request.facets}


def _may_be_wrong(found: Terms, limit: int, *, one_segment: bool) -> bool:
    """Whether a segment has kept back values that would be shown, or would add to those that are."""
    kept_back, buckets = found["doc_count_error_upper_bound"], found["buckets"]
    if not kept_back:
        return False
    return not one_segment or any(bucket["doc_count"] <= kept_back for bucket in buckets[: limit + 1])


def _terms(name: str, limit: int, per_segment: int) -> dict[str, object]:
    field = schema.YEAR if name == schema.YEAR else schema.facet_field(name)
    size = MARGIN * limit + 1  # one more for the unknown year
    return {"field": field, "size": size, "segment_size": max(per_segment, size)}


def _counts(values: Mapping[str, FacetValueTable], name: str, buckets: list[Bucket], limit: int) -> tuple[Count, ...]:
    if name == schema.YEAR:
        return commonest([bucket for bucket in buckets if bucket["key"] != schema.NO_YEAR], limit, str)
    return commonest(buckets, limit, values[name].name)

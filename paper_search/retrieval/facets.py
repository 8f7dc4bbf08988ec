"""Counts of facet values over all hits."""

from collections.abc import Sequence
from typing import TypedDict

from tantivy import Query

from paper_search.retrieval import schema
from paper_search.retrieval.generation import Generation
from paper_search.retrieval.results import Count

# Values that each part of the index reports, so that the counts of the first ones are right.
PER_SEGMENT = 500


class Bucket(TypedDict):
    """A number and how many hits have it, as tantivy reports them."""

    key: float
    doc_count: int


def counted(generation: Generation, query: Query, names: Sequence[str], limit: int) -> dict[str, tuple[Count, ...]]:
    """Per facet, the commonest values among the query's hits; `year` may be one of them."""
    known = {schema.YEAR, *generation.manifest.facets}
    wanted = {name: {"terms": _terms(name, limit)} for name in names if name in known}
    found = generation.searcher.aggregate(query, wanted)
    return {name: _counts(generation, name, found[name]["buckets"], limit) if name in known else () for name in names}


def _terms(name: str, limit: int) -> dict[str, object]:
    field = schema.YEAR if name == schema.YEAR else schema.facet_field(name)
    # One more, because the year that is not known is left out.
    return {"field": field, "size": limit + 1, "segment_size": max(PER_SEGMENT, limit + 1)}


def _counts(generation: Generation, name: str, buckets: list[Bucket], limit: int) -> tuple[Count, ...]:
    if name == schema.YEAR:
        counts = [Count(str(int(one["key"])), one["doc_count"]) for one in buckets if one["key"] != schema.NO_YEAR]
    else:
        values = generation.values[name]
        counts = [Count(values.name(int(one["key"])), one["doc_count"]) for one in buckets]
    return tuple(sorted(counts, key=lambda count: (-count.count, count.value))[:limit])

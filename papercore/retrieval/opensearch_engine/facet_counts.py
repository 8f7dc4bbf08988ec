"""Counts the values of facets over all hits, exactly, whatever the number of shards."""

from collections.abc import Callable, Mapping, Sequence

from papercore.retrieval import schema
from papercore.retrieval.facets import Bucket, commonest
from papercore.retrieval.opensearch_engine.cluster import Cluster, Json
from papercore.retrieval.opensearch_engine.facet_values import ClusterValues, value_id
from papercore.retrieval.results import Count, Request

# Values that each shard reports, so that the commonest are found.
PER_SHARD = 1_000
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


class FacetCounter:
    """Counts facets in one index."""

    def __init__(self, cluster: Cluster, index: str, facets: Sequence[str], values: ClusterValues) -> None:
        self._cluster = cluster
        self._index = index
        self._known = {schema.YEAR, *facets}
        self._values = values

    def count(self, query: Json, request: Request) -> dict[str, tuple[Count, ...]]:
        """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
        sizes = {name: MARGIN * request.counted(name) + 1 for name in request.facets if name in self._known}
        found = self._buckets(query, {name: _terms(name, size) for name, size in sizes.items()})
        unsure = {name: part for name, part in found.items() if part["doc_count_error_upper_bound"] and part["buckets"]}
        if unsure:
            # A shard may not have reported a value that others did, so those found are counted again, everywhere.
            found |= self._buckets(query, {name: _recount(name, part["buckets"]) for name, part in unsure.items()})
        shown = {name: _shown(name, part["buckets"], request.counted(name)) for name, part in found.items()}
        values = [(name, int(bucket["key"])) for name, part in shown.items() for bucket in part if name != schema.YEAR]
        names = self._values.names(values)
        counts = {name: commonest(part, request.counted(name), _spelling(names, name)) for name, part in shown.items()}
        return {name: counts.get(name, ()) for name in request.facets}

    def _buckets(self, query: Json, terms: dict[str, Json]) -> dict[str, Json]:
        if not terms:
            return {}
        aggregations = {name: {"terms": part} for name, part in terms.items()}
        body = {"query": query, "size": 0, "track_total_hits": False, "aggs": aggregations}
        return dict(self._cluster.search(self._index, body)["aggregations"])


def _spelling(names: Mapping[str, str], facet: str) -> Callable[[int], str]:
    return str if facet == schema.YEAR else lambda number: names[value_id(facet, number)]


def _shown(name: str, buckets: list[Bucket], limit: int) -> list[Bucket]:
    """The commonest values and those that are as common as the last of them; an unknown year is none."""
    known = [bucket for bucket in buckets if name != schema.YEAR or bucket["key"] != schema.NO_YEAR]
    least = known[limit - 1]["doc_count"] if len(known) > limit else 0
    return [bucket for bucket in known if bucket["doc_count"] >= least]


def _field(name: str) -> str:
    return schema.YEAR if name == schema.YEAR else schema.facet_field(name)


def _terms(name: str, size: int) -> Json:
    return {"field": _field(name), "size": size, "shard_size": max(PER_SHARD, size)}


def _recount(name: str, buckets: list[Bucket]) -> Json:
    keys = [int(bucket["key"]) for bucket in buckets]
    return {"field": _field(name), "size": len(keys), "shard_size": len(keys), "include": keys}

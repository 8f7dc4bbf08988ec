"""Counts the values of facets over all hits, exactly, whatever the number of shards."""

from collections.abc import Callable, Mapping, Sequence

from papercore.retrieval.basics.request import Count, Request
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.facets import Bucket, commonest
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.facet_values import ClusterValues, value_id

# Values that each shard reports at first, and if it takes more to know the commonest for sure, at most. With so many
# values that hits have equally often, it is the choice among those that is not sure.
PER_SHARD, MOST_PER_SHARD = 1_000, 1_000_000
# How much higher a count may be because of values that shards have not reported: of a bucket, or of any other value.
ERROR = "doc_count_error_upper_bound"
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
        found = self._commonest(query, request)
        # A shard may not have reported a value that others did, so those found are counted again, everywhere.
        inexact = {name: part["buckets"] for name, part in found.items() if any(map(_error, part["buckets"]))}
        found |= self._buckets(query, {name: _recount(name, buckets) for name, buckets in inexact.items()})
        shown = {name: _shown(name, part["buckets"], request.counted(name)) for name, part in found.items()}
        values = [(name, int(bucket["key"])) for name, part in shown.items() for bucket in part if name != schema.YEAR]
        names = self._values.names(values)
        counts = {name: commonest(part, request.counted(name), _spelling(names, name)) for name, part in shown.items()}
        return {name: counts.get(name, ()) for name in request.facets}

    def _commonest(self, query: Json, request: Request) -> dict[str, Json]:
        """For each facet the commonest values. Shards report more until none that is missing can be one of them."""
        asked = [name for name in request.facets if name in self._known]
        found: dict[str, Json] = {}
        per_shard = PER_SHARD
        while asked and per_shard <= MOST_PER_SHARD:
            terms = {name: _terms(name, MARGIN * request.counted(name) + 1, per_shard) for name in asked}
            found |= self._buckets(query, terms)
            asked = [name for name in asked if _may_lack_one(found[name], request.counted(name))]
            per_shard *= 10
        return found

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


def _may_lack_one(part: Json, limit: int) -> bool:
    """Whether a value that is not among these may be as common as one of those shown."""
    unreported, buckets = part[ERROR], part["buckets"]
    if not unreported or not buckets:
        return False
    least_shown = buckets[min(limit, len(buckets) - 1)]["doc_count"]
    return bool(least_shown <= unreported + buckets[-1]["doc_count"])


def _error(bucket: Json) -> int:
    return int(bucket[ERROR])


def _field(name: str) -> str:
    return schema.YEAR if name == schema.YEAR else schema.facet_field(name)


def _terms(name: str, size: int, per_shard: int) -> Json:
    return {
        "field": _field(name),
        "size": size,
        "shard_size": max(per_shard, size),
        "show_term_doc_count_error": True,
    }


def _recount(name: str, buckets: list[Bucket]) -> Json:
    keys = [int(bucket["key"]) for bucket in buckets]
    return {"field": _field(name), "size": len(keys), "shard_size": len(keys), "include": keys}

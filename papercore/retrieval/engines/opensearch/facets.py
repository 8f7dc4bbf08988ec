"""The facets of one build on the cluster: numbers and names of values, completions, and exact counts over all hits."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.analysis import same_value_key
from papercore.retrieval.basics.request import Completion, Count, Request
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.fields import Bucket, commonest
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import COUNT, KEY, KIND, NAME, NUMBER, WORDS

# Spellings of a value that differ by accents alone.
SPELLINGS = 50
# Values of filters whose numbers are kept: every part of a search asks for the same ones.
KEPT_NUMBERS = 10_000
# Values that each shard reports at first, and if it takes more to know the commonest for sure, at most. With so many
# values that hits have equally often, it is the choice among those that is not sure.
PER_SHARD, MOST_PER_SHARD = 1_000, 1_000_000
# How much higher a count may be because of values that shards have not reported: of a bucket, or of any other value.
ERROR = "doc_count_error_upper_bound"
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


class ClusterValues:
    """The values of all facets of one build."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self.numbers = lru_cache(maxsize=KEPT_NUMBERS)(self._numbers)

    def _numbers(self, facet: str, value: str) -> Sequence[int]:
        """The number of a value; if there is none, those of the values that differ only by accents."""
        query = {"bool": {"filter": [{"term": {KEY: {"value": value_key(facet, value)}}}]}}
        alike = self._listed(query, SPELLINGS, [{NUMBER: "asc"}])
        same = [found for found in alike if same_value_key(str(found[NAME])) == same_value_key(value)]
        return tuple(int(found[NUMBER]) for found in same or alike)

    def names(self, values: Iterable[tuple[str, int]]) -> dict[str, str]:
        """The spellings of facets' values with these numbers, by their ids, in one request."""
        ids = [value_id(*value) for value in values]
        return {key: str(value[NAME]) for key, value in self._cluster.sources(self._index, ids, [NAME]).items()}

    def written(self, facet: str, value: str) -> str | None:
        numbers = self.numbers(facet, value)
        return self.names([(facet, numbers[0])])[value_id(facet, numbers[0])] if numbers else None

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """The commonest values with all the words, the last of which may be unfinished."""
        words = unfinished(WORDS, prefix)
        if words is None or not limit:
            return []
        query = {"bool": {"filter": [words, {"term": {KIND: {"value": kind}}}]}}
        found = self._listed(query, limit, [{COUNT: "desc"}, {NUMBER: "asc"}])
        return [Completion(kind, str(value[NAME]), int(value[COUNT])) for value in found]

    def _listed(self, query: Json, limit: int, order: list[Json]) -> list[Json]:
        body = {"query": query, "size": limit, "sort": order, "track_total_hits": False}
        return [hit["_source"] for hit in self._cluster.search(self._index, body)["hits"]["hits"]]


def value_id(facet: str, number: int) -> str:
    return f"{facet}:{number}"


def value_key(facet: str, value: str) -> str:
    """Equal for the spellings of a facet's value that differ by case, blanks and accents."""
    return f"{facet}:{analysis.key_hash(value)}"


def unfinished(field: str, text: str) -> Json | None:
    """Matches all words typed so far in a field of names; the last may be unfinished. None without words."""
    *whole, last = analysis.name_terms(text) or [""]
    if not last:
        return None
    parts: list[Json] = [{"term": {field: {"value": term}}} for term in whole]
    return {"bool": {"must": [*parts, {"prefix": {field: {"value": last}}}]}}


class FacetCounter:
    """Counts facets in one index, exactly, whatever the number of shards."""

    def __init__(self, cluster: Cluster, index: str, facets: Sequence[str], values: ClusterValues) -> None:
        self._cluster = cluster
        self._index = index
        self._fields = {fields.YEAR: fields.YEAR, **{name: fields.facet_field(name) for name in facets}}
        self._values = values

    def count(self, query: Json, request: Request) -> dict[str, tuple[Count, ...]]:
        """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
        shown = {}
        for name, buckets in self._commonest(query, request).items():
            known = [bucket for bucket in buckets if name != fields.YEAR or bucket["key"] != fields.NO_YEAR]
            limit = request.counted(name)
            # Those that are as common as the last of them, too: their names decide.
            least = known[limit - 1]["doc_count"] if len(known) > limit else 0
            shown[name] = [bucket for bucket in known if bucket["doc_count"] >= least]
        values = [(name, int(bucket["key"])) for name, part in shown.items() for bucket in part if name != fields.YEAR]
        names = self._values.names(values)

        def counts(facet: str) -> tuple[Count, ...]:
            def spelling(number: int) -> str:
                return str(number) if facet == fields.YEAR else names[value_id(facet, number)]

            return commonest(shown.get(facet, []), request.counted(facet), spelling)

        return {name: counts(name) for name in request.facets}

    def _commonest(self, query: Json, request: Request) -> dict[str, list[Bucket]]:
        """For each facet the commonest values. Shards report more until none that is missing can be one of them."""
        asked = [name for name in request.facets if name in self._fields]
        found: dict[str, Json] = {}
        per_shard = PER_SHARD
        while asked and per_shard <= MOST_PER_SHARD:
            sizes = {name: MARGIN * request.counted(name) + 1 for name in asked}
            found |= self._buckets(
                query,
                {
                    name: {"size": size, "shard_size": max(per_shard, size), "show_term_doc_count_error": True}
                    for name, size in sizes.items()
                },
            )
            asked = [name for name in asked if _may_lack_one(found[name], request.counted(name))]
            per_shard *= 10
        # A shard may not have reported a value that others did, so those found are counted again, everywhere.
        recounted = {}
        for name, part in found.items():
            if any(bucket[ERROR] for bucket in part["buckets"]):
                keys = [int(bucket["key"]) for bucket in part["buckets"]]
                recounted[name] = {"size": len(keys), "shard_size": len(keys), "include": keys}
        found |= self._buckets(query, recounted)
        return {name: part["buckets"] for name, part in found.items()}

    def _buckets(self, query: Json, options: dict[str, Json]) -> dict[str, Json]:
        if not options:
            return {}
        aggregations = {name: {"terms": {"field": self._fields[name], **part}} for name, part in options.items()}
        body = {"query": query, "size": 0, "track_total_hits": False, "aggs": aggregations}
        return dict(self._cluster.search(self._index, body)["aggregations"])


def _may_lack_one(part: Json, limit: int) -> bool:
    """Whether a value that is not among these may be as common as one of those shown."""
    unreported, buckets = part[ERROR], part["buckets"]
    if not unreported or not buckets:
        return False
    least_shown = buckets[min(limit, len(buckets) - 1)]["doc_count"]
    return bool(least_shown <= unreported + buckets[-1]["doc_count"])

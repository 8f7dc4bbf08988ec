"""The values of facets on the cluster: numbers of values, their names, completions."""

from collections.abc import Iterable, Sequence

from papercore import limits
from papercore.retrieval import analysis
from papercore.retrieval.facets import same_value_key
from papercore.retrieval.opensearch_engine.cluster import Cluster, Json
from papercore.retrieval.opensearch_engine.documents import COUNT, KEY, KIND, NAME, NUMBER, WORDS
from papercore.retrieval.opensearch_engine.read_cache import ReadCache
from papercore.retrieval.results import Completion

# Spellings of a value that differ by accents alone.
SPELLINGS = 50


class ClusterValues:
    """The values of all facets of one build."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self._names: ReadCache[str, str] = ReadCache(limits.CLUSTER_KEPT_VALUES)
        self._numbers: ReadCache[tuple[str, str], tuple[int, ...]] = ReadCache(limits.CLUSTER_KEPT_VALUES)

    def numbers(self, facet: str, value: str) -> Sequence[int]:
        """The number of this value; if there is none, those of the values that differ only by accents."""
        return self._numbers.get([(facet, value)], lambda _: {(facet, value): self._find(facet, value)})[facet, value]

    def names(self, facet: str, numbers: Iterable[int]) -> dict[int, str]:
        """The spellings of values, in one request."""
        found = self._names.get([value_id(facet, number) for number in numbers], self._read_names)
        return {int(key.rpartition(":")[2]): name for key, name in found.items()}

    def written(self, facet: str, value: str) -> str | None:
        numbers = self.numbers(facet, value)
        return self.names(facet, numbers[:1])[numbers[0]] if numbers else None

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """The commonest values with all the words, the last of which may be unfinished."""
        words = unfinished(WORDS, prefix)
        if words is None or not limit:
            return []
        query = {"bool": {"filter": [words, {"term": {KIND: {"value": kind}}}]}}
        found = self._search(query, limit, [{COUNT: "desc"}, {NUMBER: "asc"}])
        return [Completion(kind, str(value[NAME]), int(value[COUNT])) for value in found]

    def _find(self, facet: str, value: str) -> tuple[int, ...]:
        key = {"term": {KEY: {"value": value_key(facet, value)}}}
        alike = self._search({"bool": {"filter": [key]}}, SPELLINGS, [{NUMBER: "asc"}])
        same = [found for found in alike if same_value_key(str(found[NAME])) == same_value_key(value)]
        return tuple(int(found[NUMBER]) for found in same or alike)

    def _search(self, query: Json, limit: int, order: list[Json]) -> list[Json]:
        body = {"query": query, "size": limit, "sort": order, "track_total_hits": False}
        return [hit["_source"] for hit in self._cluster.search(self._index, body)["hits"]["hits"]]

    def _read_names(self, ids: list[str]) -> dict[str, str]:
        return {key: str(value[NAME]) for key, value in self._cluster.sources(self._index, ids, [NAME]).items()}


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

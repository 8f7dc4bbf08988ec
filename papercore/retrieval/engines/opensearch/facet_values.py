"""The values of facets on the cluster: numbers of values, their names, completions."""

from collections.abc import Iterable, Mapping, Sequence

from papercore import limits
from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Completion
from papercore.retrieval.engines.facets import same_value_key
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import COUNT, KEY, KIND, NAME, NUMBER, WORDS
from papercore.retrieval.engines.opensearch.read_cache import ReadCache

# A facet and one of its values, in any spelling.
FacetValue = tuple[str, str]
# Spellings of a value that differ by accents alone.
SPELLINGS = 50


class ClusterValues:
    """The values of all facets of one build."""

    def __init__(self, cluster: Cluster, index: str) -> None:
        self._cluster = cluster
        self._index = index
        self._names: ReadCache[str, str] = ReadCache(limits.CLUSTER_KEPT_VALUES)
        self._numbers: ReadCache[tuple[str, str], tuple[int, ...]] = ReadCache(limits.CLUSTER_KEPT_VALUES)

    def numbers(self, values: Iterable[FacetValue]) -> Mapping[FacetValue, Sequence[int]]:
        """The number of each value; if there is none, those of the values that differ only by accents."""
        return self._numbers.get(values, self._find)

    def names(self, values: Iterable[tuple[str, int]]) -> dict[str, str]:
        """The spellings of facets' values with these numbers, by their ids, in one request."""
        return self._names.get([value_id(*value) for value in values], self._read_names)

    def written(self, facet: str, value: str) -> str | None:
        numbers = self.numbers([(facet, value)])[facet, value]
        return self.names([(facet, numbers[0])])[value_id(facet, numbers[0])] if numbers else None

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """The commonest values with all the words, the last of which may be unfinished."""
        words = unfinished(WORDS, prefix)
        if words is None or not limit:
            return []
        query = {"bool": {"filter": [words, {"term": {KIND: {"value": kind}}}]}}
        body = _listing(query, limit, [{COUNT: "desc"}, {NUMBER: "asc"}])
        found = _sources(self._cluster.search(self._index, body))
        return [Completion(kind, str(value[NAME]), int(value[COUNT])) for value in found]

    def _find(self, values: Sequence[FacetValue]) -> dict[FacetValue, tuple[int, ...]]:
        keys = [{"term": {KEY: {"value": value_key(facet, value)}}} for facet, value in values]
        bodies = [_listing({"bool": {"filter": [key]}}, SPELLINGS, [{NUMBER: "asc"}]) for key in keys]
        answers = self._cluster.search_all(self._index, bodies)
        return {item: _numbers_of(item[1], answer) for item, answer in zip(values, answers, strict=True)}

    def _read_names(self, ids: list[str]) -> dict[str, str]:
        return {key: str(value[NAME]) for key, value in self._cluster.sources(self._index, ids, [NAME]).items()}


def _listing(query: Json, limit: int, order: list[Json]) -> Json:
    return {"query": query, "size": limit, "sort": order, "track_total_hits": False}


def _sources(answer: Json) -> list[Json]:
    return [hit["_source"] for hit in answer["hits"]["hits"]]


def _numbers_of(value: str, answer: Json) -> tuple[int, ...]:
    alike = _sources(answer)
    same = [found for found in alike if same_value_key(str(found[NAME])) == same_value_key(value)]
    return tuple(int(found[NUMBER]) for found in same or alike)


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

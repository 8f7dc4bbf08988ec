"""The documents' vectors of one build on the cluster: read back by row, and searched by Lucene's graph."""

from collections.abc import Iterable

import numpy as np

from papercore import limits
from papercore.retrieval import schema
from papercore.retrieval.engine import Rows, ScoredRows
from papercore.retrieval.opensearch_engine.cluster import Cluster, Json
from papercore.retrieval.opensearch_engine.documents import VECTOR, VECTOR_BYTES, decoded
from papercore.retrieval.opensearch_engine.read_cache import ReadCache
from papercore.retrieval.word_vectors import Matrix, Vector


class ClusterRowVectors:
    """The vectors in one field, by row."""

    def __init__(self, cluster: Cluster, index: str, field: str, dimensions: int) -> None:
        self._cluster = cluster
        self._index = index
        self._field = field
        self._dimensions = dimensions
        self._kept: ReadCache[int, Vector] = ReadCache(limits.CLUSTER_KEPT_VECTORS)

    def of(self, rows: Rows) -> Matrix:
        found = self._kept.get(rows.tolist(), self._read)
        return np.array([found[row] for row in rows.tolist()], dtype=np.float32).reshape(-1, self._dimensions)

    def keep(self, hits: Iterable[Json]) -> None:
        """Keep the vectors that came with hits."""
        self._kept.add(self._vectors(hits))

    def _read(self, rows: list[int]) -> dict[int, Vector]:
        query = {"bool": {"filter": [{"terms": {schema.ROW: rows}}]}}
        body = {"query": query, "size": len(rows), "_source": False, "docvalue_fields": [self._field]}
        return self._vectors(self._cluster.search(self._index, body)["hits"]["hits"])

    def _vectors(self, hits: Iterable[Json]) -> dict[int, Vector]:
        return {int(hit["_id"]): decoded(hit["fields"][self._field][0]) for hit in hits}


class ClusterVectors(ClusterRowVectors):
    """The vectors that are searched."""

    def __init__(self, cluster: Cluster, index: str, dimensions: int) -> None:
        super().__init__(cluster, index, VECTOR_BYTES, dimensions)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """The nearest documents; the graph may miss one, but what it finds has its exact cosine."""
        # Each shard finds so many, of which the best are taken.
        query = {"knn": {VECTOR: {"vector": vector.tolist(), "k": count}}}
        order = [{"_score": "desc"}, {schema.ROW: "asc"}]
        body = {
            "query": query,
            "size": count,
            "sort": order,
            "track_scores": True,
            "track_total_hits": False,
            "_source": False,
            "docvalue_fields": [VECTOR_BYTES],
        }
        hits = self._cluster.search(self._index, body)["hits"]["hits"]
        self.keep(hits)
        rows = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
        cosines = np.asarray(self.of(rows) @ vector, dtype=np.float32)
        best = np.lexsort((rows, -cosines))
        return ScoredRows(rows[best], cosines[best])

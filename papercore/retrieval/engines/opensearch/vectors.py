"""The documents' vectors of one build on the cluster, read back by row."""

from collections.abc import Iterable

import numpy as np

from papercore import limits
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.interface import Rows, ScoredRows
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import decoded
from papercore.retrieval.engines.opensearch.read_cache import ReadCache
from papercore.retrieval.vectors.word_vectors import Matrix, Vector


class ClusterRowVectors:
    """The vectors in one field, by row."""

    def __init__(self, cluster: Cluster, index: str, field: str, dimensions: int) -> None:
        self._cluster = cluster
        self._index = index
        self.field = field
        self._dimensions = dimensions
        self._kept: ReadCache[int, Vector] = ReadCache(limits.CLUSTER_KEPT_VECTORS)

    def of(self, rows: Rows) -> Matrix:
        found = self._kept.get(rows.tolist(), self._read)
        return np.array([found[row] for row in rows.tolist()], dtype=np.float32).reshape(-1, self._dimensions)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """None: the cluster has no graph of these, so documents that words and word vectors find are compared."""
        return ScoredRows(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))

    def keep(self, hits: Iterable[Json]) -> None:
        """Keep the vectors that came with hits."""
        self._kept.add(self._vectors(hits))

    def _read(self, rows: list[int]) -> dict[int, Vector]:
        query = {"bool": {"filter": [{"terms": {schema.ROW: rows}}]}}
        body = {"query": query, "size": len(rows), "_source": False, "docvalue_fields": [self.field]}
        return self._vectors(self._cluster.search(self._index, body)["hits"]["hits"])

    def _vectors(self, hits: Iterable[Json]) -> dict[int, Vector]:
        return {int(hit["_id"]): decoded(hit["fields"][self.field][0]) for hit in hits}

"""The documents of one build that are nearest to a vector, found by Lucene's graph."""

import numpy as np

from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.interface import Rows, ScoredRows
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import VECTOR
from papercore.retrieval.engines.opensearch.vectors import ClusterRowVectors
from papercore.retrieval.engines.opensearch.words import ClusterWords
from papercore.retrieval.vectors.word_vectors import Matrix, Vector

_BEST_FIRST = [{"_score": "desc"}, {schema.ROW: "asc"}]


class ClusterVectors:
    """Answers as VectorEngine asks."""

    def __init__(self, cluster: Cluster, index: str, vectors: ClusterRowVectors, words: ClusterWords) -> None:
        self._cluster = cluster
        self._index = index
        self._vectors = vectors
        self._words = words

    def of(self, rows: Rows) -> Matrix:
        return self._vectors.of(rows)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """The nearest documents; the graph may miss one, but what it finds has its exact cosine."""
        # Each shard finds so many, of which the best are taken.
        body: Json = {
            "query": {"knn": {VECTOR: {"vector": vector.tolist(), "k": count}}},
            "size": count,
            "sort": _BEST_FIRST,
            "track_scores": True,
            "track_total_hits": False,
            "_source": False,
            "docvalue_fields": self._words.kept.vector_fields,
        }
        hits = self._cluster.search(self._index, body)["hits"]["hits"]
        self._words.kept.keep_vectors(hits)
        rows = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
        cosines = np.asarray(self.of(rows) @ vector, dtype=np.float32)
        best = np.lexsort((rows, -cosines))
        return ScoredRows(rows[best], cosines[best])

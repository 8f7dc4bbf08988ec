"""The documents' vectors of one build on the cluster: how they are sent, read back by row, and found by Lucene's graph.

Beside them are the tables that every reader of a build loads, by which the vectors of queries are made.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from papercore.retrieval.engines import fields
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import SENTENCE_BYTES, SENTENCE_KEY, TABLE, VECTOR, VECTOR_BYTES
from papercore.retrieval.engines.opensearch.facets import value_id
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector
from papercore.retrieval.vectors.meaning import NO_ROWS, ScoredRows

# A term that fewer than one in so many documents have is rare: its weight is 1 to three digits.
COMMON_SHARE = 20_000
# The document of the tables among those of facet values; no facet has an empty name.
TABLE_ID = value_id("", 0)


class Tables(Struct, frozen=True):
    """The projection of a build's vectors, and how many documents have each common term."""

    projection: Matrix
    common: dict[str, int]

    @classmethod
    def of(cls, projection: Matrix, frequencies: Mapping[str, int], documents: int) -> "Tables":
        common = {term: count for term, count in frequencies.items() if count * COMMON_SHARE >= documents}
        return cls(projection, common)

    @classmethod
    def read(cls, cluster: Cluster, index: str) -> "Tables":
        table = cluster.sources(index, [TABLE_ID], [TABLE])[TABLE_ID][TABLE]
        projection = decoded(table["projection"]).reshape(table["shape"])
        return cls(np.asarray(projection), json.loads(zlib.decompress(base64.b64decode(table["common"]))))

    def entry(self) -> Json:
        common = base64.b64encode(zlib.compress(json.dumps(self.common).encode())).decode()
        return {TABLE: {"projection": encoded(self.projection), "shape": self.projection.shape, "common": common}}


def vector_fields(vector: Vector) -> Json:
    """A document's vector, to be searched and to be read back. One of zeros is near nothing, and is not searched."""
    searched = {VECTOR: vector.tolist()} if vector.any() else {}
    return {VECTOR_BYTES: encoded(vector), **searched}


def encoded(vector: Matrix) -> str:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()


def decoded(text: str) -> Vector:
    """A vector as it was encoded, or as the cluster repeats it, without the signs that fill up the end."""
    return np.frombuffer(base64.b64decode(text + "=" * (-len(text) % 4)), dtype="<f4")


def known_sentences(cluster: Cluster, index: str, keys: Sequence[str]) -> dict[str, str]:
    """The encoded sentence vectors of those of the keys that are in the index of papers of a build."""
    query = {"bool": {"filter": [{"terms": {SENTENCE_KEY: list(keys)}}]}}
    body = {"query": query, "size": len(keys), "_source": False, "docvalue_fields": [SENTENCE_KEY, SENTENCE_BYTES]}
    hits = cluster.search(index, body)["hits"]["hits"]
    return {hit["fields"][SENTENCE_KEY][0]: encoded(decoded(hit["fields"][SENTENCE_BYTES][0])) for hit in hits}


class ClusterRowVectors:
    """The vectors in one field, by row. The sentence model's have no graph, so candidates of others are compared."""

    def __init__(self, cluster: Cluster, index: str, field: str, dimensions: int) -> None:
        self._cluster = cluster
        self._index = index
        self._field = field
        self._dimensions = dimensions

    def of(self, rows: Rows) -> Matrix:
        if not len(rows):
            return np.empty((0, self._dimensions), dtype=np.float32)
        query = {"bool": {"filter": [{"terms": {fields.ROW: rows.tolist()}}]}}
        body = {"query": query, "size": len(rows), "_source": False, "docvalue_fields": [self._field]}
        hits = self._cluster.search(self._index, body)["hits"]["hits"]
        found = {int(hit["_id"]): decoded(hit["fields"][self._field][0]) for hit in hits}
        return np.array([found[row] for row in rows.tolist()], dtype=np.float32)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        return NO_ROWS


class ClusterVectors(ClusterRowVectors):
    """Answers as VectorEngine asks."""

    def __init__(self, cluster: Cluster, index: str, dimensions: int) -> None:
        super().__init__(cluster, index, VECTOR_BYTES, dimensions)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """The nearest documents; the graph may miss one, but what it finds has its exact cosine."""
        body = {
            # Each shard finds so many, of which the best are taken.
            "query": {"knn": {VECTOR: {"vector": vector.tolist(), "k": count}}},
            "size": count,
            "sort": [{"_score": "desc"}, {fields.ROW: "asc"}],
            "track_total_hits": False,
            "_source": False,
            "docvalue_fields": [VECTOR_BYTES],
        }
        hits = self._cluster.search(self._index, body)["hits"]["hits"]
        if not hits:
            return NO_ROWS
        rows = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
        cosines = np.array([decoded(hit["fields"][VECTOR_BYTES][0]) for hit in hits], dtype=np.float32) @ vector
        best = np.lexsort((rows, -cosines))
        return ScoredRows(rows[best], cosines[best])

"""What every reader of a build loads: the projection of its vectors, and how many documents have each common term."""

import base64
import json
import zlib
from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import TABLE, decoded, encoded
from papercore.retrieval.engines.opensearch.facet_values import value_id
from papercore.retrieval.vectors.word_vectors import Matrix

# A term that fewer than one in so many documents have is rare: its weight is 1 to three digits.
COMMON_SHARE = 20_000
# The documents of the tables among those of facet values; no facet has an empty name.
TABLE_ID = value_id("", 0)


class Tables(Struct, frozen=True):
    """The tables of one build."""

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

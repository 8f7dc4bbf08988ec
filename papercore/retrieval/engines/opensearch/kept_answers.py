"""What a process keeps of what it has read of one build."""

import base64
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from papercore import limits
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.interface import ScoredRows, StoredDocument, WordQuery
from papercore.retrieval.engines.opensearch.cluster import Json
from papercore.retrieval.engines.opensearch.documents import STORED
from papercore.retrieval.engines.opensearch.read_cache import ReadCache
from papercore.retrieval.engines.opensearch.vectors import ClusterRowVectors


class RankedSlice(Struct, frozen=True):
    """Asks for some of the best documents of a query. `shown`: what is stored of them is read, too."""

    query: WordQuery
    limit: int
    offset: int = 0
    shown: bool = False


class KeptAnswers:
    """A build never changes, so all of this stays right; only its size is limited."""

    def __init__(self, vectors: Sequence[ClusterRowVectors] = ()) -> None:
        # Read with every candidate of a ranking.
        self.vectors = tuple(vectors)
        self.documents: ReadCache[int, StoredDocument] = ReadCache(limits.CLUSTER_KEPT_DOCUMENTS)
        # How many documents have each of the rare terms that were asked for.
        self.frequencies: ReadCache[str, int] = ReadCache(limits.CLUSTER_KEPT_VALUES)
        self.totals: ReadCache[WordQuery, int] = ReadCache(limits.CLUSTER_KEPT_ANSWERS)
        self.titles: ReadCache[str, bool] = ReadCache(limits.CLUSTER_KEPT_ANSWERS)
        self.slices: ReadCache[RankedSlice, ScoredRows] = ReadCache(limits.CLUSTER_KEPT_ANSWERS)

    @property
    def vector_fields(self) -> list[str]:
        return [vectors.field for vectors in self.vectors]

    def keep_vectors(self, hits: Sequence[Json]) -> None:
        for vectors in self.vectors:
            vectors.keep(hits)

    def keep_documents(self, hits: Iterable[Json]) -> dict[int, StoredDocument]:
        found = {int(hit["_id"]): _stored(hit["_source"]) for hit in hits}
        self.documents.add(found)
        return found


def scored_rows(hits: Sequence[Json]) -> ScoredRows:
    rows = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
    return ScoredRows(rows, np.array([hit["_score"] for hit in hits], dtype=np.float32))


def _stored(source: Json) -> StoredDocument:
    kept = source[STORED]
    return StoredDocument(
        id=kept[schema.STORED_ID],
        title=kept[schema.STORED_TITLE],
        text=kept[schema.STORED_TEXT],
        body=kept[schema.STORED_BODY],
        values=tuple(kept[schema.STORED_VALUES]),
        payload=base64.b64decode(kept[schema.STORED_PAYLOAD]),
    )

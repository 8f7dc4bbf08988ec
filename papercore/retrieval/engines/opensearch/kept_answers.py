"""What a process keeps of one build: what it has read, and what came along because it is asked for next."""

import base64
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from papercore import limits
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.clauses import Clause
from papercore.retrieval.engines.interface import RankedSlice, Rows, ScoredRows, StoredDocument, WordQuery
from papercore.retrieval.engines.opensearch.cluster import Json
from papercore.retrieval.engines.opensearch.documents import STORED
from papercore.retrieval.engines.opensearch.read_cache import ReadCache
from papercore.retrieval.engines.opensearch.vectors import ClusterRowVectors
from papercore.retrieval.vectors.word_vectors import Vector


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
        # Which documents match, of those that were looked at.
        self._matches: ReadCache[WordQuery | Clause, Mapping[int, bool]] = ReadCache(limits.CLUSTER_KEPT_ANSWERS)

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

    def keep_matches(self, asked: Sequence[WordQuery | Clause], hits: Sequence[Json]) -> None:
        """Keep which of the hits match what was asked; the cluster names it by its number."""
        named = {int(hit["_id"]): hit.get("matched_queries", ()) for hit in hits}
        for number, each in enumerate(asked):
            self._matches.add({each: {row: str(number) in names for row, names in named.items()}})

    def within(self, query: WordQuery, rows: Rows) -> Rows | None:
        """Those of the rows that match; None unless that is known of each of them."""
        known = self._known_matches(query, rows)
        return None if known is None else np.sort(rows[known])

    def weighed(self, parts: Sequence[tuple[Clause, float]], rows: Rows) -> Vector | None:
        """For each of the rows the sum of the weights of the parts that match; None unless all of that is known."""
        sums = np.zeros(len(rows), dtype=np.float32)
        for clause, weight in parts:
            known = self._known_matches(clause, rows)
            if known is None:
                return None
            sums += np.float32(weight) * known
        return sums

    def _known_matches(self, asked: WordQuery | Clause, rows: Rows) -> NDArray[np.bool_] | None:
        known = self._matches.get([asked], lambda _: {}).get(asked, {})
        found = [known.get(row) for row in rows.tolist()]
        return None if None in found else np.array(found, dtype=np.bool_)


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

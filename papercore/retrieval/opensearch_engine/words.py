"""The documents of one build on the cluster, found by words."""

import base64
from collections.abc import Iterable, Sequence

import numpy as np

from papercore import limits
from papercore.retrieval import schema
from papercore.retrieval.clauses import AllMatch, HasTerm, InRows
from papercore.retrieval.engine import HitSet, Rows, ScoredRows, StoredDocument, WordQuery
from papercore.retrieval.folder import Manifest
from papercore.retrieval.opensearch_engine.cluster import Cluster, Json
from papercore.retrieval.opensearch_engine.compiler import QueryCompiler
from papercore.retrieval.opensearch_engine.documents import STORED, VECTOR_BYTES
from papercore.retrieval.opensearch_engine.facet_counts import FacetCounter
from papercore.retrieval.opensearch_engine.facet_values import ClusterValues, unfinished
from papercore.retrieval.opensearch_engine.read_cache import ReadCache
from papercore.retrieval.opensearch_engine.vectors import ClusterVectors
from papercore.retrieval.results import Completion, Count, Request, Sort
from papercore.retrieval.word_query import WordClauses, has_title

# Ties by row, so that a page follows another whichever copy of a shard answers.
_BY_ROW: Json = {schema.ROW: "asc"}
_BEST_FIRST: list[Json] = [{"_score": "desc"}, _BY_ROW]
_ORDER: dict[str, list[Json]] = {
    "year": [{schema.YEAR: "desc"}, _BY_ROW],
    "oldest": [{schema.YEAR_OLDEST: "asc"}, _BY_ROW],
    "title": [{schema.TITLE_KEY: "asc"}, _BY_ROW],
}


class ClusterWords:
    """Answers as WordEngine asks, from the indexes of one build."""

    def __init__(
        self,
        cluster: Cluster,
        index: str,
        manifest: Manifest,
        values: ClusterValues,
        vectors: ClusterVectors | None,
        common: dict[str, int],
    ) -> None:
        self._cluster = cluster
        self._index = index
        self._values = values
        self._vectors = vectors
        # How many documents have each of the common terms; the others have to be counted.
        self._common = common
        self._compiler = QueryCompiler(values.numbers)
        self._facets = FacetCounter(cluster, index, manifest.facets, values)
        self._ranking = WordClauses(manifest.facets, ranking=True)
        self._matching = WordClauses(manifest.facets, ranking=False)
        self._kept: ReadCache[int, StoredDocument] = ReadCache(limits.CLUSTER_KEPT_DOCUMENTS)
        # The next page of a list asks the same again.
        self._totals: ReadCache[WordQuery, int] = ReadCache(limits.CLUSTER_KEPT_DOCUMENTS)
        self._titles: ReadCache[str, bool] = ReadCache(limits.CLUSTER_KEPT_DOCUMENTS)

    def ranked(self, query: WordQuery, limit: int, offset: int = 0) -> ScoredRows:
        """The best documents. Their vectors and the number of matches come with them: both are asked for next."""
        body = self._ranked(query, limit, offset) | {"_source": False, "track_total_hits": False}
        if self._vectors:
            body["docvalue_fields"] = [VECTOR_BYTES]
        found, counted = self._cluster.search_both(self._index, body, self._counting(query))
        self._totals.add({query: int(counted["hits"]["total"]["value"])})
        if self._vectors:
            self._vectors.keep(found["hits"]["hits"])
        return _scored_rows(found["hits"]["hits"])

    def ranked_and_counted(self, query: WordQuery, limit: int, offset: int) -> tuple[ScoredRows, int]:
        """A page, and the number of matches. What is stored comes with it, because it is asked for next."""
        body = self._ranked(query, limit, offset) | {"_source": [STORED], "track_total_hits": True}
        found = self._cluster.search(self._index, body)["hits"]
        self._kept.add({int(hit["_id"]): _stored(hit["_source"]) for hit in found["hits"]})
        return _scored_rows(found["hits"]), int(found["total"]["value"])

    def count(self, query: WordQuery) -> int:
        return self._totals.get([query], self._read_totals)[query]

    def within(self, query: WordQuery, rows: Rows) -> Rows:
        if not len(rows):
            return rows
        both = AllMatch((InRows(frozenset(rows.tolist())),), filters=(self._matching.query(query),))
        body = {"query": self._compiler.query(both), "size": len(rows), "_source": False, "track_total_hits": False}
        found = self._cluster.search(self._index, body)["hits"]["hits"]
        return np.array(sorted(int(hit["_id"]) for hit in found), dtype=np.int64)

    def sorted(self, hits: HitSet, sort: Sort, offset: int, limit: int) -> tuple[Rows, int]:
        body = {
            "query": self._compiler.query(self._matching.hits(hits)),
            "sort": _ORDER[sort],
            "from": offset,
            "size": limit,
            "_source": [STORED],
            "track_total_hits": True,
        }
        found = self._cluster.search(self._index, body)["hits"]
        self._kept.add({int(hit["_id"]): _stored(hit["_source"]) for hit in found["hits"]})
        return np.array([int(hit["_id"]) for hit in found["hits"]], dtype=np.int64), int(found["total"]["value"])

    def facet_counts(self, hits: HitSet, request: Request) -> dict[str, tuple[Count, ...]]:
        return self._facets.count(self._compiler.query(self._matching.hits(hits)), request)

    def stored(self, rows: Sequence[int]) -> list[StoredDocument]:
        found = self._kept.get(rows, self._read)
        return [found[row] for row in rows]

    def row_of(self, document_id: str) -> int | None:
        return self._rows_of([document_id]).get(document_id)

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        rows = self._rows_of(list(document_ids))
        stored = dict(zip(rows, self.stored(list(rows.values())), strict=True))
        return {key: document.payload for key, document in stored.items()}

    def has_title(self, title: str) -> bool:
        return self._titles.get([title], self._has_title)[title]

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        rare = [term for term in dict.fromkeys(terms) if term and term not in self._common]
        known = self._common | self._counted(rare) if rare else self._common
        return [known.get(term, 0) for term in terms]

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        if kind != schema.TITLE:
            return self._values.complete(prefix, kind, limit)
        query = unfinished(schema.TITLE_WORDS, prefix)
        if query is None or not limit:
            return []
        fields = [f"{STORED}.{schema.STORED_TITLE}"]
        body = {"query": query, "size": limit, "sort": _BEST_FIRST, "_source": fields, "track_total_hits": False}
        found = self._cluster.search(self._index, body)["hits"]["hits"]
        titles = [str(hit["_source"][STORED][schema.STORED_TITLE]) for hit in found]
        return [Completion(schema.TITLE, title, 1) for title in dict.fromkeys(titles)]

    def written(self, facet: str, value: str) -> str | None:
        return self._values.written(facet, value)

    def _ranked(self, query: WordQuery, limit: int, offset: int) -> Json:
        compiled = self._compiler.query(self._ranking.query(query))
        return {"query": compiled, "sort": _BEST_FIRST, "from": offset, "size": limit, "track_scores": True}

    def _counting(self, query: WordQuery) -> Json:
        """A request for the number of matches alone, which needs no ranking."""
        return {"query": self._compiler.query(self._matching.query(query)), "size": 0, "track_total_hits": True}

    def _read_totals(self, queries: list[WordQuery]) -> dict[WordQuery, int]:
        found = {query: self._cluster.search(self._index, self._counting(query)) for query in queries}
        return {query: int(answer["hits"]["total"]["value"]) for query, answer in found.items()}

    def _has_title(self, titles: list[str]) -> dict[str, bool]:
        found = {}
        for title in titles:
            body = {"query": self._compiler.query(has_title(title)), "size": 0, "terminate_after": 1}
            found[title] = bool(self._cluster.search(self._index, body)["hits"]["total"]["value"])
        return found

    def _read(self, rows: list[int]) -> dict[int, StoredDocument]:
        found = self._cluster.sources(self._index, [str(row) for row in rows], [STORED])
        return {int(key): _stored(source) for key, source in found.items()}

    def _rows_of(self, document_ids: list[str]) -> dict[str, int]:
        query = {"bool": {"filter": [{"terms": {schema.STORED_ID: document_ids}}]}}
        body = {"query": query, "size": len(document_ids), "_source": [STORED], "track_total_hits": False}
        found = self._cluster.search(self._index, body)["hits"]["hits"] if document_ids else []
        read = {int(hit["_id"]): _stored(hit["_source"]) for hit in found}
        self._kept.add(read)
        return {document.id: row for row, document in read.items()}

    def _counted(self, terms: list[str]) -> dict[str, int]:
        """How many documents have each of the terms, in one request."""
        filters = [self._compiler.query(HasTerm(schema.ALL, term)) for term in terms]
        body = {"size": 0, "track_total_hits": False, "aggs": {"terms": {"filters": {"filters": filters}}}}
        buckets = self._cluster.search(self._index, body)["aggregations"]["terms"]["buckets"]
        return {term: int(bucket["doc_count"]) for term, bucket in zip(terms, buckets, strict=True)}


def _scored_rows(hits: list[Json]) -> ScoredRows:
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

"""The documents of one build on the cluster, found by words."""

from collections.abc import Iterable, Sequence

import numpy as np

from papercore.retrieval.basics.request import Completion, Count, Request, Sort
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.clauses import AllMatch, Clause, HasTerm, InRows, weighed_parts
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.interface import (
    HitSet,
    Rows,
    ScoredRows,
    StoredDocument,
    WordQuery,
)
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.compiler import QueryCompiler
from papercore.retrieval.engines.opensearch.documents import STORED
from papercore.retrieval.engines.opensearch.facet_counts import FacetCounter
from papercore.retrieval.engines.opensearch.facet_values import ClusterValues, unfinished
from papercore.retrieval.engines.opensearch.kept_answers import KeptAnswers, RankedSlice, scored_rows
from papercore.retrieval.engines.word_clauses import WordClauses, has_title
from papercore.retrieval.vectors.word_vectors import Vector

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
        kept: KeptAnswers,
        common: dict[str, int],
    ) -> None:
        self._cluster = cluster
        self._index = index
        self._values = values
        self.kept = kept
        # How many documents have each of the common terms; the others have to be counted.
        self._common = common
        self._compiler = QueryCompiler(values.numbers)
        self._facets = FacetCounter(cluster, index, manifest.facets, values)
        self._ranking = WordClauses(manifest.facets, ranking=True)
        self._matching = WordClauses(manifest.facets, ranking=False)

    def ranked(self, query: WordQuery, limit: int, offset: int = 0) -> ScoredRows:
        wanted = RankedSlice(query, limit, offset)
        return self.kept.slices.get([wanted], self._read_slices)[wanted]

    def ranked_and_counted(self, query: WordQuery, limit: int, offset: int) -> tuple[ScoredRows, int]:
        wanted = RankedSlice(query, limit, offset, shown=True)
        return self.kept.slices.get([wanted], self._read_slices)[wanted], self.count(query)

    def count(self, query: WordQuery) -> int:
        return self.kept.totals.get([query], self._read_totals)[query]

    def within(self, query: WordQuery, rows: Rows) -> Rows:
        if not len(rows):
            return rows
        both = AllMatch((InRows(frozenset(rows.tolist())),), filters=(self._matching.query(query),))
        body = {"query": self._compiler.query(both), "size": len(rows), "_source": False, "track_total_hits": False}
        found = self._cluster.search(self._index, body)["hits"]["hits"]
        return np.array(sorted(int(hit["_id"]) for hit in found), dtype=np.int64)

    def weighed(self, parts: Sequence[tuple[Clause, float]], rows: Rows) -> Vector:
        query = self._compiler.query(weighed_parts(parts, rows.tolist()))
        body = {"query": query, "size": len(rows), "_source": False, "track_total_hits": False}
        return scored_rows(self._cluster.search(self._index, body)["hits"]["hits"]).scores_of(rows)

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
        self.kept.keep_documents(found["hits"])
        return np.array([int(hit["_id"]) for hit in found["hits"]], dtype=np.int64), int(found["total"]["value"])

    def facet_counts(self, hits: HitSet, total: int, request: Request) -> dict[str, tuple[Count, ...]]:
        return self._facets.count(self._compiler.query(self._matching.hits(hits)), request)

    def stored(self, rows: Sequence[int]) -> list[StoredDocument]:
        found = self.kept.documents.get(rows, self._read)
        return [found[row] for row in rows]

    def rows_of(self, document_ids: Sequence[str]) -> dict[str, int]:
        """The rows of documents, in one request. What is stored of them and their vectors come along."""
        if not document_ids:
            return {}
        query = {"bool": {"filter": [{"terms": {schema.STORED_ID: list(document_ids)}}]}}
        body = {"query": query, "size": len(document_ids), "_source": [STORED], "track_total_hits": False}
        body |= {"docvalue_fields": self.kept.vector_fields} if self.kept.vectors else {}
        hits = self._cluster.search(self._index, body)["hits"]["hits"]
        self.kept.keep_vectors(hits)
        rows = {document.id: row for row, document in self.kept.keep_documents(hits).items()}
        return {key: rows[key] for key in document_ids if key in rows}

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        rows = self.rows_of(list(document_ids))
        stored = dict(zip(rows, self.stored(list(rows.values())), strict=True))
        return {key: document.payload for key, document in stored.items()}

    def has_title(self, title: str) -> bool:
        return self.kept.titles.get([title], self._read_titles)[title]

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        rare = [term for term in dict.fromkeys(terms) if term and term not in self._common]
        known = self._common | self.kept.frequencies.get(rare, self._counted) if rare else self._common
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

    def _slice_searches(self, wanted: RankedSlice) -> list[Json]:
        """A search for the best documents, and one for the number of matches."""
        compiled = self._compiler.query(self._ranking.query(wanted.query))
        body = {"query": compiled, "sort": _BEST_FIRST, "from": wanted.offset, "size": wanted.limit}
        body |= {"track_scores": True, "track_total_hits": False, "_source": [STORED] if wanted.shown else False}
        if not wanted.shown and self.kept.vectors:
            body["docvalue_fields"] = self.kept.vector_fields
        return [body, self._counting(wanted.query)]

    def _counting(self, query: WordQuery) -> Json:
        """A request for the number of matches alone, which needs no ranking."""
        return {"query": self._compiler.query(self._matching.query(query)), "size": 0, "track_total_hits": True}

    def _read_slices(self, slices: Sequence[RankedSlice]) -> dict[RankedSlice, ScoredRows]:
        bodies = [body for wanted in slices for body in self._slice_searches(wanted)]
        answers = self._cluster.search_all(self._index, bodies)
        read = {}
        for wanted, found, counted in zip(slices, answers[::2], answers[1::2], strict=True):
            hits = found["hits"]["hits"]
            if wanted.shown:
                self.kept.keep_documents(hits)
            else:
                self.kept.keep_vectors(hits)
            self.kept.totals.add({wanted.query: _total(counted)})
            read[wanted] = scored_rows(hits)
        return read

    def _read_totals(self, queries: list[WordQuery]) -> dict[WordQuery, int]:
        found = self._cluster.search_all(self._index, [self._counting(query) for query in queries])
        return {query: _total(answer) for query, answer in zip(queries, found, strict=True)}

    def _read_titles(self, titles: list[str]) -> dict[str, bool]:
        sought = [self._compiler.query(has_title(title)) for title in titles]
        found = self._cluster.search_all(
            self._index, [{"query": query, "size": 0, "terminate_after": 1} for query in sought]
        )
        return {title: bool(_total(answer)) for title, answer in zip(titles, found, strict=True)}

    def _read(self, rows: list[int]) -> dict[int, StoredDocument]:
        query = {"bool": {"filter": [{"terms": {schema.ROW: rows}}]}}
        body = {"query": query, "size": len(rows), "_source": [STORED], "track_total_hits": False}
        return self.kept.keep_documents(self._cluster.search(self._index, body)["hits"]["hits"])

    def _counted(self, terms: list[str]) -> dict[str, int]:
        """How many documents have each of the terms."""
        filters = [self._compiler.query(HasTerm(schema.ALL, term)) for term in terms]
        body = {"size": 0, "track_total_hits": False, "aggs": {"terms": {"filters": {"filters": filters}}}}
        buckets = self._cluster.search(self._index, body)["aggregations"]["terms"]["buckets"]
        return {term: int(bucket["doc_count"]) for term, bucket in zip(terms, buckets, strict=True)}


def _total(found: Json) -> int:
    return int(found["hits"]["total"]["value"])

"""The documents of one build on the cluster, found by words."""

from collections.abc import Iterable, Sequence

import numpy as np

from papercore.retrieval.basics.request import Completion, Count, Request, Sort
from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.clauses import AllMatch, Clause, HasTerm, InRows, weighed_parts
from papercore.retrieval.engines.embedded.folder import Manifest
from papercore.retrieval.engines.interface import (
    Ahead,
    HitSet,
    LookAhead,
    RankedSlice,
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
from papercore.retrieval.engines.opensearch.kept_answers import KeptAnswers, scored_rows
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
# Terms that are looked for in the candidates while these are ranked. Those of a longer question are looked for
# afterwards, because a query may have 1,024 clauses.
MOST_NAMED = 64


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
        known = self.kept.within(query, rows)
        if known is not None:
            return known
        both = AllMatch((InRows(frozenset(rows.tolist())),), filters=(self._matching.query(query),))
        body = {"query": self._compiler.query(both), "size": len(rows), "_source": False, "track_total_hits": False}
        found = self._cluster.search(self._index, body)["hits"]["hits"]
        return np.array(sorted(int(hit["_id"]) for hit in found), dtype=np.int64)

    def weighed(self, parts: Sequence[tuple[Clause, float]], rows: Rows) -> Vector:
        known = self.kept.weighed(parts, rows)
        if known is not None:
            return known
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

    def has_title(self, title: str, ahead: LookAhead = Ahead) -> bool:
        return self.kept.titles.get([title], lambda titles: self._read_titles(titles, ahead()))[title]

    def named(self, queries: Sequence[WordQuery]) -> list[Json]:
        """Parts of a query that add nothing to a score, and tell by their number which of these a hit matches."""
        return self._named([self._matching.query(query) for query in queries])

    def _named(self, clauses: Sequence[Clause]) -> list[Json]:
        compiled = [self._compiler.query(clause) for clause in clauses]
        return [
            {"constant_score": {"filter": part, "boost": 0, "_name": str(number)}}
            for number, part in enumerate(compiled)
        ]

    def reading(self, rows: Sequence[int]) -> list[Json]:
        """A search for what is stored of these documents; none if there are none."""
        query = {"bool": {"filter": [{"terms": {schema.ROW: list(rows)}}]}}
        return [{"query": query, "size": len(rows), "_source": [STORED], "track_total_hits": False}] if rows else []

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        rare = self._rare(terms)
        known = self._common | self.kept.frequencies.get(rare, self._counted) if rare else self._common
        return [known.get(term, 0) for term in terms]

    def _rare(self, terms: Sequence[str]) -> list[str]:
        return [term for term in dict.fromkeys(terms) if term and term not in self._common]

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

    def _slice_searches(self, wanted: RankedSlice, named: Sequence[Json]) -> list[Json]:
        """A search for the best documents with what is asked for next of them, and one for the number of matches."""
        compiled = self._compiler.query(self._ranking.query(wanted.query))
        if named:
            compiled = {"bool": {"must": [compiled], "should": list(named)}}
        body = {"query": compiled, "sort": _BEST_FIRST, "from": wanted.offset, "size": wanted.limit}
        body |= {"track_scores": True, "track_total_hits": False, "_source": [STORED] if wanted.shown else False}
        if not wanted.shown and self.kept.vectors:
            body["docvalue_fields"] = self.kept.vector_fields
        return [body, self._counting(wanted.query)]

    def _counting(self, query: WordQuery) -> Json:
        """A request for the number of matches alone, which needs no ranking."""
        return {"query": self._compiler.query(self._matching.query(query)), "size": 0, "track_total_hits": True}

    def _read_slices(self, slices: Sequence[RankedSlice]) -> dict[RankedSlice, ScoredRows]:
        return self._keep_slices(slices, self._cluster.search_all(self._index, self._searches(slices)))

    def _searches(self, slices: Sequence[RankedSlice], terms: Sequence[Clause] = ()) -> list[Json]:
        named = self._named(terms)
        return [body for wanted in slices for body in self._slice_searches(wanted, named)]

    def _keep_slices(
        self, slices: Sequence[RankedSlice], answers: Sequence[Json], terms: Sequence[Clause] = ()
    ) -> dict[RankedSlice, ScoredRows]:
        read = {}
        for wanted, found, counted in zip(slices, answers[::2], answers[1::2], strict=True):
            hits = found["hits"]["hits"]
            if wanted.shown:
                self.kept.keep_documents(hits)
            else:
                self.kept.keep_vectors(hits)
            self.kept.keep_matches(terms, hits)
            self.kept.totals.add({wanted.query: _total(counted)})
            read[wanted] = scored_rows(hits)
        return read

    def _read_totals(self, queries: list[WordQuery]) -> dict[WordQuery, int]:
        found = self._cluster.search_all(self._index, [self._counting(query) for query in queries])
        return {query: _total(answer) for query, answer in zip(queries, found, strict=True)}

    def _read_titles(self, titles: list[str], ahead: Ahead) -> dict[str, bool]:
        """Whether there are documents with these titles; what is asked next is read with it, and kept."""
        sought = [self._compiler.query(has_title(title)) for title in titles]
        looked_for = [{"query": query, "size": 0, "terminate_after": 1} for query in sought]
        named = ahead.terms if len(ahead.terms) <= MOST_NAMED else ()
        terms = [HasTerm(schema.ALL, term) for term in named]
        uncounted = self.kept.frequencies.missing(self._rare(ahead.terms))
        bodies = [*looked_for, *self._counting_terms(uncounted), *self._searches(ahead.slices, terms)]
        found = iter(self._cluster.search_all(self._index, bodies))
        known = {title: bool(_total(next(found))) for title in titles}
        if uncounted:
            self.kept.frequencies.add(_term_counts(uncounted, next(found)))
        self.kept.slices.add(self._keep_slices(ahead.slices, list(found), terms))
        return known

    def _read(self, rows: list[int]) -> dict[int, StoredDocument]:
        [body] = self.reading(rows)
        return self.kept.keep_documents(self._cluster.search(self._index, body)["hits"]["hits"])

    def _counted(self, terms: list[str]) -> dict[str, int]:
        [body] = self._counting_terms(terms)
        return _term_counts(terms, self._cluster.search(self._index, body))

    def _counting_terms(self, terms: Sequence[str]) -> list[Json]:
        """A search that counts the documents with each of the terms; none if there are none."""
        filters = [self._compiler.query(HasTerm(schema.ALL, term)) for term in terms]
        aggregation = {"terms": {"filters": {"filters": filters}}}
        return [{"size": 0, "track_total_hits": False, "aggs": aggregation}] if terms else []


def _term_counts(terms: Sequence[str], found: Json) -> dict[str, int]:
    buckets = found["aggregations"]["terms"]["buckets"]
    return {term: int(bucket["doc_count"]) for term, bucket in zip(terms, buckets, strict=True)}


def _total(found: Json) -> int:
    return int(found["hits"]["total"]["value"])

"""The documents of one build on the cluster, found by words."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Completion, Count, Request, Sort
from papercore.retrieval.engines import clauses, fields
from papercore.retrieval.engines.generation import Manifest
from papercore.retrieval.engines.interface import HitSet, StoredDocument, WordQuery
from papercore.retrieval.engines.opensearch.cluster import Cluster, Json
from papercore.retrieval.engines.opensearch.documents import ONCE, STORED, spaced
from papercore.retrieval.engines.opensearch.facets import ClusterValues, FacetCounter, unfinished
from papercore.retrieval.engines.word_clauses import WordClauses, has_title, weighed_parts
from papercore.retrieval.vectors.arrays import Rows, Vector
from papercore.retrieval.vectors.meaning import ScoredRows

# Ties by row, so that a page follows another whichever copy of a shard answers.
_BY_ROW: Json = {fields.ROW: "asc"}
_BEST_FIRST: list[Json] = [{"_score": "desc"}, _BY_ROW]
_ORDER: dict[str, list[Json]] = {
    "year": [{fields.YEAR: "desc"}, _BY_ROW],
    "oldest": [{fields.YEAR_OLDEST: "asc"}, _BY_ROW],
    "title": [{fields.TITLE_KEY: "asc"}, _BY_ROW],
}
# Words that are spelled alike, of each field, and titles in which an unfinished word is looked for.
ALIKE, COMPLETED_TITLES = 20, 50
_SHORT_WORDS: Json = {"min_word_length": 3, "prefix_length": 1}
# What a search asks for unless it says otherwise: rows and scores alone.
_ROWS: Json = {"_source": False, "track_total_hits": False}


class ClusterWords:
    """Answers as WordEngine asks, from the indexes of one build."""

    def __init__(
        self, cluster: Cluster, index: str, manifest: Manifest, values: ClusterValues, common: dict[str, int]
    ) -> None:
        self._cluster = cluster
        self._index = index
        self._values = values
        # How many documents have each of the common terms; the others have to be counted.
        self._common = common
        self._compiler = ClusterCompiler(values.numbers)
        self._facets = FacetCounter(cluster, index, manifest.facets, values)
        self._spelled = (fields.TITLE_WORDS, *map(fields.words_field, manifest.facets))
        self._ranking = WordClauses(manifest.facets, ranking=True)
        self._matching = WordClauses(manifest.facets, ranking=False)

    def ranked(self, query: WordQuery, limit: int, offset: int = 0) -> ScoredRows:
        return _scored(self._hits(self._best(query, limit, offset)))

    def ranked_and_counted(self, query: WordQuery, limit: int, offset: int) -> tuple[ScoredRows, int]:
        bodies = [self._best(query, limit, offset), self._counting(query)]
        found, counted = self._cluster.search_all(self._index, bodies)
        return _scored(found["hits"]["hits"]), _total(counted)

    def _best(self, query: WordQuery, limit: int, offset: int) -> Json:
        compiled = self._compiler.query(self._ranking.query(query))
        return {"query": compiled, "sort": _BEST_FIRST, "track_scores": True, "from": offset, "size": limit, **_ROWS}

    def _counting(self, query: WordQuery) -> Json:
        """A search for the number of matches alone, which needs no ranking."""
        return {"query": self._compiler.query(self._matching.query(query)), "size": 0, "track_total_hits": True}

    def count(self, query: WordQuery) -> int:
        return _total(self._cluster.search(self._index, self._counting(query)))

    def within(self, query: WordQuery, rows: Rows) -> Rows:
        if not len(rows):
            return rows
        both = clauses.AllMatch((clauses.InRows(frozenset(rows.tolist())),), filters=(self._matching.query(query),))
        hits = self._hits({"query": self._compiler.query(both), "size": len(rows), **_ROWS})
        return np.array(sorted(int(hit["_id"]) for hit in hits), dtype=np.int64)

    def weighed(self, parts: Sequence[tuple[clauses.Clause, float]], rows: Rows) -> Vector:
        query = self._compiler.query(weighed_parts(parts, rows.tolist()))
        return _scored(self._hits({"query": query, "size": len(rows), **_ROWS})).scores_of(rows)

    def sorted(self, hits: HitSet, sort: Sort, offset: int, limit: int) -> tuple[Rows, int]:
        query = self._compiler.query(self._matching.hits(hits))
        body = {"query": query, "sort": _ORDER[sort], "from": offset, "size": limit, **_ROWS, "track_total_hits": True}
        found = self._cluster.search(self._index, body)
        return np.array([int(hit["_id"]) for hit in found["hits"]["hits"]], dtype=np.int64), _total(found)

    def facet_counts(self, hits: HitSet, request: Request) -> dict[str, tuple[Count, ...]]:
        return self._facets.count(self._compiler.query(self._matching.hits(hits)), request)

    def stored(self, rows: Sequence[int]) -> list[StoredDocument]:
        found = self._documents(fields.ROW, list(rows))
        return [found[row] for row in rows]

    def rows_of(self, document_ids: Sequence[str]) -> dict[str, int]:
        rows = {document.id: row for row, document in self._documents(fields.STORED_ID, list(document_ids)).items()}
        return {key: rows[key] for key in document_ids if key in rows}

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        ids = list(document_ids)
        found = {document.id: document.payload for document in self._documents(fields.STORED_ID, ids).values()}
        return {key: found[key] for key in ids if key in found}

    def _documents(self, field: str, values: Sequence[int | str]) -> dict[int, StoredDocument]:
        """Documents by row, of which a field has one of these values."""
        if not values:
            return {}
        query = {"bool": {"filter": [{"terms": {field: values}}]}}
        hits = self._hits({"query": query, "size": len(values), **_ROWS, "_source": [STORED]})
        found = {}
        for row, kept in ((int(hit["_id"]), hit["_source"][STORED]) for hit in hits):
            found[row] = StoredDocument(
                id=kept[fields.STORED_ID],
                title=kept[fields.STORED_TITLE],
                text=kept[fields.STORED_TEXT],
                body=kept[fields.STORED_BODY],
                values=tuple(kept[fields.STORED_VALUES]),
                payload=base64.b64decode(kept[fields.STORED_PAYLOAD]),
            )
        return found

    def has_title(self, title: str) -> bool:
        body = {"query": self._compiler.query(has_title(title)), "size": 0, "terminate_after": 1}
        return bool(_total(self._cluster.search(self._index, body)))

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        known, rare = self._common, [term for term in dict.fromkeys(terms) if term and term not in self._common]
        if rare:
            filters = [self._compiler.query(clauses.HasTerm(fields.ALL, term)) for term in rare]
            body = {"size": 0, "track_total_hits": False, "aggs": {"terms": {"filters": {"filters": filters}}}}
            buckets = self._cluster.search(self._index, body)["aggregations"]["terms"]["buckets"]
            known = known | {term: int(bucket["doc_count"]) for term, bucket in zip(rare, buckets, strict=True)}
        return [known.get(term, 0) for term in terms]

    def spelled_like(
        self, words: Sequence[str], letters: int, *, unfinished: bool = False, in_texts: bool = False
    ) -> list[dict[str, int]]:
        """By the cluster's own suggestions for a term; an unfinished word by the titles that complete it."""
        if not words:
            return []
        spelled = (fields.ALL,) if in_texts else self._spelled
        found = self._cluster.search_all(self._index, [self._spelling(word, letters, spelled) for word in words])
        return [self._alike(word, alike, unfinished) for word, alike in zip(words, found, strict=True)]

    def _spelling(self, word: str, letters: int, spelled: Sequence[str]) -> Json:
        """A search for the words that are spelled alike, and how many documents have the word itself."""
        asked = {"max_edits": letters, "suggest_mode": "always", "sort": "frequency", "size": ALIKE, **_SHORT_WORDS}
        itself = {field: self._compiler.query(clauses.HasTerm(field, word)) for field in spelled}
        suggest = {field: {"term": {"field": field, **asked}} for field in spelled}
        counted = {"spelled": {"filters": {"filters": itself}}}
        return {"size": 0, **_ROWS, "aggs": counted, "suggest": {"text": word, **suggest}}

    def _alike(self, word: str, found: Json, unfinished: bool) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for field, bucket in found["aggregations"]["spelled"]["buckets"].items():
            counts[word] += bucket["doc_count"]
            for entry in found["suggest"][field]:
                counts.update({option["text"]: option["freq"] for option in entry["options"]})
        if unfinished:
            titles = [analysis.name_terms(found.value) for found in self.complete(word, fields.TITLE, COMPLETED_TITLES)]
            counts.update(term for title in titles for term in set(title) if term.startswith(word))
        return {spelled: count for spelled, count in counts.items() if count}

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        if kind != fields.TITLE:
            return self._values.complete(prefix, kind, limit)
        query = unfinished(fields.TITLE_WORDS, prefix)
        if query is None or not limit:
            return []
        titles = [f"{STORED}.{fields.STORED_TITLE}"]
        hits = self._hits({"query": query, "size": limit, "sort": _BEST_FIRST, **_ROWS, "_source": titles})
        found = [str(hit["_source"][STORED][fields.STORED_TITLE]) for hit in hits]
        return [Completion(fields.TITLE, title, 1) for title in dict.fromkeys(found)]

    def written(self, facet: str, value: str) -> str | None:
        return self._values.written(facet, value)

    def _hits(self, body: Json) -> list[Json]:
        hits: list[Json] = self._cluster.search(self._index, body)["hits"]["hits"]
        return hits


def _scored(hits: Sequence[Json]) -> ScoredRows:
    rows = np.array([int(hit["_id"]) for hit in hits], dtype=np.int64)
    return ScoredRows(rows, np.array([hit["_score"] for hit in hits], dtype=np.float32))


def _total(found: Json) -> int:
    return int(found["hits"]["total"]["value"])


class ClusterCompiler:
    """Compiles clauses; `numbers` looks up those of a facet's value."""

    def __init__(self, numbers: Callable[[str, str], Sequence[int]]) -> None:
        self._numbers = numbers

    def query(self, clause: clauses.Clause) -> Json:
        match clause:
            case clauses.AnyMatch(parts, at_least):
                return {"bool": {"should": [self.query(part) for part in parts], "minimum_should_match": at_least}}
            case clauses.AllMatch(parts, filters, excluded):
                kinds = {"must": parts, "filter": filters, "must_not": excluded}
                return {"bool": {kind: [self.query(part) for part in found] for kind, found in kinds.items() if found}}
            case clauses.Boosted(part, factor):
                return {"bool": {"must": [self.query(part)], "boost": factor}}
            case clauses.Scored(part, score):
                return {"constant_score": {"filter": self.query(part), "boost": score}}
            case clauses.HasValue(facet, value, otherwise):
                found = list(self._numbers(facet, value))
                return {"terms": {fields.facet_field(facet): found}} if found else self.query(otherwise)
            case _:
                return _single(clause)


def _single(clause: clauses.SingleClause) -> Json:
    match clause:
        case clauses.HasTerm(field, term):
            return {"term": {field: {"value": str(term)}}}
        case clauses.HasAllTerms(field, terms, share):
            # Without lengths and counts of words, BM25 is the rarity alone, in the same measure as its other scores.
            once = [{"term": {f"{field}.{ONCE}": {"value": term}}} for term in terms]
            return {"bool": {"must": once, "boost": share}}
        case clauses.HasSequence(field, placed_terms):
            return {"match_phrase": {field: {"query": spaced(placed_terms)}}}
        case clauses.HasTermStarting(field, start, _):
            return {"prefix": {field: {"value": start}}}
        case clauses.InYears(first, last):
            return {"range": {fields.YEAR: {"gte": first, "lte": last}}}
        case clauses.InRows(rows):
            return {"constant_score": {"filter": {"terms": {fields.ROW: sorted(rows)}}, "boost": 0}}
        case clauses.Everything():
            return {"match_all": {}}
        case clauses.Nothing():
            return {"match_none": {}}

"""The word index of one build, opened: a parsed query and filters go in, rows and scores come out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Occur, Query

from papercore.retrieval.basics.errors import EngineFailed
from papercore.retrieval.basics.request import Completion, Count, Request, Sort
from papercore.retrieval.engines import clauses, fields
from papercore.retrieval.engines.embedded import folder
from papercore.retrieval.engines.embedded.dictionary import WordDictionary
from papercore.retrieval.engines.embedded.facets import CompletionIndex, FacetValueTable, facet_counts, prefix_query
from papercore.retrieval.engines.embedded.word_index import open_index
from papercore.retrieval.engines.generation import Manifest
from papercore.retrieval.engines.interface import HitSet, StoredDocument, WordQuery
from papercore.retrieval.engines.word_clauses import WordClauses, has_title, weighed_parts
from papercore.retrieval.vectors.arrays import Rows, Vector, map_array
from papercore.retrieval.vectors.meaning import ScoredRows
from papercore.text import rarity

_ORDER = {
    "year": (fields.YEAR, tantivy.Order.Desc),
    "oldest": (fields.YEAR_OLDEST, tantivy.Order.Asc),
    "title": (fields.TITLE_KEY, tantivy.Order.Asc),
}


class TantivyWords:
    """Answers as WordEngine asks, from the files of one generation."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        index = open_index(path / folder.WORDS)
        self.searcher = index.searcher()
        self.values = {name: FacetValueTable.open(path / folder.FACET_VALUES / name) for name in manifest.facets}
        self._compiler = TantivyCompiler(index, self.searcher, self.values)
        self._ranking = WordClauses(manifest.facets, ranking=True)
        self._matching = WordClauses(manifest.facets, ranking=False)
        # Per row, the segment of the word index and the number in it.
        self._addresses = map_array(path / folder.ADDRESSES)
        self._suggestions = CompletionIndex(path, self.values)
        self._dictionary = WordDictionary(
            self.searcher, (fields.TITLE_WORDS, *map(fields.words_field, manifest.facets))
        )
        self._terms = WordDictionary(self.searcher, (fields.ALL,))

    def ranked(self, query: WordQuery, limit: int, offset: int = 0) -> ScoredRows:
        compiled = self._compiler.query(self._ranking.query(query))
        return self._scored_rows(self.searcher.search(compiled, max(limit, 1), offset=offset))

    def ranked_and_counted(self, query: WordQuery, limit: int, offset: int) -> tuple[ScoredRows, int]:
        found = self.ranked(query, limit, offset)
        return found, found.total or 0

    def count(self, query: WordQuery) -> int:
        return _count_of(self.searcher.search(self._compiler.query(self._matching.query(query)), 1))

    def within(self, query: WordQuery, rows: Rows) -> Rows:
        if not len(rows):
            return rows
        both = clauses.AllMatch((clauses.InRows(frozenset(rows.tolist())),), filters=(self._matching.query(query),))
        return np.sort(self._rows(self._found(both, len(rows))))

    def weighed(self, parts: Sequence[tuple[clauses.Clause, float]], rows: Rows) -> Vector:
        found = self.searcher.search(
            self._compiler.query(weighed_parts(parts, rows.tolist())), max(len(rows), 1), False
        )
        return self._scored_rows(found).scores_of(rows)

    def sorted(self, hits: HitSet, sort: Sort, offset: int, limit: int) -> tuple[Rows, int]:
        field, order = _ORDER[sort]
        found = self.searcher.search(self._hits(hits), limit, offset=offset, order_by_field=field, order=order)
        return self._rows([address for _, address in found.hits]), _count_of(found)

    def facet_counts(self, hits: HitSet, request: Request) -> dict[str, tuple[Count, ...]]:
        return facet_counts(self.searcher, self._hits(hits), self.values, request)

    def stored(self, rows: Sequence[int]) -> list[StoredDocument]:
        addresses = self._addresses[np.asarray(rows, dtype=np.int64)].tolist()
        entries = [self.searcher.doc(tantivy.DocAddress(segment, number)) for segment, number in addresses]
        return [
            StoredDocument(
                id=entry[fields.STORED_ID][0],
                title=_text(entry, fields.STORED_TITLE),
                text=_text(entry, fields.STORED_TEXT),
                body=_text(entry, fields.STORED_BODY),
                values=tuple(_text(entry, fields.STORED_VALUES).split(fields.FACET_END)),
                payload=entry[fields.STORED_PAYLOAD][0],
            )
            for entry in entries
        ]

    def rows_of(self, document_ids: Sequence[str]) -> dict[str, int]:
        found = {key: self._rows(self._found(clauses.HasTerm(fields.STORED_ID, key), 1)) for key in document_ids}
        return {key: int(rows[0]) for key, rows in found.items() if len(rows)}

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        found = {key: self._found(clauses.HasTerm(fields.STORED_ID, key), 1) for key in document_ids}
        return {
            key: self.searcher.doc(addresses[0])[fields.STORED_PAYLOAD][0]
            for key, addresses in found.items()
            if addresses
        }

    def has_title(self, title: str) -> bool:
        sought = has_title(title)
        return bool(self.searcher.doc_freq(sought.field, sought.term))

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        return [self.frequency(term) for term in terms]

    def frequency(self, term: str) -> int:
        """How many documents have a term."""
        return self.searcher.doc_freq(fields.ALL, term)

    def spelled_like(
        self, words: Sequence[str], letters: int, *, unfinished: bool = False, in_texts: bool = False
    ) -> list[dict[str, int]]:
        dictionary = self._terms if in_texts else self._dictionary
        return [dictionary.alike(word, letters, unfinished=unfinished) for word in words]

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        if kind != fields.TITLE:
            return self._suggestions.find(prefix, kind, limit)
        query = prefix_query(self._compiler.schema, self.searcher, fields.TITLE_WORDS, prefix)
        if query is None:
            return []
        found = self.searcher.search(query, max(limit, 1), count=False)
        titles = [_text(self.searcher.doc(address), fields.STORED_TITLE) for _, address in found.hits]
        return [Completion(fields.TITLE, title, 1) for title in dict.fromkeys(titles)]

    def written(self, facet: str, value: str) -> str | None:
        values = self.values.get(facet)
        return values.written(value) if values else None

    def _hits(self, hits: HitSet) -> Query:
        return self._compiler.query(self._matching.hits(hits))

    def _found(self, clause: clauses.Clause, limit: int) -> list[tantivy.DocAddress]:
        found = self.searcher.search(self._compiler.query(clause), limit, count=False)
        return [address for _, address in found.hits]

    def _scored_rows(self, found: tantivy.SearchResult) -> ScoredRows:
        scores = np.array([score for score, _ in found.hits], dtype=np.float32)
        # Counting costs nothing beside ranking; None where it was not asked for.
        return ScoredRows(self._rows([address for _, address in found.hits]), scores, found.count)  # type: ignore[attr-defined]

    def _rows(self, addresses: list[tantivy.DocAddress]) -> Rows:
        values = self.searcher.fast_field_values(fields.ROW, addresses) if addresses else []
        return np.array(values, dtype=np.int64)


def _count_of(found: tantivy.SearchResult) -> int:
    """How many documents matched; tantivy's type stubs lack the attribute."""
    return int(found.count)  # type: ignore[attr-defined]


def _text(entry: tantivy.Document, name: str) -> str:
    value: bytes = entry[name][0]
    return value.decode()


class TantivyCompiler:
    """Compiles the clauses of queries to one opened word index."""

    def __init__(self, index: tantivy.Index, searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable]) -> None:
        self.schema = index.schema
        self.searcher = searcher
        self.values = values

    def query(self, clause: clauses.Clause) -> Query:
        match clause:
            case clauses.AnyMatch(parts, at_least):
                return _any([self.query(part) for part in parts], at_least)
            case clauses.AllMatch(parts, filters, excluded):
                required = [(Occur.Must, self.query(part)) for part in parts]
                unscored = [(Occur.Must, Query.const_score_query(self.query(part), 0.0)) for part in filters]
                forbidden = [(Occur.MustNot, self.query(part)) for part in excluded]
                return Query.boolean_query([*required, *unscored, *forbidden])
            case clauses.Boosted(part, factor):
                return Query.boost_query(self.query(part), factor)
            case clauses.Scored(part, score):
                return Query.const_score_query(self.query(part), score)
            case clauses.HasValue(facet, value, otherwise):
                numbers = self.values[facet].numbers(value)
                field = fields.facet_field(facet)
                return _any([self._term(field, number) for number in numbers]) if numbers else self.query(otherwise)
            case _:
                return self._single(clause)

    def _single(self, clause: clauses.SingleClause) -> Query:
        match clause:
            case clauses.HasTerm(field, term):
                return self._term(field, term)
            case clauses.HasAllTerms(field, terms, share):
                required = Query.boolean_query([(Occur.Must, self._term(field, term)) for term in terms])
                counts = [self.searcher.doc_freq(field, term) for term in terms]
                weight = sum(rarity(count, self.searcher.num_docs) for count in counts)
                return Query.const_score_query(required, share * weight)
            case clauses.HasSequence(field, placed_terms):
                return Query.phrase_query(self.schema, field, list(placed_terms))
            case clauses.HasTermStarting(field, start, None):
                return Query.regex_query(self.schema, field, f"{start}.*")
            case clauses.HasTermStarting(field, start, limit):
                found = self.searcher.terms_with_prefix(field, start, limit=limit)
                return _any([self._term(field, term) for term, _ in found])
            case clauses.InYears(first, last):
                return Query.range_query(self.schema, fields.YEAR, tantivy.FieldType.Integer, first, last)
            case clauses.InRows(rows):
                # A query for each row is faster than a set of terms in a field of numbers.
                return Query.const_score_query(_any([self._term(fields.ROW, row) for row in rows]), 0.0)
            case clauses.Everything():
                return Query.all_query()
            case clauses.Nothing():
                return Query.empty_query()

    def _term(self, field: str, term: str | int) -> Query:
        return Query.term_query(self.schema, field, term)


def _any(parts: list[Query], at_least: int = 1) -> Query:
    if not parts:
        return Query.empty_query()
    if at_least == 1:
        return Query.boolean_query([(Occur.Should, part) for part in parts])
    return Query.boolean_query([(Occur.Should, part) for part in parts], minimum_number_should_match=at_least)


@contextmanager
def engine_panics_translated() -> Iterator[None]:
    """Raise EngineFailed where the engine panics: its own exception is no Exception, and would end the thread."""
    try:
        yield
    except BaseException as error:
        # The class has no module that could be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise EngineFailed("The search engine could not answer this. Change the query, or try again later.") from error

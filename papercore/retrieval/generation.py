"""The opened files of one build. They never change, so any number of threads may use them at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Occur, Query

from papercore.npy import map_array
from papercore.retrieval import folder, schema, sentence_model
from papercore.retrieval.facets import FacetValueTable
from papercore.retrieval.folder import Manifest
from papercore.retrieval.meaning import Meaning, Rows, WeightedWordVectors
from papercore.retrieval.results import Filters
from papercore.retrieval.sentence_model import SentenceModel
from papercore.retrieval.suggestions import CompletionIndex
from papercore.retrieval.word_index import open_index
from papercore.retrieval.word_query import WordQueries
from papercore.retrieval.word_vectors import Matrix, Vector, WordVectors

# Per row, the segment of the word index and the number in it.
Addresses = NDArray[np.int32]


@dataclass(frozen=True)
class ScoredAddresses:
    """Documents of the word index, best first, with their scores."""

    addresses: list[tantivy.DocAddress]
    scores: Vector

    @classmethod
    def of(cls, found: tantivy.SearchResult) -> "ScoredAddresses":
        scores = np.array([score for score, _ in found.hits], dtype=np.float32)
        return cls([address for _, address in found.hits], scores)


@dataclass(frozen=True)
class Generation:
    """An opened generation of an index folder."""

    manifest: Manifest
    searcher: tantivy.Searcher
    queries: WordQueries
    # The same queries without ranking, for counting.
    matching: WordQueries
    # By facet.
    values: Mapping[str, FacetValueTable]
    addresses: Addresses
    suggestions: CompletionIndex
    # None: built with another model than the one in use; words alone answer until it is built again.
    meaning: Meaning | None
    model: SentenceModel | None
    sentences: Matrix | None

    @classmethod
    def open(cls, path: Path, manifest: Manifest, model: SentenceModel | None) -> "Generation":
        index = open_index(path / folder.WORDS)
        searcher = index.searcher()
        values = {name: FacetValueTable.open(path / folder.FACET_VALUES / name) for name in manifest.facets}
        fits = manifest.sentence_model == (model.model_id if model else "")
        return cls(
            manifest,
            searcher,
            WordQueries(index, searcher, values, ranking=True),
            WordQueries(index, searcher, values, ranking=False),
            values,
            map_array(path / folder.ADDRESSES),
            CompletionIndex(path, values),
            _open_meaning(path, manifest, searcher) if fits and manifest.documents else None,
            model if fits else None,
            sentence_model.open_vectors(path, manifest.documents) if fits and model and manifest.documents else None,
        )

    def ranked(self, query: Query, limit: int, offset: int = 0) -> ScoredAddresses:
        """The best documents by words."""
        return ScoredAddresses.of(self.searcher.search(query, max(limit, 1), offset=offset, count=False))

    def ranked_and_counted(self, query: Query, limit: int, offset: int) -> tuple[ScoredAddresses, int]:
        """The best documents by words, and the number of matches in all."""
        found = self.searcher.search(query, max(limit, 1), offset=offset)
        return ScoredAddresses.of(found), count_of(found)

    def count(self, query: Query) -> int:
        """How many documents match."""
        return count_of(self.searcher.search(query, 1))

    def addresses_of(self, rows: Rows) -> list[tantivy.DocAddress]:
        """The addresses of these rows in the word index."""
        return [tantivy.DocAddress(segment, number) for segment, number in self.addresses[rows].tolist()]

    def rows(self, addresses: Sequence[tantivy.DocAddress]) -> Rows:
        """The rows of these documents among the vectors."""
        values = self.searcher.fast_field_values(schema.ROW, list(addresses)) if addresses else []
        return np.array(values, dtype=np.int64)

    def within(self, query: Query, rows: Rows) -> Rows:
        """Those of the rows that match the query."""
        if not len(rows):
            return rows
        found = self.ranked(restricted(self.matching.rows(rows.tolist()), [query]), len(rows))
        return np.intersect1d(rows, self.rows(found.addresses))

    def filters(self, filters: Filters) -> list[Query]:
        """The filters as queries, all of which every hit must match."""
        found = [self.queries.value(name, value) for name, value in filters.values]
        if filters.year_from is not None or filters.year_to is not None:
            found.append(self.queries.years(filters.year_from, filters.year_to))
        if filters.without:
            excluded = [(Occur.MustNot, self.queries.value(name, value)) for name, value in filters.without]
            found.append(Query.boolean_query([(Occur.Must, Query.all_query()), *excluded]))
        return found


def count_of(found: tantivy.SearchResult) -> int:
    """How many documents matched; tantivy's type stubs lack the attribute."""
    return int(found.count)  # type: ignore[attr-defined]


def restricted(query: Query, filters: Sequence[Query]) -> Query:
    """The query restricted to documents that match all filters, which add nothing to the score."""
    if not filters:
        return query
    unscored = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in filters]
    return Query.boolean_query([(Occur.Must, query), *unscored])


def _open_meaning(path: Path, manifest: Manifest, searcher: tantivy.Searcher) -> Meaning | None:
    if manifest.word_model != WordVectors.load().model_id:
        return None
    word_vectors = WeightedWordVectors(
        WordVectors.load(),
        map_array(path / folder.PROJECTION),
        partial(searcher.doc_freq, schema.ALL),
        manifest.documents,
    )
    return Meaning(word_vectors, map_array(path / folder.VECTORS))

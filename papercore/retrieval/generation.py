"""One opened index: it never changes, so any number of threads may ask it at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Occur, Query

from papercore.retrieval import build, schema, sentence_model
from papercore.retrieval.folder import Manifest
from papercore.retrieval.meaning import Meaning, Rows, WordSpace
from papercore.retrieval.results import Filters
from papercore.retrieval.sentence_model import SentenceModel
from papercore.retrieval.storage import count_of, open_index
from papercore.retrieval.suggestions import Suggestions
from papercore.retrieval.values import Values
from papercore.retrieval.wordquery import WordQueries
from papercore.retrieval.wordvectors import Matrix, Vector, WordVectors

# Per row, the segment of the word index and the number in it.
Addresses = NDArray[np.int32]


@dataclass(frozen=True)
class Ranked:
    """Documents in order, with the scores that put them there."""

    addresses: list[tantivy.DocAddress]
    scores: Vector

    @classmethod
    def of(cls, found: tantivy.SearchResult) -> "Ranked":
        scores = np.array([score for score, _ in found.hits], dtype=np.float32)
        return cls([address for _, address in found.hits], scores)


@dataclass(frozen=True)
class Generation:
    """The files of one build, open."""

    manifest: Manifest
    searcher: tantivy.Searcher
    queries: WordQueries
    # The same without ranking, for counting.
    matching: WordQueries
    # By facet.
    values: Mapping[str, Values]
    addresses: Addresses
    suggestions: Suggestions
    # None: made with another model than the one in use; words only until it is built again.
    meaning: Meaning | None
    model: SentenceModel | None
    sentences: Matrix | None

    @classmethod
    def open(cls, path: Path, manifest: Manifest, model: SentenceModel | None) -> "Generation":
        index = open_index(path / build.WORDS)
        searcher = index.searcher()
        values = {name: Values.open(path / build.VALUES / name) for name in manifest.facets}
        fits = manifest.sentence_model == (model.model_id if model else "")
        return cls(
            manifest,
            searcher,
            WordQueries(index, searcher, values, ranking=True),
            WordQueries(index, searcher, values, ranking=False),
            values,
            np.load(path / build.ADDRESSES, mmap_mode="r").view(np.ndarray),
            Suggestions(path, values),
            _open_meaning(path, manifest, searcher) if fits and manifest.documents else None,
            model if fits else None,
            sentence_model.open_vectors(path, manifest.documents) if fits and model and manifest.documents else None,
        )

    def ranked(self, query: Query, limit: int, offset: int = 0) -> Ranked:
        """The best documents by words."""
        return Ranked.of(self.searcher.search(query, max(limit, 1), offset=offset, count=False))

    def ranked_and_counted(self, query: Query, limit: int, offset: int) -> tuple[Ranked, int]:
        """The best documents by words, and how many match in all."""
        found = self.searcher.search(query, max(limit, 1), offset=offset)
        return Ranked.of(found), count_of(found)

    def count(self, query: Query) -> int:
        """How many documents match."""
        return count_of(self.searcher.search(query, 1))

    def addresses_of(self, rows: Rows) -> list[tantivy.DocAddress]:
        """Where the documents of these rows stand in the word index."""
        return [tantivy.DocAddress(segment, number) for segment, number in self.addresses[rows].tolist()]

    def rows(self, addresses: Sequence[tantivy.DocAddress]) -> Rows:
        """Where these documents stand among the vectors."""
        values = self.searcher.fast_field_values(schema.ROW, list(addresses)) if addresses else []
        return np.array(values, dtype=np.int64)

    def within(self, query: Query, rows: Rows) -> Rows:
        """Those of the rows that match the query."""
        if not len(rows):
            return rows
        found = self.ranked(restricted(self.matching.rows(rows.tolist()), [query]), len(rows))
        return np.intersect1d(rows, self.rows(found.addresses))

    def filters(self, filters: Filters) -> list[Query]:
        """The filters as queries, all of which a hit must match."""
        found = [self.queries.value(name, value) for name, value in filters.values]
        if filters.year_from is not None or filters.year_to is not None:
            found.append(self.queries.years(filters.year_from, filters.year_to))
        if filters.without:
            excluded = [(Occur.MustNot, self.queries.value(name, value)) for name, value in filters.without]
            found.append(Query.boolean_query([(Occur.Must, Query.all_query()), *excluded]))
        return found


def restricted(query: Query, filters: Sequence[Query]) -> Query:
    """The query's hits that match all filters; the filters do not score."""
    if not filters:
        return query
    unscored = [(Occur.Must, Query.const_score_query(part, 0.0)) for part in filters]
    return Query.boolean_query([(Occur.Must, query), *unscored])


def _open_meaning(path: Path, manifest: Manifest, searcher: tantivy.Searcher) -> Meaning | None:
    if manifest.word_model != WordVectors.load().model_id:
        return None
    space = WordSpace(
        WordVectors.load(),
        np.load(path / build.PROJECTION),
        partial(searcher.doc_freq, schema.ALL),
        manifest.documents,
    )
    return Meaning(space, np.load(path / build.VECTORS, mmap_mode="r").view(np.ndarray))

"""One opened index: it never changes, so any number of threads may ask it at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Occur, Query

from paper_search.retrieval import build, schema, sentence_model
from paper_search.retrieval.folder import Manifest
from paper_search.retrieval.meaning import Meaning, Rows, WordSpace
from paper_search.retrieval.results import Filters
from paper_search.retrieval.sentence_model import SentenceModel
from paper_search.retrieval.storage import count_of, open_index
from paper_search.retrieval.suggestions import Suggestions
from paper_search.retrieval.wordquery import WordQueries
from paper_search.retrieval.wordvectors import Matrix, Vector, WordVectors


@dataclass(frozen=True)
class Ranked:
    """Documents in order, with the scores that put them there, and how many there are in all."""

    addresses: list[tantivy.DocAddress]
    scores: Vector
    total: int


@dataclass(frozen=True)
class Generation:
    """The files of one build, open."""

    manifest: Manifest
    searcher: tantivy.Searcher
    queries: WordQueries
    suggestions: Suggestions
    # None: made with another model than the one in use; words only until it is built again.
    meaning: Meaning | None
    model: SentenceModel | None
    sentences: Matrix | None

    @classmethod
    def open(cls, path: Path, manifest: Manifest, model: SentenceModel | None) -> "Generation":
        index = open_index(path / build.WORDS)
        searcher = index.searcher()
        fits = manifest.sentence_model == (model.model_id if model else "")
        return cls(
            manifest,
            searcher,
            WordQueries(index, searcher, manifest.facets),
            Suggestions(path),
            _open_meaning(path, manifest, searcher) if fits and manifest.documents else None,
            model if fits else None,
            sentence_model.open_vectors(path, manifest.documents) if fits and model and manifest.documents else None,
        )

    def ranked(self, query: Query, limit: int, offset: int = 0) -> Ranked:
        """The best documents by words."""
        found = self.searcher.search(query, max(limit, 1), offset=offset)
        hits = found.hits[:limit]
        scores = np.array([score for score, _ in hits], dtype=np.float32)
        return Ranked([address for _, address in hits], scores, count_of(found))

    def rows(self, addresses: Sequence[tantivy.DocAddress]) -> Rows:
        """Where these documents stand among the vectors."""
        values = self.searcher.fast_field_values(schema.ROW, list(addresses)) if addresses else []
        return np.array(values, dtype=np.int64)

    def within(self, query: Query, rows: Rows) -> dict[int, tantivy.DocAddress]:
        """Those of the rows that match the query, with their addresses."""
        if not len(rows):
            return {}
        both = restricted(self.queries.rows(rows.tolist()), [query])
        found = self.ranked(both, len(rows))
        return dict(zip(self.rows(found.addresses).tolist(), found.addresses, strict=True))

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

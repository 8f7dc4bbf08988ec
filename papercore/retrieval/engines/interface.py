"""What an engine is asked about one build of an index, and answers.

Documents are known by their rows, from 0 in the order given.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from papercore.retrieval.basics.query import Node
from papercore.retrieval.basics.request import NO_FILTERS, Completion, Count, Filters, Request, Sort
from papercore.retrieval.engines.clauses import Clause
from papercore.retrieval.vectors.arrays import Rows, Vector
from papercore.retrieval.vectors.meaning import ScoredRows


class WordQuery(Struct, frozen=True):
    """Which documents are asked for by words; without a node, all that match the filters."""

    node: Node | None
    filters: Filters = NO_FILTERS
    # Documents with this title come before all others.
    exact_title: str | None = None

    def unfiltered(self) -> "WordQuery":
        return replace(self, filters=NO_FILTERS)


class HitSet(Struct, frozen=True):
    """All hits of a search: those of a query, and those with these rows, which were found by meaning."""

    query: WordQuery | None
    rows: frozenset[int] = frozenset()


class StoredDocument(Struct, frozen=True):
    """A document as it was indexed."""

    id: str
    title: str
    text: str
    body: str
    # The text of each facet's values, in the order of the manifest's facets.
    values: tuple[str, ...]
    payload: bytes


class PassageQuery(Struct, frozen=True):
    """Asks for the best passages with any of the words; with no words, for any.

    With rows, only of these documents, and also passages that have a word only in the title or the headings above them.
    """

    words: str
    limit: int
    documents: frozenset[int] | None = None


class ScoredPassages(Struct, frozen=True):
    """Passages, best first: numbers that their engine knows them by, the rows of their documents, and scores."""

    numbers: NDArray[np.int64]
    documents: Rows
    scores: Vector

    def only(self, documents: Rows) -> "ScoredPassages":
        """Those of the given documents."""
        kept = np.isin(self.documents, documents)
        return ScoredPassages(self.numbers[kept], self.documents[kept], self.scores[kept])


class WordEngine(Protocol):
    """Finds the documents of one build by words. It never changes, and threads may share it."""

    def ranked(self, query: WordQuery, limit: int, offset: int = 0) -> ScoredRows:
        """The best documents; ties by row."""

    def ranked_and_counted(self, query: WordQuery, limit: int, offset: int) -> tuple[ScoredRows, int]:
        """The best documents, and the number of matches in all."""

    def count(self, query: WordQuery) -> int:
        """How many documents match."""

    def within(self, query: WordQuery, rows: Rows) -> Rows:
        """Those of the rows that match, ascending."""

    def weighed(self, parts: Sequence[tuple[Clause, float]], rows: Rows) -> Vector:
        """For each of the rows, the sum of the weights of the parts that its document matches."""

    def sorted(self, hits: HitSet, sort: Sort, offset: int, limit: int) -> tuple[Rows, int]:
        """A page of the hits in another order than by relevance, and the number of hits in all."""

    def facet_counts(self, hits: HitSet, request: Request) -> dict[str, tuple[Count, ...]]:
        """For each facet that the request asks for, the commonest values among the hits."""

    def stored(self, rows: Sequence[int]) -> list[StoredDocument]:
        """The documents with these rows."""

    def rows_of(self, document_ids: Sequence[str]) -> dict[str, int]:
        """The rows of those of the documents that are in the index, by id, in the order given."""

    def payloads(self, document_ids: Iterable[str]) -> dict[str, bytes]:
        """The payloads of those of the documents that are in the index, by id."""

    def has_title(self, title: str) -> bool:
        """Whether a document has exactly this title."""

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """How many documents have each of the terms."""

    def spelled_like(
        self, words: Sequence[str], letters: int, *, unfinished: bool = False, in_texts: bool = False
    ) -> list[dict[str, int]]:
        """For each word those of titles and names that differ from it by at most so many letters, itself among them.

        With `unfinished`, also those that begin with it; with `in_texts`, the terms of all texts, for small libraries.
        The values tell words that many documents have from rare ones.
        """

    def complete(self, prefix: str, kind: str, limit: int) -> list[Completion]:
        """Titles or values of a facet with all the words, the last of which may be unfinished."""

    def written(self, facet: str, value: str) -> str | None:
        """A facet's value as people write it, given in any case; None if there is no such value."""


class PassageEngine(Protocol):
    """Finds passages of the documents of one build by words."""

    def ranked(self, queries: Sequence[PassageQuery]) -> list[ScoredPassages]:
        """For each of the queries the best passages; those that are as good in their order."""

    def payloads(self, numbers: Sequence[int]) -> list[bytes]:
        """The payloads of these passages, in this order."""

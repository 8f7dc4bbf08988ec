"""What an engine is asked about one build of an index, and answers.

Documents are known by their rows, from 0 in the order given. Clauses say what a document must match in terms of the
index's fields; every engine compiles its queries from them.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from papercore.retrieval.basics.query import Node
from papercore.retrieval.basics.request import NO_FILTERS, Completion, Count, Filters, Request, Sort
from papercore.retrieval.vectors.arrays import Matrix, Vector

Rows = NDArray[np.int64]


class Everything(Struct, frozen=True):
    """Every document."""


class Nothing(Struct, frozen=True):
    """No document."""


class HasTerm(Struct, frozen=True):
    field: str
    term: str | int


class HasAllTerms(Struct, frozen=True):
    """All of the terms. It scores this share of the sum of their rarities (BM25's), however long the text is."""

    field: str
    terms: tuple[str, ...]
    share: float


class HasSequence(Struct, frozen=True):
    """Terms in this order, at these distances."""

    field: str
    placed_terms: tuple[tuple[int, str], ...]


class HasTermStarting(Struct, frozen=True):
    """A term with this beginning; with a limit, an engine may try only so many, the commonest."""

    field: str
    start: str
    limit: int | None = None


class InYears(Struct, frozen=True):
    first: int
    last: int


class HasValue(Struct, frozen=True):
    """A value of a facet, in any case and accents; what to look for instead if no document has it."""

    facet: str
    value: str
    otherwise: "Clause"


class InRows(Struct, frozen=True):
    rows: frozenset[int]


class AnyMatch(Struct, frozen=True):
    """At least so many of the parts; the more, the higher the score."""

    parts: tuple["Clause", ...]
    at_least: int = 1


class AllMatch(Struct, frozen=True):
    """All parts and filters, of which only the parts add to the score, and none of what is excluded."""

    parts: tuple["Clause", ...]
    filters: tuple["Clause", ...] = ()
    excluded: tuple["Clause", ...] = ()


class Scored(Struct, frozen=True):
    """A part with the same score for every document."""

    part: "Clause"
    score: float


class Boosted(Struct, frozen=True):
    part: "Clause"
    factor: float


# Clauses without parts.
SingleClause = Everything | Nothing | HasTerm | HasAllTerms | HasSequence | HasTermStarting | InYears | InRows
Clause = SingleClause | HasValue | AnyMatch | AllMatch | Scored | Boosted


def weighed_parts(parts: Sequence[tuple[Clause, float]], rows: Iterable[int]) -> Clause:
    """Matches those of the rows that match a part; the score is the sum of the weights of the parts they match."""
    scored = tuple(Scored(part, weight) for part, weight in parts)
    return AllMatch((AnyMatch(scored),), filters=(InRows(frozenset(rows)),))


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


def among(rows: Rows, others: Rows) -> NDArray[np.bool_]:
    """Which of the rows are among the others. Of some hundred rows a set tells it faster than numpy's table of bits."""
    known = frozenset(others.tolist())
    return np.fromiter((row in known for row in rows.tolist()), dtype=np.bool_, count=len(rows))


class ScoredRows(Struct, frozen=True):
    """Documents with their scores, best first."""

    rows: Rows
    scores: Vector
    # How many there are in all, where the engine found it out in passing.
    total: int | None = None

    def only(self, rows: Rows) -> "ScoredRows":
        """Those that are among the given ones."""
        return self._kept(among(self.rows, rows))

    def without(self, rows: Rows) -> "ScoredRows":
        """Those that are not among the given ones."""
        return self._kept(~among(self.rows, rows))

    def _kept(self, kept: NDArray[np.bool_]) -> "ScoredRows":
        return ScoredRows(self.rows[kept], self.scores[kept])

    def as_shares(self, best: float | None = None, scale: float = 1.0) -> "ScoredRows":
        """With each score as a share of the best one, times a scale."""
        highest = float(self.scores.max(initial=0.0)) if best is None else best
        return ScoredRows(self.rows, np.maximum(self.scores, 0) * np.float32(scale / (highest or 1.0)))

    def above(self, share: float) -> Rows:
        """The rows with at least this share of the best score."""
        return np.asarray(self.rows[self.scores >= share * self.scores.max(initial=0.0)])

    def scores_of(self, rows: Rows) -> Vector:
        """The score of each of the rows given; zero for one that is not among these."""
        scores = dict(zip(self.rows.tolist(), self.scores.tolist(), strict=True))
        return np.array([scores.get(row, 0.0) for row in rows.tolist()], dtype=np.float32)


NO_ROWS = ScoredRows(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))


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


class VectorEngine(Protocol):
    """A vector of each document, by its words or by the sentence model."""

    def of(self, rows: Rows) -> Matrix:
        """The vectors of these documents, a row each; a row of NaN for one that the sentence model has not read yet."""

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        """The nearest documents by cosine, as far as this engine looks for them; ties by row."""


class PassageEngine(Protocol):
    """Finds passages of the documents of one build by words."""

    def ranked(self, queries: Sequence[PassageQuery]) -> list[ScoredPassages]:
        """For each of the queries the best passages; those that are as good in their order."""

    def payloads(self, numbers: Sequence[int]) -> list[bytes]:
        """The payloads of these passages, in this order."""

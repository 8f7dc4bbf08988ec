"""What callers pass to an index, and what it returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Mode = Literal["hybrid", "words", "meaning"]
# `year`: newest first.
Sort = Literal["relevance", "year", "oldest", "title"]


@dataclass(frozen=True)
class Filters:
    """What every hit must match: all facet `values`, none of those in `without`, a year in the range."""

    values: tuple[tuple[str, str], ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    without: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True)
class Request:
    """A search. `facets`: what to count over all hits."""

    query: str
    limit: int = 20
    offset: int = 0
    mode: Mode = "hybrid"
    sort: Sort = "relevance"
    filters: Filters = Filters()
    facets: tuple[str, ...] = ()
    facet_limit: int = 20
    year_limit: int = 20

    def counted(self, facet: str) -> int:
        """How many values of a facet are returned, the commonest ones."""
        return self.year_limit if facet == "year" else self.facet_limit


@dataclass(frozen=True)
class Hit:
    """A document that was found. `matched`: where its words were found, and `meaning` if it was found by meaning."""

    id: str
    title: str
    # None unless hits are ordered by relevance.
    score: float | None
    # The words of the query are between [[[ and ]]].
    snippet: str
    matched: tuple[str, ...]
    payload: bytes


@dataclass(frozen=True)
class Count:
    """How many of the hits have a value."""

    value: str
    count: int


@dataclass(frozen=True)
class Results:
    """A page of hits, and the counts over all hits."""

    hits: tuple[Hit, ...]
    total: int
    # How the search was carried out: a quoted phrase is looked up by words whatever mode was asked for.
    mode: Mode
    facets: Mapping[str, tuple[Count, ...]] = field(default_factory=dict)

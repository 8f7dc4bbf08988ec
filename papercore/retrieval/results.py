"""What is asked of an index and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Mode = Literal["hybrid", "words", "meaning"]
# `year`: newest first.
Sort = Literal["relevance", "year", "oldest", "title"]


@dataclass(frozen=True)
class Filters:
    """What every hit must have: all the given facet values, none of the others, a year in the range."""

    values: tuple[tuple[str, str], ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    without: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True)
class Request:
    """One question. `facets`: what to count over all hits."""

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
        """How many values of a facet are told, the commonest ones."""
        return self.year_limit if facet == "year" else self.facet_limit


@dataclass(frozen=True)
class Hit:
    """One document found. `matched`: where its words were found, and `meaning` when its sense was."""

    id: str
    title: str
    # None where the order is not one of relevance.
    score: float | None
    # [[[ and ]]] around the words that were sought.
    snippet: str
    matched: tuple[str, ...]
    payload: bytes


@dataclass(frozen=True)
class Count:
    """How many of the hits have this value."""

    value: str
    count: int


@dataclass(frozen=True)
class Results:
    """One page of hits, and what was counted over all of them."""

    hits: tuple[Hit, ...]
    total: int
    # How the question was in the end answered: a quoted phrase is looked up by words, whatever was asked for.
    mode: Mode
    facets: Mapping[str, tuple[Count, ...]] = field(default_factory=dict)

"""What a document must match, in terms of the index's fields: the parts that every engine's queries are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log


@dataclass(frozen=True, slots=True)
class Everything:
    """Every document."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No document."""


@dataclass(frozen=True, slots=True)
class HasTerm:
    field: str
    term: str | int


@dataclass(frozen=True, slots=True)
class HasAllTerms:
    """All of the terms. It scores this share of the sum of their rarities (BM25's), however long the text is."""

    field: str
    terms: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class HasSequence:
    """Terms in this order, at these distances."""

    field: str
    placed_terms: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class HasTermStarting:
    """A term with this beginning; with a limit, an engine may try only so many, the commonest."""

    field: str
    start: str
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class InYears:
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class HasValue:
    """A value of a facet, in any case and accents; what to look for instead if no document has it."""

    facet: str
    value: str
    otherwise: "Clause"


@dataclass(frozen=True, slots=True)
class InRows:
    rows: frozenset[int]


@dataclass(frozen=True, slots=True)
class AnyMatch:
    """At least so many of the parts; the more, the higher the score."""

    parts: tuple["Clause", ...]
    at_least: int = 1


@dataclass(frozen=True, slots=True)
class AllMatch:
    """All parts and filters, of which only the parts add to the score, and none of what is excluded."""

    parts: tuple["Clause", ...]
    filters: tuple["Clause", ...] = ()
    excluded: tuple["Clause", ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A part with the same score for every document."""

    part: "Clause"
    score: float


@dataclass(frozen=True, slots=True)
class Boosted:
    part: "Clause"
    factor: float


# Clauses without parts.
SingleClause = Everything | Nothing | HasTerm | HasAllTerms | HasSequence | HasTermStarting | InYears | InRows
Clause = SingleClause | HasValue | AnyMatch | AllMatch | Scored | Boosted


def rarity(documents_with: int, documents: int) -> float:
    """How much BM25 makes of a term that so many documents have."""
    return log(1 + (documents - documents_with + 0.5) / (documents_with + 0.5))


def weighed_parts(parts: Sequence[tuple[Clause, float]], rows: Iterable[int]) -> Clause:
    """Matches those of the rows that match a part; the score is the sum of the weights of the parts they match."""
    scored = tuple(Scored(part, weight) for part, weight in parts)
    return AllMatch((AnyMatch(scored),), filters=(InRows(frozenset(rows)),))

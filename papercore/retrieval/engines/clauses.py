"""What a document must match, in terms of the index's fields. Every engine compiles its queries from these clauses."""

from msgspec import Struct


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

"""Turns clauses into OpenSearch's structured queries. No text of a user reaches a parser: terms were cut out before."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from papercore.retrieval.engines import fields as schema
from papercore.retrieval.engines.clauses import (
    AllMatch,
    AnyMatch,
    Boosted,
    Clause,
    Everything,
    HasAllTerms,
    HasSequence,
    HasTerm,
    HasTermStarting,
    HasValue,
    InRows,
    InYears,
    Nothing,
    Scored,
    SingleClause,
)
from papercore.retrieval.engines.opensearch.cluster import Json
from papercore.retrieval.engines.opensearch.documents import ONCE, spaced
from papercore.retrieval.engines.opensearch.facet_values import FacetValue

# The numbers of facets' values.
Numbers = Mapping[FacetValue, Sequence[int]]


class QueryCompiler:
    """Compiles clauses; `numbers` looks up those of facets' values, all of a query at once."""

    def __init__(self, numbers: Callable[[Sequence[FacetValue]], Numbers]) -> None:
        self._numbers = numbers

    def query(self, clause: Clause) -> Json:
        values = list(dict.fromkeys(_values(clause)))
        return _compiled(clause, self._numbers(values) if values else {})


def _values(clause: Clause) -> Iterator[FacetValue]:
    """The values of facets that a clause asks for."""
    match clause:
        case HasValue(facet, value):
            yield facet, value
        case AnyMatch(parts):
            yield from (found for part in parts for found in _values(part))
        case AllMatch(parts, filters, excluded):
            yield from (found for part in (*parts, *filters, *excluded) for found in _values(part))
        case Boosted(part) | Scored(part):
            yield from _values(part)


def _compiled(clause: Clause, numbers: Numbers) -> Json:
    match clause:
        case AnyMatch(parts, at_least):
            any_of = [_compiled(part, numbers) for part in parts]
            return {"bool": {"should": any_of, "minimum_should_match": at_least}}
        case AllMatch(parts, filters, excluded):
            kinds = {"must": parts, "filter": filters, "must_not": excluded}
            return {
                "bool": {kind: [_compiled(part, numbers) for part in found] for kind, found in kinds.items() if found}
            }
        case Boosted(part, factor):
            return {"bool": {"must": [_compiled(part, numbers)], "boost": factor}}
        case Scored(part, score):
            return {"constant_score": {"filter": _compiled(part, numbers), "boost": score}}
        case HasValue(facet, value, otherwise):
            found = list(numbers.get((facet, value), ()))
            return {"terms": {schema.facet_field(facet): found}} if found else _compiled(otherwise, numbers)
        case _:
            return _single(clause)


def _single(clause: SingleClause) -> Json:
    match clause:
        case HasTerm(field, term):
            return {"term": {field: {"value": str(term)}}}
        case HasAllTerms(field, terms, share):
            # Without lengths and counts of words, BM25 is the rarity alone, in the same measure as its other scores.
            once = [{"term": {f"{field}.{ONCE}": {"value": term}}} for term in terms]
            return {"bool": {"must": once, "boost": share}}
        case HasSequence(field, placed_terms):
            return {"match_phrase": {field: {"query": spaced(placed_terms)}}}
        case HasTermStarting(field, start, _):
            return {"prefix": {field: {"value": start}}}
        case InYears(first, last):
            return {"range": {schema.YEAR: {"gte": first, "lte": last}}}
        case InRows(rows):
            return {"constant_score": {"filter": {"terms": {schema.ROW: sorted(rows)}}, "boost": 0}}
        case Everything():
            return {"match_all": {}}
        case Nothing():
            return {"match_none": {}}

"""Turns clauses into OpenSearch's structured queries. No text of a user reaches a parser: terms were cut out before."""

from collections.abc import Callable, Sequence

from papercore.retrieval.engines import fields
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


class QueryCompiler:
    """Compiles clauses; `numbers` looks up those of a facet's value."""

    def __init__(self, numbers: Callable[[str, str], Sequence[int]]) -> None:
        self._numbers = numbers

    def query(self, clause: Clause) -> Json:
        match clause:
            case AnyMatch(parts, at_least):
                return {"bool": {"should": [self.query(part) for part in parts], "minimum_should_match": at_least}}
            case AllMatch(parts, filters, excluded):
                kinds = {"must": parts, "filter": filters, "must_not": excluded}
                return {"bool": {kind: [self.query(part) for part in found] for kind, found in kinds.items() if found}}
            case Boosted(part, factor):
                return {"bool": {"must": [self.query(part)], "boost": factor}}
            case Scored(part, score):
                return {"constant_score": {"filter": self.query(part), "boost": score}}
            case HasValue(facet, value, otherwise):
                found = list(self._numbers(facet, value))
                return {"terms": {fields.facet_field(facet): found}} if found else self.query(otherwise)
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
            return {"range": {fields.YEAR: {"gte": first, "lte": last}}}
        case InRows(rows):
            return {"constant_score": {"filter": {"terms": {fields.ROW: sorted(rows)}}, "boost": 0}}
        case Everything():
            return {"match_all": {}}
        case Nothing():
            return {"match_none": {}}

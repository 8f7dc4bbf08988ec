"""Turns clauses into tantivy's queries."""

from collections.abc import Mapping, Sequence

import tantivy
from tantivy import Occur, Query

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
from papercore.retrieval.engines.embedded.facets import FacetValueTable
from papercore.text import rarity


class QueryCompiler:
    """Compiles the clauses of queries to one opened word index."""

    def __init__(self, index: tantivy.Index, searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable]) -> None:
        self.schema = index.schema
        self.searcher = searcher
        self.values = values

    def query(self, clause: Clause) -> Query:
        match clause:
            case AnyMatch(parts, at_least):
                return _any([self.query(part) for part in parts], at_least)
            case AllMatch(parts, filters, excluded):
                return self._all(parts, filters, excluded)
            case Boosted(part, factor):
                return Query.boost_query(self.query(part), factor)
            case Scored(part, score):
                return Query.const_score_query(self.query(part), score)
            case HasValue(facet, value, otherwise):
                numbers = self.values[facet].numbers(value)
                field = fields.facet_field(facet)
                return _any([self._term(field, number) for number in numbers]) if numbers else self.query(otherwise)
            case _:
                return self._single(clause)

    def _single(self, clause: SingleClause) -> Query:
        match clause:
            case HasTerm(field, term):
                return self._term(field, term)
            case HasAllTerms(field, terms, share):
                required = Query.boolean_query([(Occur.Must, self._term(field, term)) for term in terms])
                counts = [self.searcher.doc_freq(field, term) for term in terms]
                weight = sum(rarity(count, self.searcher.num_docs) for count in counts)
                return Query.const_score_query(required, share * weight)
            case HasSequence(field, placed_terms):
                return Query.phrase_query(self.schema, field, list(placed_terms))
            case HasTermStarting(field, start, limit):
                return self._starting(field, start, limit)
            case InYears(first, last):
                return Query.range_query(self.schema, fields.YEAR, tantivy.FieldType.Integer, first, last)
            case InRows(rows):
                # A query for each row is faster than a set of terms in a field of numbers.
                return Query.const_score_query(_any([self._term(fields.ROW, row) for row in rows]), 0.0)
            case Everything():
                return Query.all_query()
            case Nothing():
                return Query.empty_query()

    def _term(self, field: str, term: str | int) -> Query:
        return Query.term_query(self.schema, field, term)

    def _all(self, parts: Sequence[Clause], filters: Sequence[Clause], excluded: Sequence[Clause]) -> Query:
        required = [(Occur.Must, self.query(part)) for part in parts]
        unscored = [(Occur.Must, Query.const_score_query(self.query(part), 0.0)) for part in filters]
        return Query.boolean_query([*required, *unscored, *((Occur.MustNot, self.query(part)) for part in excluded)])

    def _starting(self, field: str, start: str, limit: int | None) -> Query:
        if limit is None:
            return Query.regex_query(self.schema, field, f"{start}.*")
        found = self.searcher.terms_with_prefix(field, start, limit=limit)
        return _any([self._term(field, term) for term, _ in found])


def _any(parts: list[Query], at_least: int = 1) -> Query:
    if not parts:
        return Query.empty_query()
    if at_least == 1:
        return Query.boolean_query([(Occur.Should, part) for part in parts])
    return Query.boolean_query([(Occur.Should, part) for part in parts], minimum_number_should_match=at_least)

"""Turns a parsed query into one for the word index: BM25 over any word, plus what is required and excluded."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil

import tantivy
from tantivy import Occur, Query

from papercore.retrieval import analysis, schema
from papercore.retrieval.facets import FacetValueTable
from papercore.retrieval.query import AllOf, AnyOf, Field, Identifier, Node, Not, Phrase, Prefix, Words, Years

# Chosen by cross-validation over three judged collections; the quality is flat around them.
TITLE_BOOST = 0.3
PAIR_BOOST = 0.1
# Of a run of CJK characters, the share of its pairs that must occur.
CJK_SHARE = 0.6
# How many words, the commonest, an unfinished one may be completed to.
COMPLETIONS = 30
# A shorter unfinished word could become too much of the dictionary.
PREFIX_CHARS = 2


class WordQueries:
    """Builds queries for one opened word index.

    Without `ranking` they match the same documents for a fraction of the cost, unranked.
    """

    def __init__(
        self, index: tantivy.Index, searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable], *, ranking: bool
    ) -> None:
        self.schema = index.schema
        self.searcher = searcher
        self.values = values
        self.ranking = ranking

    def of(self, node: Node | None) -> Query:
        """The query for a parsed tree; every document if there is none."""
        return Query.all_query() if node is None else self._of(node)

    def _of(self, node: Node) -> Query:
        match node:
            case Words():
                return self._words(node)
            case Phrase(text):
                return self._phrase(schema.ALL, text)
            case Prefix(text):
                return self._prefix(text)
            case Field(name, value):
                return self._field(name, value)
            case Years(first, last):
                return self.years(first, last)
            case Identifier(key):
                return self._identifier(key)
            case AnyOf(parts):
                return _any([self.of(part) for part in parts])
            case AllOf(parts):
                return self._all_of(parts)
            case Not(part):
                return self._all_of((Not(part),))

    def years(self, first: int | None, last: int | None) -> Query:
        """Documents of these years; a document without a year is in no range."""
        low = max(first or 0, schema.NO_YEAR + 1)
        kind = tantivy.FieldType.Integer
        return _filter(
            Query.range_query(self.schema, schema.YEAR, kind, low, schema.LAST_YEAR if last is None else last)
        )

    def value(self, facet: str, value: str) -> Query:
        """Documents with this facet value in any case and accents; if there is none, with its words in a value."""
        if facet not in self.values:
            return Query.empty_query()
        if numbers := self.values[facet].numbers(value):
            return _filter(_any([self._term(schema.facet_field(facet), number) for number in numbers]))
        return _filter(self._name(schema.words_field(facet), value))

    def document_id(self, document_id: str) -> Query:
        return self._term(schema.STORED_ID, document_id)

    def title(self, text: str) -> Query:
        """Documents with exactly this title."""
        return self._term(schema.TITLE_HASH, analysis.key_hash(text))

    def has_title(self, text: str) -> bool:
        return bool(self.searcher.doc_freq(schema.TITLE_HASH, analysis.key_hash(text)))

    def rows(self, rows: Iterable[int]) -> Query:
        """Documents by their rows. A query for each row is faster than a set of terms in a field of numbers."""
        return _filter(_any([self._term(schema.ROW, row) for row in rows]))

    def _all_of(self, parts: Sequence[Node]) -> Query:
        wanted = [(Occur.Must, self.of(part)) for part in parts if not isinstance(part, Not)]
        excluded = [(Occur.MustNot, self.of(part.part)) for part in parts if isinstance(part, Not)]
        return Query.boolean_query([*(wanted or [(Occur.Must, Query.all_query())]), *excluded])

    def _term(self, field: str, term: str | int) -> Query:
        return Query.term_query(self.schema, field, term)

    def _words(self, node: Words) -> Query:
        """Any of the words; those in the title and neighbours that stay together count a little more."""
        text = " ".join(node.words)
        terms = analysis.text_terms(analysis.CJK_RUN.sub(" ", text))
        parts = self._ranked(terms) if self.ranking else [self._term(schema.ALL, term) for term in set(terms)]
        parts += [self._cjk_run(run) for run in analysis.CJK_RUN.findall(text)]
        return _any(parts) if parts else self._stop_words(text)

    def _stop_words(self, text: str) -> Query:
        """Stop words alone, as in "The Who": looked up in the titles, which keep them."""
        return self._all(schema.TITLE_WORDS, analysis.name_terms(text))

    def _all(self, field: str, terms: list[str]) -> Query:
        required = [(Occur.Must, self._term(field, term)) for term in terms]
        return Query.boolean_query(required) if required else Query.empty_query()

    def _ranked(self, terms: list[str]) -> list[Query]:
        parts = []
        for term, times in Counter(terms).items():
            parts.append(Query.boost_query(self._term(schema.ALL, term), times))
            parts.append(Query.boost_query(self._term(schema.TITLE, term), TITLE_BOOST * times))
        pairs = [pair for pair in dict.fromkeys(pairwise(terms)) if pair[0] != pair[1]]
        for pair in pairs:
            near = Query.phrase_query(self.schema, schema.ALL, list(pair))
            parts.append(Query.boost_query(near, PAIR_BOOST))
        return parts

    def _cjk_run(self, run: str) -> Query:
        """A run without blanks is several words: most of its pairs of characters must occur, in any order."""
        if len(run) == 1:
            return Query.regex_query(self.schema, schema.ALL, f"{run}.?")
        parts = [(Occur.Should, self._term(schema.ALL, pair)) for pair in analysis.pairs(run)]
        return Query.boolean_query(parts, minimum_number_should_match=ceil(CJK_SHARE * len(parts)))

    def _phrase(self, field: str, text: str) -> Query:
        """The words in this order; in place of stop words between them there may be any words."""
        placed = analysis.placed_terms(text)
        if len(placed) > 1:
            return Query.phrase_query(self.schema, field, list(placed))
        return self._term(field, placed[0][1]) if placed else self._stop_words(text)

    def _name(self, field: str, text: str) -> Query:
        terms = analysis.name_terms(text)
        return Query.phrase_query(self.schema, field, list(terms)) if len(terms) > 1 else self._all(field, terms)

    def _identifier(self, key: str) -> Query:
        """The document with this identifier, before those that mention it."""
        exact = Query.const_score_query(self._term(schema.IDENTIFIER, key), 100.0)
        return _any([exact, self._phrase(schema.ALL, key)])

    def _field(self, name: str, value: Phrase | Prefix | Words) -> Query:
        if name == schema.TITLE:
            return self._title_field(value)
        field = schema.words_field(name)
        match value:
            case Phrase(text):
                return self._name(field, text)
            case Prefix(text):
                return self._completions(field, text)
            case Words(words):
                return self._all(field, analysis.name_terms(" ".join(words)))

    def _title_field(self, value: Phrase | Prefix | Words) -> Query:
        match value:
            case Phrase(text):
                return self._phrase(schema.TITLE, text)
            case Prefix(text):
                return self._completions(schema.TITLE_WORDS, text)
            case Words(words):
                terms = analysis.text_terms(" ".join(words))
                return self._all(schema.TITLE, terms) if terms else self._stop_words(" ".join(words))

    def _prefix(self, text: str) -> Query:
        """An unfinished word: as it is, and completed."""
        last = analysis.name_terms(text)[-1:]
        if not last:
            return Query.empty_query()
        whole = [self._term(schema.ALL, term) for term in analysis.text_terms(text)]
        fields = (schema.ALL, schema.TITLE_WORDS, *map(schema.words_field, self.values))
        longer = [self._completions(field, last[0]) for field in fields]
        return _any([*whole, *longer])

    def _completions(self, field: str, text: str) -> Query:
        start = "".join(analysis.name_terms(text)[-1:])
        if len(start) < PREFIX_CHARS and start.isascii():
            return Query.empty_query()
        found = self.searcher.terms_with_prefix(field, start, limit=COMPLETIONS)
        return _any([self._term(field, term) for term, _ in found])


def _any(parts: list[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, part) for part in parts]) if parts else Query.empty_query()


def _filter(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)

"""Turns a parsed query into clauses over the index's fields: any word by BM25, plus what is required and excluded."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.query import (
    AllOf,
    AnyOf,
    Field,
    IdentifierQuery,
    Node,
    Not,
    Phrase,
    Prefix,
    Words,
    Years,
)
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
)
from papercore.retrieval.engines.interface import HitSet, WordQuery
from papercore.text import cjk_pairs

# Chosen by cross-validation over three judged collections; the quality is flat around them.
TITLE_BOOST = 0.3
PAIR_BOOST = 0.1
# For a document that has all words of a question, a share of their rarity: BM25 gives a long text next to nothing for
# any of them. Longer questions are never matched as a whole.
TOGETHER_SHARE = 0.7
TOGETHER_WORDS = 12
# What the levels of the words that a document has must add up to, where there is a floor.
FLOOR_LEVELS = 4
# The ways to reach it: of the terms with one of these levels at least so many. Each term is in as few ways as possible,
# because reading the documents of common terms is what a search costs.
_WAYS: tuple[tuple[tuple[tuple[int, ...], int], ...], ...] = (
    (((4,), 1),),
    (((3,), 1), ((1, 2), 1)),
    (((3,), 2),),
    (((2,), 2),),
    (((2,), 1), ((1,), 2)),
    (((1,), 4),),
)
# Of a run of CJK characters, the share of its pairs that must occur.
CJK_SHARE = 0.6
# How many words, the commonest, an unfinished one may be completed to.
COMPLETIONS = 30
# A shorter unfinished word could become too much of the dictionary.
PREFIX_CHARS = 2
# Above every score by words.
EXACT_TITLE_SCORE = 10_000.0
IDENTIFIER_SCORE = 100.0


class WordClauses:
    """Builds the clauses of queries to an index with these facets.

    Without `ranking` they match the same documents for a fraction of the cost, unranked.
    """

    def __init__(self, facets: Sequence[str], *, ranking: bool) -> None:
        self.facets = tuple(facets)
        self.ranking = ranking

    def query(self, query: WordQuery) -> Clause:
        """What a document must match to be found by this query."""
        found = self.of(query.node)
        if query.exact_title is not None:
            found = AnyMatch((Scored(has_title(query.exact_title), EXACT_TITLE_SCORE), found))
        asked = query.filters
        filters = [_any([self._value(name, value) for value in values]) for name, values in asked.alternatives.items()]
        if asked.years != (None, None):
            filters.append(_years(*asked.years))
        if asked.without:
            excluded = tuple(self._value(name, value) for name, value in asked.without)
            filters.append(AllMatch((Everything(),), excluded=excluded))
        return AllMatch((found,), tuple(filters)) if filters else found

    def hits(self, hits: HitSet) -> Clause:
        """What a document must match to be among these hits."""
        parts = [*([self.query(hits.query)] if hits.query else []), *([InRows(hits.rows)] if hits.rows else [])]
        return parts[0] if len(parts) == 1 else _any(parts)

    def of(self, node: Node | None) -> Clause:
        """The clause of a parsed tree; every document if there is none."""
        match node:
            case None:
                return Everything()
            case Words():
                return self._words(node)
            case Phrase(text):
                return _phrase(fields.ALL, text)
            case Prefix(text):
                return self._prefix(text)
            case Field(name, value):
                return _field(name, value)
            case Years(first, last):
                return _years(first, last)
            case IdentifierQuery(key):
                # The document with this identifier, before those that mention it.
                named = Scored(HasTerm(fields.IDENTIFIER, key), IDENTIFIER_SCORE)
                return AnyMatch((named, _phrase(fields.ALL, key)))
            case AnyOf(parts):
                return _any([self.of(part) for part in parts])
            case AllOf() | Not():
                parts = node.parts if isinstance(node, AllOf) else (node,)
                wanted = tuple(self.of(part) for part in parts if not isinstance(part, Not))
                excluded = tuple(self.of(part.part) for part in parts if isinstance(part, Not))
                return AllMatch(wanted or (Everything(),), excluded=excluded)

    def _value(self, facet: str, value: str) -> Clause:
        """Documents with this facet value in any case and accents; if there is none, with its words in a value."""
        if facet not in self.facets:
            return Nothing()
        return HasValue(facet, value, _name(fields.words_field(facet), value))

    def _words(self, node: Words) -> Clause:
        """Any of the words; those in the title and neighbours that stay together count a little more."""
        text = " ".join(node.words)
        terms = analysis.text_terms(analysis.CJK_RUN.sub(" ", text))
        parts = _ranked(terms) if self.ranking else [HasTerm(fields.ALL, term) for term in set(terms)]
        parts += [cjk_run(run) for run in analysis.CJK_RUN.findall(text)]
        if not parts:
            return _stop_words(text)
        if not node.levels:
            return _any(parts)
        return AllMatch((_any(parts),), filters=(_enough(node.levels),)) if self.ranking else _enough(node.levels)

    def _prefix(self, text: str) -> Clause:
        """An unfinished word: as it is, and completed."""
        last = analysis.name_terms(text)[-1:]
        if not last:
            return Nothing()
        whole = [HasTerm(fields.ALL, term) for term in analysis.text_terms(text)]
        searched = (fields.ALL, fields.TITLE_WORDS, *map(fields.words_field, self.facets))
        return _any([*whole, *(_completed(field, last[0]) for field in searched)])


def has_title(text: str) -> HasTerm:
    """Documents with exactly this title."""
    return HasTerm(fields.TITLE_HASH, analysis.key_hash(text))


def weighed_parts(parts: Sequence[tuple[Clause, float]], rows: Iterable[int]) -> Clause:
    """Matches those of the rows that match a part; the score is the sum of the weights of the parts they match."""
    scored = tuple(Scored(part, weight) for part, weight in parts)
    return AllMatch((AnyMatch(scored),), filters=(InRows(frozenset(rows)),))


def _any(parts: Sequence[Clause]) -> Clause:
    return AnyMatch(tuple(parts)) if parts else Nothing()


def _all(field: str, terms: Sequence[str]) -> Clause:
    return AllMatch(tuple(HasTerm(field, term) for term in terms)) if terms else Nothing()


def _stop_words(text: str) -> Clause:
    """Stop words alone, as in "The Who": looked up in the titles, which keep them."""
    return _all(fields.TITLE_WORDS, analysis.name_terms(text))


def _ranked(terms: list[str]) -> list[Clause]:
    parts: list[Clause] = []
    for term, times in Counter(terms).items():
        parts.append(Boosted(HasTerm(fields.ALL, term), times))
        parts.append(Boosted(HasTerm(fields.TITLE, term), TITLE_BOOST * times))
    pairs = [pair for pair in dict.fromkeys(pairwise(terms)) if pair[0] != pair[1]]
    parts += [Boosted(HasSequence(fields.ALL, tuple(enumerate(pair))), PAIR_BOOST) for pair in pairs]
    words = tuple(dict.fromkeys(terms))
    if 2 <= len(words) <= TOGETHER_WORDS:
        parts.append(HasAllTerms(fields.ALL, words, TOGETHER_SHARE))
    return parts


def _enough(levels: Sequence[tuple[str, int]]) -> Clause:
    """Terms whose levels add up to FLOOR_LEVELS: one of the greatest, or two of half of it, and so on."""
    graded = [(cjk_run(term) if analysis.CJK_RUN.match(term) else HasTerm(fields.ALL, term), n) for term, n in levels]
    ways = []
    for way in _WAYS:
        needed = [(tuple(clause for clause, level in graded if level in among), count) for among, count in way]
        if all(len(clauses) >= count for clauses, count in needed):
            ways.append(AllMatch(tuple(AnyMatch(clauses, count) for clauses, count in needed)))
    return _any(ways)


def cjk_run(run: str) -> Clause:
    """A run without blanks is several words: most of its pairs of characters must occur, in any order."""
    if len(run) == 1:
        return HasTermStarting(fields.ALL, run)
    parts = tuple(HasTerm(fields.ALL, pair) for pair in cjk_pairs(run))
    return AnyMatch(parts, at_least=ceil(CJK_SHARE * len(parts)))


def _years(first: int | None, last: int | None) -> Clause:
    """Documents of these years; a document without a year is in no range."""
    return Scored(InYears(max(first or 0, fields.NO_YEAR + 1), fields.LAST_YEAR if last is None else last), 0.0)


def _phrase(field: str, text: str) -> Clause:
    """The words in this order; in place of stop words between them there may be any words."""
    placed = analysis.placed_terms(text)
    if len(placed) > 1:
        return HasSequence(field, tuple(placed))
    return HasTerm(field, placed[0][1]) if placed else _stop_words(text)


def _name(field: str, text: str) -> Clause:
    terms = analysis.name_terms(text)
    return HasSequence(field, tuple(enumerate(terms))) if len(terms) > 1 else _all(field, terms)


def _field(name: str, value: Phrase | Prefix | Words) -> Clause:
    """A title's words are found as in texts, those of other fields as in names."""
    in_title = name == fields.TITLE
    match value:
        case Phrase(text) if name == fields.COINED:
            return HasTerm(fields.COINED, text)
        case Phrase(text):
            return _phrase(fields.TITLE, text) if in_title else _name(fields.words_field(name), text)
        case Prefix(text):
            return _completed(fields.TITLE_WORDS if in_title else fields.words_field(name), text)
        case Words(words):
            text = " ".join(words)
            if not in_title:
                return _all(fields.words_field(name), analysis.name_terms(text))
            terms = analysis.text_terms(text)
            return _all(fields.TITLE, terms) if terms else _stop_words(text)


def _completed(field: str, text: str) -> Clause:
    start = "".join(analysis.name_terms(text)[-1:])
    if len(start) < PREFIX_CHARS and start.isascii():
        return Nothing()
    return HasTermStarting(field, start, COMPLETIONS)

"""Search in the snapshot's own full-text table, for a library without an index."""

import json

from msgspec import Struct

from papercore import limits
from papercore.retrieval import QueryTerms, best_snippet
from papercore.snapshot import fulltext as snapshot_words
from papercore.snapshot.fulltext import query_terms, without_cjk_blanks
from papers.snapshot.served import connection


class Row(Struct, frozen=True):
    """A row of the full-text table and the paper it is about."""

    rowid: int
    paper_id: str


def match_expression(query: str) -> str:
    """FTS5 syntax for papers that have any of the query's phrases and words."""
    return snapshot_words.match_expression(query_terms(query))


def ranked(expression: str, limit: int) -> list[Row]:
    """The best rows. Ranking row ids alone and fetching snippets later is what makes it fast."""
    with connection().cursor() as cursor:
        rows = cursor.execute(
            "SELECT rowid, paper_id FROM paper_fts WHERE paper_fts MATCH %s AND rank MATCH %s ORDER BY rank LIMIT %s",
            [expression, snapshot_words.RANK, limit],
        ).fetchall()
    return [Row(*row) for row in rows]


def sought_terms(query: str) -> QueryTerms:
    """The words to mark in titles and snippets."""
    terms = map(without_cjk_blanks, query_terms(query))
    return QueryTerms.of_words(word for term in terms for word in term.split())


def snippets(query: str, rowids: list[int]) -> dict[int, str]:
    """By row, the stretch with most of the query's words.

    FTS5's own snippet() is quadratic in the number of matches, and no time limit can interrupt it.
    """
    sought = sought_terms(query)
    with connection().cursor() as cursor:
        rows = cursor.execute(
            "SELECT rowid, substr(summary, 1, %s), substr(source, 1, %s), substr(translated, 1, %s), title, metadata"
            " FROM paper_fts WHERE rowid IN (SELECT value FROM json_each(%s))",
            [limits.SNIPPET_TEXT_CHARS] * 3 + [json.dumps(rowids)],
        ).fetchall()
    return {rowid: best_snippet([without_cjk_blanks(text) for text in texts], sought) for rowid, *texts in rows}

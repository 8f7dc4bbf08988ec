"""Search by the snapshot's own full-text table: what serves a library that has no index."""

import json
import re
from dataclasses import dataclass

from papercore import limits, snapshot_words
from papercore.retrieval.query import Words
from papercore.retrieval.snippets import OPEN, Sought, in_context, opening
from papercore.snapshot_words import query_terms, without_cjk_blanks
from papers.snapshot.served import connection

DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
ARXIV = re.compile(
    r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Row:
    """A row of the full-text table and the paper it is about."""

    rowid: int
    paper_id: str


def identifier_key(query: str) -> str | None:
    """The paper key that a query names, if it is a DOI or an arXiv id and nothing else."""
    text = query.strip()
    if doi := DOI.match(text):
        return "doi:" + doi[1].lower().rstrip(".,;)")
    if arxiv := ARXIV.match(text):
        return "arxiv:" + arxiv[1].lower()
    return None


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


def snippets(query: str, rowids: list[int]) -> dict[int, str]:
    """By row, the place with most of the query's words. FTS5's own snippet() costs the square of the places that
    match, which a long text and a common word make minutes, and no time limit reaches into it."""
    sought = Sought.of(Words(tuple(word for term in query_terms(query) for word in without_cjk_blanks(term).split())))
    with connection().cursor() as cursor:
        rows = cursor.execute(
            "SELECT rowid, substr(summary, 1, %s), substr(source, 1, %s), substr(translated, 1, %s), title, metadata"
            " FROM paper_fts WHERE rowid IN (SELECT value FROM json_each(%s))",
            [limits.SNIPPET_TEXT_CHARS] * 3 + [json.dumps(rowids)],
        ).fetchall()
    return {rowid: _snippet([without_cjk_blanks(text) for text in texts], sought) for rowid, *texts in rows}


def _snippet(texts: list[str], sought: Sought) -> str:
    found = [shown for text in texts if (shown := in_context(text, sought))]
    return max(found, key=lambda shown: shown.count(OPEN), default="") or opening(next(filter(None, texts), ""))

"""Search by the snapshot's own full-text table: what serves a library that has no index."""

import re
import unicodedata
from dataclasses import dataclass

from papers.models import PaperKeyAlias
from papers.snapshot import connection

# Weights of paper_id (not indexed), title, summary, source, translated, metadata.
RANK = "bm25(0.0, 5.0, 3.0, 1.0, 1.0, 2.0)"
SNIPPET_WORDS = 24
CJK = re.compile(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f])")
DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
ARXIV = re.compile(
    r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Match:
    paper_id: str
    snippet: str


@dataclass(frozen=True)
class Matches:
    hits: list[Match]
    total: int


def search(query: str, limit: int, offset: int) -> Matches:
    """Papers that hold any word of the query, best first; an identifier finds its paper."""
    if key := identifier_key(query):
        found = PaperKeyAlias.objects.filter(paper_key=key).values_list("paper_id", "paper__summary_preview")[:1]
        if found:
            return Matches([Match(*row) for row in list(found)[offset:]], 1)
    expression = match_expression(query)
    return ranked(expression, limit, offset) if expression else Matches([], 0)


def identifier_key(query: str) -> str | None:
    """The paper key that a query names, if it is a DOI or an arXiv id and nothing else."""
    text = query.strip()
    if doi := DOI.match(text):
        return "doi:" + doi[1].lower().rstrip(".,;)")
    if arxiv := ARXIV.match(text):
        return "arxiv:" + arxiv[1].lower()
    return None


def match_expression(query: str) -> str:
    """The one place where a user's text becomes FTS5 syntax: quoted phrases and words, any of which may match."""
    text = unicodedata.normalize("NFC", query.replace("\0", " "))
    quoted = re.findall(r'"([^"]*)"', text)
    words = re.sub(r'"[^"]*"', " ", text).replace('"', " ").split()
    terms = [CJK.sub(r" \1 ", term) for term in quoted + words if any(map(str.isalnum, term))]
    return " OR ".join(f'"{" ".join(term.split())}"' for term in terms)


def ranked(expression: str, limit: int, offset: int) -> Matches:
    """Two phases: rank row ids alone, then fetch snippets for the few rows that are shown."""
    with connection().cursor() as cursor:
        total = cursor.execute("SELECT count(*) FROM paper_fts WHERE paper_fts MATCH %s", [expression]).fetchone()[0]
        rowids = cursor.execute(
            "SELECT rowid FROM paper_fts WHERE paper_fts MATCH %s AND rank MATCH %s ORDER BY rank LIMIT %s OFFSET %s",
            [expression, RANK, limit, offset],
        ).fetchall()
        rows = {row[0]: Match(*row[1:]) for row in _snippets(expression, [rowid for (rowid,) in rowids])}
    return Matches([rows[rowid] for (rowid,) in rowids], total)


def _snippets(expression: str, rowids: list[int]) -> list[tuple[int, str, str]]:
    places = ", ".join(["%s"] * len(rowids))
    with connection().cursor() as cursor:
        cursor.execute(
            f"SELECT rowid, paper_id, snippet(paper_fts, -1, '[[[', ']]]', '…', {SNIPPET_WORDS}) "  # noqa: S608 (constants)
            f"FROM paper_fts WHERE paper_fts MATCH %s AND rowid IN ({places})",
            [expression, *rowids],
        )
        rows: list[tuple[int, str, str]] = cursor.fetchall()
        return rows

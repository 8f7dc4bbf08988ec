"""All hand-written SQL on a snapshot; everything else goes through the models.

Each function takes the connection it asks: that of the snapshot being served, or SQLite's own to another file. What a
list needs of many papers comes in one statement, however many they are.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, get_args

from django.db.models import Q
from django.db.models.expressions import RawSQL
from msgspec import Struct

from papercore.snapshot.fulltext import RANK
from papers.snapshot.base import ALIAS
from papers.snapshot.models import Paper, PaperBibtex

Linked = Literal["author", "venue", "keyword", "tag", "institution", "template", "language", "key", "bibtex"]
Kind = Linked | Literal["title", "source", "pdf"]
LINKED: tuple[Kind, ...] = get_args(Linked)
# What tells that a paper is there, and which texts it has.
TEXT_KINDS: tuple[Kind, ...] = ("title", "template", "language", "source", "bibtex", "pdf")
Links = dict[str, list[str]]

_GIVEN = "WITH given (paper_id) AS (SELECT value FROM json_each(?))"
_VALUES = "SELECT paper_id, '{0}', value FROM given JOIN paper_{0} USING (paper_id) JOIN {0} USING ({0}_id)"
_LINKS: dict[Kind, str] = {
    "author": _VALUES.format("author"),
    "venue": _VALUES.format("venue"),
    "keyword": _VALUES.format("keyword"),
    "tag": _VALUES.format("tag"),
    "institution": _VALUES.format("institution"),
    "template": "SELECT paper_id, 'template', template_tag FROM given JOIN paper_summary USING (paper_id)",
    "language": "SELECT paper_id, 'language', lang FROM given JOIN paper_translation USING (paper_id)",
    "key": "SELECT paper_id, 'key', paper_key FROM given JOIN paper_key_alias USING (paper_id)"
    " WHERE paper_key_type IN ('doi', 'arxiv')",
    "bibtex": "SELECT paper_id, 'bibtex', '' FROM given JOIN paper_bibtex USING (paper_id)",
    "title": "SELECT paper_id, 'title', title FROM given JOIN paper USING (paper_id)",
    "source": "SELECT paper_id, 'source', source_md_content_hash FROM given JOIN paper USING (paper_id)"
    " WHERE source_md_content_hash IS NOT NULL",
    "pdf": "SELECT paper_id, 'pdf', pdf_content_hash FROM given JOIN paper USING (paper_id)"
    " WHERE pdf_content_hash IS NOT NULL",
}
_COUNTED_VALUES = "SELECT value, count(*) FROM paper_{0} JOIN {0} USING ({0}_id) WHERE {{within}} GROUP BY 1"
# `{within}` is the condition that a paper is one of those counted.
_COUNTS = {name: _COUNTED_VALUES.format(name) for name in ("author", "venue", "keyword", "institution", "tag")} | {
    "template": "SELECT template_tag, count(*) FROM paper_summary WHERE {within} GROUP BY 1",
    "year": "SELECT year, count(*) FROM paper WHERE year <> 'unknown' AND {within} GROUP BY 1",
    # A paper has a language when its summary or a translation is in it.
    "language": """SELECT lang, count(*) FROM (SELECT paper_id, lang FROM paper_translation
      UNION SELECT paper_id, output_language FROM paper WHERE output_language <> '') WHERE {within} GROUP BY 1""",
    "has": """SELECT what, count(*) FROM (SELECT paper_id, 'source' AS what FROM paper
        WHERE source_md_content_hash IS NOT NULL
      UNION SELECT paper_id, 'pdf' FROM paper WHERE pdf_content_hash IS NOT NULL
      UNION SELECT paper_id, 'translation' FROM paper_translation
      UNION SELECT paper_id, 'bibtex' FROM paper_bibtex) WHERE {within} GROUP BY 1""",
}
# Shared keywords and tags say more than a shared venue; a rare one more than a common one.
_SHARING = """
SELECT other.paper_id, sum(1.0 / node.paper_count) AS weight
FROM paper_facet mine
JOIN facet_node node ON node.node_id = mine.node_id AND node.facet_type IN ('keyword', 'tag', 'author')
JOIN paper_facet other ON other.node_id = mine.node_id AND other.paper_id <> mine.paper_id
WHERE mine.paper_id = ? AND node.paper_count BETWEEN 2 AND 2000
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?
"""
_RANKED = "SELECT rowid, paper_id FROM paper_fts WHERE paper_fts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
_SNIPPET_TEXTS = """
SELECT rowid, substr(summary, 1, :chars), substr(source, 1, :chars), substr(translated, 1, :chars), title, metadata
FROM paper_fts WHERE rowid IN (SELECT value FROM json_each(:rows))
"""
# Builds give a paper the same row in both tables; otherwise all of it would have to be looked through.
_SAME_ROW = """
SELECT f.rowid FROM paper AS p JOIN paper_fts AS f ON f.rowid = p.rowid
WHERE p.paper_id = ? AND f.paper_id = p.paper_id
"""


class Queryable(Protocol):
    """A connection to a snapshot."""

    # Any: rows of any shape.
    def execute(self, sql: str, parameters: Any = ..., /) -> Iterable[tuple[Any, ...]]: ...


class FulltextRow(Struct, frozen=True):
    """A paper's row in the full-text table; a paper may be missing from it."""

    paper_id: str
    rowid: int | None


def year_number(text: str) -> int | None:
    """A year or month as the tables have it, where `unknown` and worse occur."""
    return int(text) if text.isascii() and text.isdigit() else None


def papers_with_ids(snapshot: Queryable, paper_ids: Iterable[str]) -> dict[str, Paper]:
    """By id, in the order given; without those that the snapshot does not have."""
    columns = [field.attname for field in Paper._meta.concrete_fields]
    sql = f"{_GIVEN} SELECT {', '.join(columns)} FROM given CROSS JOIN paper USING (paper_id)"  # noqa: S608 (our names)
    papers = (Paper.from_db(ALIAS, columns, row) for row in snapshot.execute(sql, [json.dumps(list(paper_ids))]))
    return {paper.paper_id: paper for paper in papers}


def links_of_papers(snapshot: Queryable, paper_ids: Sequence[str], kinds: Sequence[Kind] = LINKED) -> dict[str, Links]:
    """What the other tables say of papers, by paper and kind, in alphabetical order; nothing is an empty list."""
    sql = f"{_GIVEN} {' UNION ALL '.join(_LINKS[kind] for kind in kinds)}"
    found: dict[str, Links] = {paper_id: defaultdict(list) for paper_id in paper_ids}
    for paper_id, kind, value in snapshot.execute(sql, [json.dumps(list(paper_ids))]):
        found[paper_id][kind].append(value)
    for links in found.values():
        for values in links.values():
            values.sort(key=str)
    return found


def translation_hashes(snapshot: Queryable, paper_ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """By paper and language, the hash of the translation's content."""
    select = "SELECT paper_id, lang, md_content_hash FROM given JOIN paper_translation USING (paper_id) ORDER BY lang"
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for paper_id, lang, sha256 in snapshot.execute(f"{_GIVEN} {select}", [json.dumps(list(paper_ids))]):
        found[paper_id][lang] = sha256
    return found


def bibtex_entries(snapshot: Queryable, paper_ids: Iterable[str]) -> dict[str, PaperBibtex]:
    """The stored entries of those papers that have one."""
    columns = [field.attname for field in PaperBibtex._meta.concrete_fields]
    sql = f"{_GIVEN} SELECT {', '.join(columns)} FROM given JOIN paper_bibtex USING (paper_id)"  # noqa: S608 (our names)
    entries = (PaperBibtex.from_db(ALIAS, columns, row) for row in snapshot.execute(sql, [json.dumps(list(paper_ids))]))
    return {entry.paper_id: entry for entry in entries}


def facet_counts(
    snapshot: Queryable, facet: str, limit: int, paper_ids: Iterable[str] | None = None
) -> list[tuple[str, int]]:
    """The commonest values of a facet among these papers, or all, as the tables have them."""
    within = "TRUE" if paper_ids is None else "paper_id IN (SELECT value FROM json_each(?))"
    given = [] if paper_ids is None else [json.dumps(list(paper_ids))]
    sql = f"{_COUNTS[facet]} ORDER BY 2 DESC, 1 LIMIT {limit:d}".format(within=within)
    return [(value, count) for value, count in snapshot.execute(sql, given)]


def papers_sharing_facets(snapshot: Queryable, paper_id: str, limit: int) -> list[str]:
    """The papers that share most keywords, tags and authors with one paper."""
    return [other for other, _ in snapshot.execute(_SHARING, [paper_id, limit])]


def papers_with_words(snapshot: Queryable, expression: str, limit: int) -> list[str]:
    """Papers whose texts match an expression of FTS5, in no order."""
    sql = "SELECT paper_id FROM paper_fts WHERE paper_fts MATCH ? LIMIT ?"
    return [paper_id for (paper_id,) in snapshot.execute(sql, [expression, limit])]


def has_words(expression: str) -> Q:
    """The same as a condition on papers."""
    return Q(pk__in=RawSQL("SELECT paper_id FROM paper_fts WHERE paper_fts MATCH %s", [expression]))


def ranked_rows(snapshot: Queryable, expression: str, limit: int) -> list[FulltextRow]:
    """The best rows for an expression. Ranking row ids alone and fetching texts later is what makes it fast."""
    rows = snapshot.execute(_RANKED, [expression, RANK, limit])
    return [FulltextRow(paper_id, rowid) for rowid, paper_id in rows]


def texts_of_rows(snapshot: Queryable, rowids: Sequence[int | None], chars: int) -> dict[int | None, list[str]]:
    """By row of the full-text table, the beginnings of its texts, then title and metadata."""
    rows = snapshot.execute(_SNIPPET_TEXTS, {"chars": chars, "rows": json.dumps(rowids)})
    return {rowid: texts for rowid, *texts in rows}


def paper_count(snapshot: Queryable) -> int:
    return sum(count for (count,) in snapshot.execute("SELECT count(*) FROM paper"))


def fulltext_rows(snapshot: Queryable) -> Iterator[FulltextRow]:
    """Every paper, in the order of the full-text table, then those that are missing from it."""
    seen: set[str] = set()
    for rowid, paper_id in snapshot.execute("SELECT rowid, paper_id FROM paper_fts"):
        if paper_id not in seen:
            seen.add(paper_id)
            yield FulltextRow(paper_id, rowid)
    for (paper_id,) in snapshot.execute("SELECT paper_id FROM paper"):
        if paper_id not in seen:
            yield FulltextRow(paper_id, None)


def fulltext_row(snapshot: Queryable, paper_id: str) -> FulltextRow:
    for sql in (_SAME_ROW, "SELECT rowid FROM paper_fts WHERE paper_id = ?"):
        for (rowid,) in snapshot.execute(sql, [paper_id]):
            return FulltextRow(paper_id, rowid)
    return FulltextRow(paper_id, None)


def plain_texts(snapshot: Queryable, row: FulltextRow) -> tuple[str, str, str]:
    """Summaries, source and translations of a paper in plain words, each perhaps empty."""
    sql = "SELECT summary, source, translated FROM paper_fts WHERE rowid = ?"
    for summary, source, translated in snapshot.execute(sql, [row.rowid]):
        return summary or "", source or "", translated or ""
    return "", "", ""

"""Facet counts from the snapshot's own tables, over all papers or over those of a query."""

import json
from functools import lru_cache

from django.db.models import QuerySet

from papercore import limits
from papercore.retrieval import Count, Request
from papers.catalogue import facets
from papers.catalogue.names import display_name
from papers.snapshot import served
from papers.snapshot.models import Paper
from papers.snapshot.served import connection

Rows = tuple[tuple[str, int], ...]
# `{within}` is the condition that the paper is one of those counted.
_WITHIN = "paper_id IN (SELECT value FROM json_each(%s))"
_LINKED = "SELECT value, count(*) FROM paper_{0} JOIN {0} USING ({0}_id) WHERE {{within}} GROUP BY 1"
_SQL = {facet: _LINKED.format(facet) for facet in facets.TABLES} | {
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


def counted(request: Request, papers: QuerySet[Paper] | None) -> dict[str, tuple[Count, ...]]:
    """The most common values of each requested facet among the papers, or in the whole library."""
    if not request.facets:
        return {}
    ids = None if papers is None else json.dumps(list(papers.values_list("paper_id", flat=True)[: limits.OFFSET]))
    return {name: _counted(name, ids, request.counted(name)) for name in request.facets}


def _counted(name: str, ids: str | None, limit: int) -> tuple[Count, ...]:
    rows = _of_all(served.version(), name, limit) if ids is None else _rows(name, limit, _WITHIN, [ids])
    named = name in facets.TABLES
    return tuple(Count(display_name(name, value) if named else value, count) for value, count in rows)


# Counting a large library takes a second. Room for two snapshots: the one served, and the one it replaces.
@lru_cache(maxsize=2 * len(_SQL))
def _of_all(version: int, name: str, limit: int) -> Rows:
    return _rows(name, limit, "TRUE", [])


def _rows(name: str, limit: int, within: str, parameters: list[str]) -> Rows:
    sql = f"{_SQL[name]} ORDER BY 2 DESC, 1 LIMIT {limit:d}".format(within=within)
    with connection().cursor() as cursor:
        return tuple(cursor.execute(sql, parameters).fetchall())

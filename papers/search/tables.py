"""Search in the snapshot's own tables, behind the same interface as an index."""

from collections.abc import Mapping, Sequence

import orjson
from django.db.models import Case, IntegerField, Model, QuerySet, Value, When
from django.db.models.expressions import RawSQL

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papercore.retrieval import Completion, DocumentNotFound, Hit, QueryTerms, Request, Results, with_marks
from papers.catalogue import facets, names
from papers.catalogue.paper_links import facet_key, year_number
from papers.catalogue.paper_rows import papers_with_ids
from papers.search import fulltext
from papers.search import table_counts as counts
from papers.search import table_filters as conditions
from papers.snapshot.models import Paper
from papers.snapshot.served import connection

_NOTHING_SOUGHT = QueryTerms()
_UNDATED_LAST = Case(When(year="unknown", then=Value(1)), default=Value(0), output_field=IntegerField())
_NEWEST_FIRST = (_UNDATED_LAST, "-year", "title", "paper_id")
_ORDERS = {"title": ("title", "paper_id"), "oldest": (_UNDATED_LAST, "year", "title", "paper_id")}
# Shared keywords and tags say more than a shared venue; a rare one more than a common one.
_SHARED = """
SELECT other.paper_id, sum(1.0 / node.paper_count) AS weight
FROM paper_facet mine
JOIN facet_node node ON node.node_id = mine.node_id AND node.facet_type IN ('keyword', 'tag', 'author')
JOIN paper_facet other ON other.node_id = mine.node_id AND other.paper_id <> mine.paper_id
WHERE mine.paper_id = %s AND node.paper_count BETWEEN 2 AND 2000
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s
"""


class Tables:
    """Answers what an index answers, by words alone; similar papers are those that share keywords, tags or authors."""

    def search(self, request: Request) -> Results:
        papers = Paper.objects.filter(conditions.fitting(request.filters) & conditions.matching(request.query))
        expression = fulltext.match_expression(request.query)
        if request.sort == "relevance" and expression and not paper_key(request.query):
            snippets, total = _ranked(papers, request, expression)
        else:
            snippets, total = _listed(papers, request)
        everything = not request.filters and not request.query.strip()
        counted = counts.counted(request, None if everything else papers)
        return Results(self.hits(snippets, fulltext.sought_terms(request.query)), total, "words", counted)

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """Papers that share keywords, tags or authors."""
        if not Paper.objects.filter(pk=document_id).exists():
            raise DocumentNotFound("No such paper.", document_id=document_id)
        with connection().cursor() as cursor:
            rows = cursor.execute(_SHARED, [document_id, limit]).fetchall()
        return self.hits({paper_id: "" for paper_id, _ in rows})

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]:
        start = facet_key(prefix)
        return [
            Completion(kind, names.display_name(kind, value), count)
            for kind in (kinds if start else ())
            for value, count in (_titles(start) if kind == "title" else _values(kind, start))[:limit]
        ]

    def hits(self, snippets: Mapping[str, str], sought: QueryTerms = _NOTHING_SOUGHT) -> tuple[Hit, ...]:
        """The papers of these ids in their order; one without a snippet shows the start of its summary."""
        papers = papers_with_ids(snippets)
        authors = names.authors(list(papers))
        return tuple(
            Hit(
                id=paper.paper_id,
                title=paper.title,
                marked_title=with_marks(paper.title, sought),
                score=None,
                snippet=snippet or paper.summary_preview,
                matched=(),
                payload=_payload(paper, authors),
            )
            for paper_id, snippet in snippets.items()
            if (paper := papers.get(paper_id))
        )


def _listed(papers: QuerySet[Paper], request: Request) -> tuple[dict[str, str], int]:
    ordered = papers.order_by(*_ORDERS.get(request.sort, _NEWEST_FIRST))
    ids = ordered.values_list("paper_id", flat=True)[request.offset : request.offset + request.limit]
    return dict.fromkeys(ids, ""), papers.count()


def _ranked(papers: QuerySet[Paper], request: Request, expression: str) -> tuple[dict[str, str], int]:
    """Rank row ids alone, drop those that the filters exclude, then fetch snippets for the few that are shown."""
    end = request.offset + request.limit
    rows = fulltext.ranked(expression, limits.OFFSET if request.filters else end)
    if request.filters:
        allowed = set(papers.values_list("paper_id", flat=True))
        rows = [row for row in rows if row.paper_id in allowed]
    page = rows[request.offset : end]
    snippets = fulltext.snippets(request.query, [row.rowid for row in page])
    return {row.paper_id: snippets.get(row.rowid, "") for row in page}, papers.count()


def _payload(paper: Paper, authors: dict[str, list[str]]) -> bytes:
    """What the index stores of a paper for display."""
    year = year_number(paper.year)
    return orjson.dumps(
        {"title": paper.title, "year": year, "venue": paper.venue, "authors": authors.get(paper.paper_id, [])}
    )


def _titles(start: str) -> "QuerySet[Paper, tuple[str, int]]":
    papers = Paper.objects.filter(title__istartswith=start).order_by("title")
    return papers.values_list("title", RawSQL("1", []))


def _values(kind: str, start: str) -> "QuerySet[Model, tuple[str, int]]":
    used = facets.TABLES[kind]._default_manager.filter(value__startswith=start, paper_count__gt=0)
    return used.order_by("-paper_count", "value").values_list("value", "paper_count")

"""Search in the snapshot's own tables, behind the same interface as an index, for a library that has none."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.db.models import Case, IntegerField, QuerySet, Value, When

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papercore.retrieval import (
    Completion,
    Count,
    DocumentNotFound,
    Hit,
    QueryTerms,
    Request,
    Results,
    best_snippet,
    with_marks,
)
from papercore.snapshot.fulltext import match_expression, query_terms, without_cjk_blanks
from papers.catalogue.facets import TABLES
from papers.catalogue.names import authors_of, display_name
from papers.search.table_filters import fitting, matching
from papers.snapshot import queries, served
from papers.snapshot.index import IndexedPaper
from papers.snapshot.models import Paper, facet_key, year_number
from papers.snapshot.served import connection

# How much of each text is scanned for a snippet: a page of hits must not wait for it.
SNIPPET_TEXT_CHARS = 20_000
_NOTHING_SOUGHT = QueryTerms()
_UNDATED_LAST = Case(When(year="unknown", then=Value(1)), default=Value(0), output_field=IntegerField())
_NEWEST_FIRST = (_UNDATED_LAST, "-year", "title", "paper_id")
_ORDERS = {"title": ("title", "paper_id"), "oldest": (_UNDATED_LAST, "year", "title", "paper_id")}


class Tables:
    """Answers what an index answers, by words alone; similar papers are those that share keywords, tags or authors."""

    def search(self, request: Request) -> Results:
        papers = Paper.objects.filter(fitting(request.filters) & matching(request.query))
        terms = query_terms(request.query)
        if request.sort == "relevance" and terms and not paper_key(request.query):
            snippets = _best_papers(papers, request, terms)
        else:
            ordered = papers.order_by(*_ORDERS.get(request.sort, _NEWEST_FIRST)).values_list("paper_id", flat=True)
            snippets = dict.fromkeys(ordered[request.offset : request.offset + request.limit], "")
        return Results(self.hits(snippets, _sought(terms)), papers.count(), "words", _counts(request, papers))

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """Papers that share keywords, tags or authors."""
        if not Paper.objects.filter(pk=document_id).exists():
            raise DocumentNotFound("No such paper.", document_id=document_id)
        return self.hits(dict.fromkeys(queries.papers_sharing_facets(connection(), document_id, limit), ""))

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]:
        start = facet_key(prefix)
        found = []
        for kind in kinds if start else ():
            if kind == "title":
                titles = Paper.objects.filter(title__istartswith=start).order_by("title")
                rows = [(title, 1) for title in titles.values_list("title", flat=True)[:limit]]
            else:
                values = TABLES[kind]._default_manager.filter(value__startswith=start, paper_count__gt=0)
                rows = list(values.order_by("-paper_count", "value").values_list("value", "paper_count")[:limit])
            found += [Completion(kind, display_name(kind, value), count) for value, count in rows]
        return found

    def hits(self, snippets: Mapping[str, str], sought: QueryTerms = _NOTHING_SOUGHT) -> tuple[Hit, ...]:
        """The papers of these ids in their order; one without a snippet shows the start of its summary."""
        papers = queries.papers_with_ids(connection(), snippets)
        authors = authors_of(list(papers))
        return tuple(
            Hit(
                id=paper_id,
                title=paper.title,
                marked_title=with_marks(paper.title, sought),
                score=None,
                snippet=snippets[paper_id] or paper.summary_preview,
                matched=(),
                payload=IndexedPaper(paper.title, year_number(paper.year), paper.venue, authors[paper_id]).payload(),
            )
            for paper_id, paper in papers.items()
        )


def _best_papers(papers: QuerySet[Paper], request: Request, terms: Sequence[str]) -> dict[str, str]:
    """Rank row ids alone, drop those that the filters exclude, then fetch snippets for the few that are shown.

    FTS5's own snippet() is quadratic in the number of matches, and no time limit can interrupt it.
    """
    end = request.offset + request.limit
    rows = queries.ranked_rows(connection(), match_expression(terms), limits.OFFSET if request.filters else end)
    if request.filters:
        allowed = set(papers.values_list("paper_id", flat=True))
        rows = [row for row in rows if row.paper_id in allowed]
    page = rows[request.offset : end]
    texts = queries.texts_of_rows(connection(), [row.rowid for row in page], SNIPPET_TEXT_CHARS)
    sought = _sought(terms)
    return {row.paper_id: best_snippet([without_cjk_blanks(text) for text in texts[row.rowid]], sought) for row in page}


def _sought(terms: Sequence[str]) -> QueryTerms:
    """The words to mark in titles and snippets."""
    return QueryTerms.of_words(word for term in terms for word in without_cjk_blanks(term).split())


def _counts(request: Request, papers: QuerySet[Paper]) -> dict[str, tuple[Count, ...]]:
    """The most common values of each requested facet among the papers, or in the whole library."""
    if not request.facets:
        return {}
    if not request.filters and not request.query.strip():
        found = {name: _counts_of_all(served.version(), name, request.counted(name)) for name in request.facets}
    else:
        ids = list(papers.values_list("paper_id", flat=True)[: limits.OFFSET])
        found = {name: queries.facet_counts(connection(), name, request.counted(name), ids) for name in request.facets}
    return {
        name: tuple(Count(display_name(name, value) if name in TABLES else value, count) for value, count in rows)
        for name, rows in found.items()
    }


# Counting a large library takes a second. Room for two snapshots: the one served, and the one it replaces.
@lru_cache(maxsize=18)
def _counts_of_all(version: int, name: str, limit: int) -> list[tuple[str, int]]:
    return queries.facet_counts(connection(), name, limit)

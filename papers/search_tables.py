"""Search on the snapshot's own tables: the same answers as far as they go, for a snapshot that has no index."""

from django.db.models import Model, Q, QuerySet
from django.db.models.expressions import RawSQL

from paper_search import limits
from paper_search.retrieval import Filters, Request
from papers import facets, fulltext, listing
from papers.errors import PaperNotFound
from papers.fulltext import Match
from papers.models import Paper, PaperBibtex, PaperSummary, PaperTranslation
from papers.schemas import SearchHit, SearchPage, SuggestedKind, Suggestion

_ORDERS = {"title": ("title", "paper_id"), "oldest": (listing.UNDATED_LAST, "year", "title", "paper_id")}


def search(request: Request) -> SearchPage:
    """Papers with any of the words within the filters. Facets are not counted."""
    papers = Paper.objects.filter(condition(request.filters))
    if not request.query.strip():
        found = _listed(papers, request)
    elif request.sort != "relevance":
        found = _listed(papers.filter(_matching(request.query)), request)
    elif request.filters:
        found = _ranked_within(papers, request)
    else:
        found = fulltext.search(request.query, request.limit, request.offset)
    hits = [SearchHit(**hit.model_dump(), score=None, matched=[]) for hit in listing.hits(found.hits)]
    return SearchPage(
        papers=hits,
        total=found.total,
        offset=request.offset,
        next_offset=listing.next_offset(len(hits), found.total, request.offset),
        mode="words",
        facets={},
    )


def _listed(papers: QuerySet[Paper], request: Request) -> fulltext.Matches:
    ordered = papers.order_by(*_ORDERS.get(request.sort, listing.NEWEST_FIRST))
    rows = ordered.values_list("paper_id", "summary_preview")[request.offset : request.offset + request.limit]
    return fulltext.Matches([Match(*row) for row in rows], papers.count())


def _matching(query: str) -> Q:
    expression = fulltext.match_expression(query)
    if not expression:
        return Q(pk__in=[])
    return Q(pk__in=RawSQL("SELECT paper_id FROM paper_fts WHERE paper_fts MATCH %s", [expression]))


def _ranked_within(papers: QuerySet[Paper], request: Request) -> fulltext.Matches:
    """The best matches of all, without those that the filters exclude."""
    expression = fulltext.match_expression(request.query)
    allowed = set(papers.filter(_matching(request.query)).values_list("paper_id", flat=True))
    ranked = fulltext.best(expression, limits.OFFSET, 0) if expression else []
    kept = [row for row in ranked if row[1] in allowed]
    page = kept[request.offset : request.offset + request.limit]
    shown = fulltext.snippets(request.query, [rowid for rowid, _ in page])
    return fulltext.Matches([Match(paper_id, shown[rowid]) for rowid, paper_id in page], len(kept))


def condition(filters: Filters) -> Q:
    """Everything that the filters ask of a paper."""
    found = listing.within_years(filters.year_from, filters.year_to)
    for name, value in filters.values:
        found &= _having(name, value)
    for name, value in filters.without:
        found &= ~_having(name, value)
    return found


def _having(name: str, value: str) -> Q:
    if name in facets.TABLES:
        return listing.having(**{name: value})
    if name == "template":
        return Q(pk__in=PaperSummary.objects.filter(template_tag=value).values("paper_id"))
    if name == "language":
        translated = PaperTranslation.objects.filter(lang=value.lower()).values("paper_id")
        return Q(output_language__iexact=value) | Q(pk__in=translated)
    return _has(value)


def _has(what: str) -> Q:
    conditions = {
        "source": Q(source_md_content_hash__isnull=False),
        "pdf": Q(pdf_content_hash__isnull=False),
        "translation": Q(pk__in=PaperTranslation.objects.values("paper_id")),
        "bibtex": Q(pk__in=PaperBibtex.objects.values("paper_id")),
    }
    return conditions.get(what, Q(pk__in=[]))


def similar(paper_id: str, limit: int) -> list[SearchHit]:
    """Papers that share words with the title."""
    title = Paper.objects.filter(pk=paper_id).values_list("title", flat=True).first()
    if title is None:
        raise PaperNotFound(f"There is no paper {paper_id}. Find ids with search_papers.", paper_id=paper_id)
    words = " ".join(word for word in title.split() if len(word) > 3)
    found = search(Request(words or title, limit=limit + 1)).papers
    return [hit for hit in found if hit.paper_id != paper_id][:limit]


def suggest(prefix: str, kinds: tuple[SuggestedKind, ...], limit: int) -> list[Suggestion]:
    found: list[Suggestion] = []
    start = listing.normalised(prefix)
    for kind in kinds if start else ():
        rows = _titles(start) if kind == "title" else _values(facets.TABLES[kind], start)
        found += [Suggestion(kind=kind, value=value, paper_count=count) for value, count in rows[:limit]]
    return found


def _titles(start: str) -> "QuerySet[Paper, tuple[str, int]]":
    papers = Paper.objects.filter(title__istartswith=start).order_by("title")
    return papers.values_list("title", RawSQL("1", []))


def _values(table: type[Model], start: str) -> "QuerySet[Model, tuple[str, int]]":
    used = table._default_manager.filter(value__startswith=start, paper_count__gt=0)
    return used.order_by("-paper_count", "value").values_list("value", "paper_count")

"""Pages about the library as a whole: home, statistics, the values of a facet and the papers of one value."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from papercore.snapshot.file import facet_key
from papers import tools
from papers.catalogue import facets, names
from papers.catalogue.lookup import value_url
from papers.catalogue.schemas import Category
from papers.library.updates import added_last
from papers.pages.caching import snapshot_page
from papers.pages.charts import year_chart
from papers.search.authors import also_written
from papers.search.list_query import PAGE_SIZE, ListQuery, read_list_query
from papers.search.results import ListedPaper, list_page, papers_by_id
from papers.search.tables import fitting
from papers.snapshot import served
from papers.snapshot.errors import FacetNotFound
from papers.snapshot.models import FacetEdge, FacetNode, Paper
from papers.snapshot.served import is_demo, reading

CATEGORIES: tuple[Category, ...] = ("venue", "author", "institution", "keyword", "tag")
# Papers that bear on the words of a feed, among which those added last are looked for.
LOOKED_AT = 500
HOME_PAPERS, HOME_VALUES, STATS_VALUES, TOGETHER = 5, 7, 10, 8


class ValueBar(Struct, frozen=True):
    """A facet value with its count, and that as a percentage of the largest."""

    label: str
    url: str
    count: int
    percent: float


class TopValues(Struct, frozen=True):
    """Values of one facet, most frequent first."""

    category: str
    title: str
    bars: list[ValueBar]
    total: int


def top_values(category: Category, limit: int) -> TopValues:
    values = tools.list_top_facets(category, limit).values
    rows = [(item.value, value_url(category, facet_key(item.value)), item.paper_count) for item in values]
    return TopValues(category, plural(category), bars(rows), facets.first_values(category).total)


def plural(category: str) -> str:
    return f"{category.capitalize()}s"


def _named(category: str, counts: list[tuple[str, int]]) -> list[tuple[str, str, int]]:
    labels = names.display_names(category, [value for value, _ in counts])
    return [(label, value_url(category, value), count) for label, (value, count) in zip(labels, counts, strict=True)]


def bars(rows: list[tuple[str, str, int]]) -> list[ValueBar]:
    most = max((count for _, _, count in rows), default=1) or 1
    return [ValueBar(label, url, count, round(100 * count / most, 1)) for label, url, count in rows]


@snapshot_page
def home(request: HttpRequest) -> HttpResponse:
    newest = list_page(ListQuery(), counted=(), size=HOME_PAPERS)
    added = with_those_added_last(newest.papers, ListQuery())[:HOME_PAPERS]
    with reading():
        context = {
            "stats": tools.get_database_stats(),
            "chart": year_chart(newest.years, ListQuery().year_urls, height=112),
            "papers": added,
            "rankings": [top_values(category, HOME_VALUES) for category in ("keyword", "author", "venue")],
            "own_search": True,
            "by_meaning": served.searches_by_meaning(),
            "is_demo": is_demo(),
        }
    return render(request, "papers/home.html", context)


@snapshot_page
def stats(request: HttpRequest) -> HttpResponse:
    numbers = tools.get_database_stats()
    years = list_page(ListQuery(), counted=(), size=1).years
    with reading():
        rankings = [top_values(category, STATS_VALUES) for category in CATEGORIES]
    coverage = [
        ("Summary", ListQuery().url, max(numbers.summary_templates.values(), default=0)),
        ("Source text", ListQuery(has=("source",)).url, numbers.with_source),
        ("BibTeX", ListQuery(has=("bibtex",)).url, numbers.with_bibtex),
        ("DOI", ListQuery().url, numbers.with_doi),
        ("Translation", ListQuery(has=("translation",)).url, sum(numbers.translations.values())),
    ]
    share = [ValueBar(*row, round(100 * row[2] / max(1, numbers.papers), 1)) for row in coverage if row[2]]
    context = {
        "stats": numbers,
        "years": years,
        "most": max(years.items(), key=lambda item: item[1], default=None),
        "chart": year_chart(years, ListQuery().year_urls, height=220, grid=True),
        "rankings": [ranking for ranking in rankings if ranking.bars],
        "coverage": share,
    }
    return render(request, "papers/stats.html", context)


@snapshot_page
def values(request: HttpRequest, category: Category) -> HttpResponse:
    """All values of a facet, or those that contain what is typed."""
    _require(category)
    typed = facet_key(read_list_query(request.GET).q)[:100]
    with reading():
        found = facets.first_values(category, typed)
        listed = bars(_named(category, found.rows))
    context = {"category": category, "title": plural(category), "typed": typed, "total": found.total, "bars": listed}
    return render(request, "papers/values.html", context)


@snapshot_page
def value(request: HttpRequest, category: Category, value: str) -> HttpResponse:
    """One author, venue, keyword, institution or tag: its papers, its years, and the values it occurs with."""
    _require(category)
    name = facet_key(value)
    not_found = FacetNotFound(f"This library has no {category} of that name.", category=category, value=name)
    try:
        query = ListQuery.model_validate({category: (name,)})
    except ValidationError:
        raise not_found from None
    results = list_page(query, counted=())
    if not results.total:
        raise not_found
    with reading():
        together = [(kind, bars(rows)) for kind, rows in co_occurring(category, name).items()]
    context = {
        "category": category,
        "plural": plural(category),
        "name": names.display_name(category, name),
        "query": query,
        "results": results,
        "also_written": also_written(name) if category == "author" else None,
        "chart": year_chart(results.years, query.year_urls),
        "together": together,
    }
    return render(request, "papers/value.html", context)


def _require(category: str) -> None:
    if category not in facets.TABLES:
        raise Http404


def co_occurring(category: str, value: str) -> dict[str, list[tuple[str, str, int]]]:
    """The values most often found on the same papers, by kind."""
    node = FacetNode.objects.filter(facet_type=category, value=value).values_list("node_id", flat=True).first()
    found: dict[str, list[tuple[str, str, int]]] = {}
    for kind in CATEGORIES if node is not None else ():
        rows: list[tuple[str, int]] = []
        for mine, other in (("node_a", "node_b"), ("node_b", "node_a")):
            edges = FacetEdge.objects.filter(**{mine: node, f"{other}__facet_type": kind})
            rows += edges.order_by("-paper_count").values_list(f"{other}__value", "paper_count")[:TOGETHER]
        if rows:
            found[plural(kind)] = _named(kind, sorted(rows, key=lambda row: (-row[1], row[0]))[:TOGETHER])
    return found


def with_those_added_last(papers: list[ListedPaper], query: ListQuery) -> list[ListedPaper]:
    """The first papers of a list by when they were added, then the others in the order of the list."""
    added = added_last()
    if not added or query.sort:
        return papers
    if query.q.strip():
        bearing = list_page(query, counted=(), size=LOOKED_AT).counted(query.offset)
        found = {paper.paper_id: paper for paper in bearing}
        last = [found[paper_id] for paper_id in added if paper_id in found]
    else:
        fit = Paper.objects.filter(fitting(query.request().filters), pk__in=list(added))
        fitting_ids = set(fit.values_list("pk", flat=True))
        last = papers_by_id([paper_id for paper_id in added if paper_id in fitting_ids][:PAGE_SIZE])
    first = [replace(paper, added=added[paper.paper_id]) for paper in last[:PAGE_SIZE]]
    shown = {paper.paper_id for paper in first}
    return [*first, *(paper for paper in papers if paper.paper_id not in shown)][:PAGE_SIZE]

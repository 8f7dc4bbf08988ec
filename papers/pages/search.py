"""The search page: a list of papers, its filters, and what to try when it is empty."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from papers.catalogue.names import display_name, facet_labels
from papers.pages.caching import snapshot_page
from papers.pages.charts import Chart, year_chart
from papers.pages.formats import LIST_SUFFIXES
from papers.search.list_query import FACETS, LAST_PAGE, SORTS, Facet, ListQuery, read_list_query
from papers.search.results import PaperList, count, list_page

# Facet values visible before "more", and the facets that are open at first.
VISIBLE = 6
OPEN: tuple[Facet, ...] = ("venue", "keyword", "has")
# Filters that are dropped one by one when nothing is found.
WIDER_QUERIES = 5
_FACET_NAMES = {"template": "Summary template", "has": "Has"}


@dataclass(frozen=True)
class FacetOption:
    """A facet value as a link that adds it to the query or removes it."""

    label: str
    count: int
    url: str
    on: bool


@dataclass(frozen=True)
class FacetGroup:
    name: str
    open: bool
    visible: list[FacetOption]
    more: list[FacetOption]


@dataclass(frozen=True)
class Chip:
    """A filter in use, with the address of the list without it."""

    name: str
    label: str
    url: str


@dataclass(frozen=True)
class WiderQuery:
    """A query with fewer conditions that finds something."""

    label: str
    url: str
    count: int


@snapshot_page
def search(request: HttpRequest) -> HttpResponse:
    """The whole page, or the part below the search box for a reader who is typing."""
    query = read_list_query(request.GET)
    results = list_page(query)
    context = {
        "query": query,
        "results": results,
        "live": True,
        "groups": [group for facet in FACETS if (group := _facet_group(query, results, facet))],
        "chips": _chips(query),
        "chart": _chart(query, results),
        "pages": _page_links(query, results.pages),
        "sorts": [sort for sort in SORTS if sort != "relevance" or query.q.strip()],
        "exports": [
            (label, query.address(reverse("list-file", args=[suffix]))) for suffix, label in LIST_SUFFIXES.items()
        ],
        "wider": _wider_queries(query) if not results.total else [],
        "list": query.changed(page=1).query_string(),
    }
    template = "papers/_results.html" if request.headers.get("HX-Request") else "papers/search.html"
    return render(request, template, context)


def _facet_group(query: ListQuery, results: PaperList, facet: Facet) -> FacetGroup | None:
    counts = results.facet_counts(facet)
    if not counts:
        return None
    chosen: tuple[str, ...] = getattr(query, facet)
    labels = facet_labels(facet, [item.value for item in results.counts[facet]])
    urls = query.toggle_urls(facet, counts)
    options = [
        FacetOption(label, number, url, value in chosen)
        for label, (value, number), url in zip(labels, counts.items(), urls, strict=True)
    ]
    options.sort(key=lambda option: not option.on)
    name = _FACET_NAMES.get(facet, facet.capitalize())
    return FacetGroup(name, facet in OPEN or bool(chosen), options[:VISIBLE], options[VISIBLE:])


def _chips(query: ListQuery) -> list[Chip]:
    chips = [Chip(facet, display_name(facet, value), query.toggled(facet, value).url) for facet, value in query.values]
    low, high = query.year_from, query.year_to
    if query.has_years:
        label = str(low) if low == high else f"{low or 'any'} to {high or 'now'}"
        chips.append(Chip("year", label, query.without_years().url))
    return chips


def _chart(query: ListQuery, results: PaperList) -> Chart | None:
    years = results.years
    if len(years) < 2 and query.year_from is None:
        return None
    return year_chart(years, query.year_urls, chosen=(query.year_from, query.year_to))


def _page_links(query: ListQuery, last: int) -> list[tuple[int | None, str]]:
    """Page numbers with their addresses: the first, the last, those nearby; None marks a gap."""
    last = min(last, LAST_PAGE)
    near = sorted({1, last, *range(max(1, query.page - 1), min(last, query.page + 1) + 1)})
    links: list[tuple[int | None, str]] = []
    for number in near if last > 1 else []:
        if links and links[-1][0] != number - 1:
            links.append((None, ""))
        links.append((number, query.changed(page=number).url))
    return links


def _wider_queries(query: ListQuery) -> list[WiderQuery]:
    """Queries that find something when this one does not."""
    wider = [
        (f"Without {facet}: {display_name(facet, value)}", query.toggled(facet, value)) for facet, value in query.values
    ]
    if query.has_years:
        wider.append(("In any year", query.without_years()))
    if query.q.strip() and query.is_filtered:
        wider.append(("Without any filter", query.without_filters()))
    found = [WiderQuery(label, other.url, count(other)) for label, other in wider[:WIDER_QUERIES]]
    return [item for item in found if item.count]

"""The search page: a list of papers, its filters, and what to try when it is empty."""

from collections import defaultdict
from hashlib import blake2s
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from msgspec import Struct
from msgspec.structs import replace

from papercore.passages.ranking import sought_in
from papercore.retrieval import NO_FILTERS
from papers.catalogue.names import as_written, display_name, facet_labels, text_kind
from papers.pages.caching import snapshot_page
from papers.pages.charts import year_chart
from papers.pages.files import LIST_SUFFIXES
from papers.passages.marked import marked_words
from papers.search.list_query import FACETS, LAST_PAGE, SORTS, Facet, ListQuery, read_list_query
from papers.search.passages import find_passages
from papers.search.results import ListedPaper, PaperList, ShownPassage, count, list_page
from papers.snapshot.models import facet_key

# Facet values visible before "more", and the facets that are open at first.
VISIBLE = 6
OPEN: tuple[Facet, ...] = ("venue", "keyword", "has")
# Filters that are dropped one by one when nothing is found.
WIDER_QUERIES = 5
# Papers of a page that are looked into, the best ones; and the passages shown of each: what says more is a click away.
OPENED_PAPERS, SHOWN_PASSAGES = 10, 2
# Where a hit matched: in the summary, or in the full text.
IN_TEXT = frozenset({"text", "body"})
_FACET_NAMES = {"template": "Summary template", "has": "Has"}


class FacetOption(NamedTuple):
    """A facet value as a link that adds it to the query or removes it, and to itself on the new page."""

    id: str
    label: str
    # None: in use, but too rare to be counted.
    papers: int | None
    url: str
    on: bool


class FacetGroup(Struct, frozen=True):
    facet: Facet
    open: bool
    visible: list[FacetOption]
    more: list[FacetOption]

    @property
    def name(self) -> str:
        return _FACET_NAMES.get(self.facet, self.facet.capitalize())

    @property
    def open_more(self) -> bool:
        return any(option.on for option in self.more)


class Chip(Struct, frozen=True):
    """A filter in use, with the address of the list without it."""

    name: str
    label: str
    url: str
    # After another value of the same facet: a paper needs only one of them.
    is_alternative: bool = False


class WiderQuery(Struct, frozen=True):
    """A query with fewer conditions that finds something."""

    label: str
    url: str
    count: int


@snapshot_page
def search(request: HttpRequest) -> HttpResponse:
    """The whole page, or the part below the search box for a reader who is typing."""
    asked = read_list_query(request.GET)
    query = asked.with_years_swapped() if asked.is_upside_down else asked
    results = list_page(query)
    results = replace(results, papers=_with_passages(query.q, results.papers))
    years = query.year_from, query.year_to
    is_charted = len(results.years) > 1 or query.year_from is not None
    context = {
        "query": query,
        "asked": asked,
        "results": results,
        "live": True,
        "groups": [group for facet in FACETS if (group := _facet_group(query, results, facet))],
        "chips": chips_of(query),
        "chart": year_chart(results.years, query.year_urls, chosen=years) if is_charted else None,
        "pages": _page_links(query, results.pages),
        "sorts": [sort for sort in SORTS if sort != "relevance" or query.q.strip()],
        "exports": [
            (label, query.address(reverse("list-file", args=[suffix]))) for suffix, label in LIST_SUFFIXES.items()
        ],
        "wider": _wider_queries(query) if not results.total else [],
        "evidence": query.changed(sort=None).address(reverse("ask")) if query.q.strip() else "",
        "list": query.changed(page=1).query_string(),
    }
    template = "papers/_results.html" if request.headers.get("HX-Request") else "papers/search.html"
    response = render(request, template, context)
    if results.notice:
        # Not to be kept until the index changes: it is back before that.
        patch_cache_control(response, no_store=True)
    return response


def _with_passages(query: str, papers: list[ListedPaper]) -> list[ListedPaper]:
    """The papers; those that have the words in a text with the passages that fit best."""
    inside = [paper.paper_id for paper in papers if not IN_TEXT.isdisjoint(paper.matched)][:OPENED_PAPERS]
    if not inside or not query.strip():
        return papers
    passages: dict[str, list[ShownPassage]] = defaultdict(list)
    sought = sought_in(query)
    for found in find_passages(query, NO_FILTERS, inside, SHOWN_PASSAGES * OPENED_PAPERS):
        located, shown = found.located, passages[found.located.paper.paper_id]
        if len(shown) < SHOWN_PASSAGES:
            place = located.section or text_kind(located.text)
            shown.append(ShownPassage(marked_words(located.quote, sought), place, located.page, located.link))
    return [
        replace(paper, passages=tuple(passages[paper.paper_id])) if paper.paper_id in passages else paper
        for paper in papers
    ]


def _facet_group(query: ListQuery, results: PaperList, facet: Facet) -> FacetGroup | None:
    counts = _option_counts(query, results, facet)
    if not counts:
        return None
    keys, chosen = list(map(facet_key, counts)), query.facet_keys(facet)
    written = {facet_key(item.value): item.value for item in results.counts[facet]}
    unknown = {key: value for key, value in zip(keys, counts, strict=True) if not written.get(key)}
    if unknown:
        written |= zip(unknown, as_written(facet, list(unknown.values())), strict=True)
    labels = facet_labels(facet, [written[key] for key in keys])
    urls = query.toggle_urls(facet, counts)
    # Short, and the same on the next page.
    ids = [f"f-{blake2s(f'{facet} {key}'.encode(), digest_size=4).hexdigest()}" for key in keys]
    options = [
        FacetOption(option_id, label, number, url, key in chosen)
        for key, option_id, label, number, url in zip(keys, ids, labels, counts.values(), urls, strict=True)
    ]
    return FacetGroup(facet, facet in OPEN or bool(chosen), options[:VISIBLE], options[VISIBLE:])


def _option_counts(query: ListQuery, results: PaperList, facet: Facet) -> dict[str, int | None]:
    """Papers per value in the order of the counts, after the values in use that were not counted.

    Nothing moves when a value is chosen, so that it stays under the pointer.
    """
    counted = results.facet_counts(facet)
    # Once for each, however often and however it is written.
    chosen = {facet_key(value): value for value in getattr(query, facet)}
    keys = set(map(facet_key, counted)) if chosen else ()
    # A name that stands alone in its facet is in every paper of the list.
    alone = results.total if len(chosen) == 1 else None
    return {**{value: alone for key, value in chosen.items() if key not in keys}, **counted}


def chips_of(query: ListQuery, path: str = "") -> list[Chip]:
    """The filters in use, each with the address without it: of the list, or of the page at this path."""

    def url(other: ListQuery) -> str:
        return other.address(path) if path else other.url

    facets = [facet for facet, _ in query.values]
    chips = [
        Chip(facet, display_name(facet, value), url(query.toggled(facet, value)), is_alternative=facet in facets[:n])
        for n, (facet, value) in enumerate(query.values)
    ]
    low, high = query.year_from, query.year_to
    if query.has_years:
        label = str(low) if low == high else f"{low or 'any'} to {high or 'now'}"
        chips.append(Chip("year", label, url(query.without_years())))
    return chips


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
    used = {facet: [display_name(facet, value) for value in getattr(query, facet)] for facet in FACETS}
    wider = [
        (f"Without {facet}: {' or '.join(values)}", query.without_facet(facet))
        for facet, values in used.items()
        if values
    ]
    if query.has_years:
        wider.append(("In any year", query.without_years()))
    if query.q.strip() and query.is_filtered:
        wider.append(("Without any filter", query.without_filters()))
    found = [WiderQuery(label, other.url, count(other)) for label, other in wider[:WIDER_QUERIES]]
    return [item for item in found if item.count]

"""The search page: a list of papers, its filters, and what to try when it is empty."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from papers.pages.caching import snapshot_page
from papers.pages.charts import Chart, year_chart
from papers.search.list_query import FACETS, PAGE_SIZE, SORTS, Facet, Wish, read_wish
from papers.search.results import Found, count, find
from papers.templatetags.papers_text import facet_label, facet_name

# Values of a facet that are seen without asking for more, and the facets that are open at first.
SEEN = 6
OPEN: tuple[Facet, ...] = ("venue", "keyword", "has")
EXPORTS = (
    ("json", "JSON"),
    ("bib", "BibTeX"),
    ("ris", "RIS"),
    ("csv", "CSV"),
    ("md", "Markdown"),
    ("atom", "Atom feed"),
)
# Filters that are tried one by one when nothing is found.
TRIED = 5


@dataclass(frozen=True)
class Option:
    """A facet value as a link that puts it into the wish or takes it out."""

    label: str
    count: int
    url: str
    on: bool


@dataclass(frozen=True)
class FacetGroup:
    name: str
    open: bool
    seen: list[Option]
    more: list[Option]


@dataclass(frozen=True)
class Chip:
    name: str
    label: str
    url: str


@dataclass(frozen=True)
class Way:
    """A wider wish that finds something."""

    label: str
    url: str
    count: int


@snapshot_page
def search(request: HttpRequest) -> HttpResponse:
    """The whole page, or the part below the search box for a reader who is typing."""
    wish = read_wish(request.GET)
    found = find(wish)
    context = search_context(wish, found)
    template = "papers/_found.html" if request.headers.get("HX-Request") else "papers/search.html"
    return render(request, template, context)


def search_context(wish: Wish, found: Found) -> dict[str, object]:
    return {
        "wish": wish,
        "found": found,
        "live": True,
        "groups": [group for facet in FACETS if (group := _group(wish, found, facet))],
        "chips": chips(wish),
        "chart": chart(wish, found),
        "pages": pages(wish, found.pages),
        "sorts": [sort for sort in SORTS if sort != "relevance" or wish.q.strip()],
        "exports": [(name, wish.but(page=wish.page).address(f"/papers.{suffix}")) for suffix, name in EXPORTS],
        "ways": ways_out(wish) if not found.total else [],
        "list": wish.but(page=1).query_string(),
    }


def _group(wish: Wish, found: Found, facet: Facet) -> FacetGroup | None:
    chosen: tuple[str, ...] = getattr(wish, facet)
    options = [
        Option(facet_label(facet, one.value), one.paper_count, wish.toggled(facet, one.value).url, one.value in chosen)
        for one in found.facets[facet]
    ]
    options.sort(key=lambda option: not option.on)
    if not options:
        return None
    is_open = facet in OPEN or bool(chosen)
    return FacetGroup(facet_name(facet), is_open, options[:SEEN], options[SEEN:])


def chips(wish: Wish) -> list[Chip]:
    """The filters at work, each with the way to remove it."""
    found = [Chip(facet, facet_label(facet, value), wish.toggled(facet, value).url) for facet, value in wish.values]
    low, high = wish.year_from, wish.year_to
    if low is not None or high is not None:
        label = str(low) if low == high else f"{low or 'any'} to {high or 'now'}"
        found.append(Chip("year", label, wish.but(year_from=None, year_to=None).url))
    return found


def chart(wish: Wish, found: Found) -> Chart | None:
    if len(found.years) < 2 and wish.year_from is None:
        return None
    return year_chart(
        found.years,
        lambda start, end: wish.but(year_from=start, year_to=end).url,
        shown=(wish.year_from, wish.year_to),
    )


def pages(wish: Wish, last: int) -> list[tuple[int | None, str]]:
    """Page numbers with their addresses: the first, the last, those around; None stands for a gap."""
    last = min(last, Wish.model_fields["page"].metadata[-1].le)
    near = sorted({1, last, *range(max(1, wish.page - 1), min(last, wish.page + 1) + 1)})
    found: list[tuple[int | None, str]] = []
    for number in near if last > 1 else []:
        if found and found[-1][0] != number - 1:
            found.append((None, ""))
        found.append((number, wish.but(page=number).url))
    return found


def ways_out(wish: Wish) -> list[Way]:
    """What finds something when this wish does not."""
    wider = [
        (f"Without {facet}: {facet_label(facet, value)}", wish.toggled(facet, value)) for facet, value in wish.values
    ]
    if wish.year_from is not None or wish.year_to is not None:
        wider.append(("In any year", wish.but(year_from=None, year_to=None)))
    if wish.q.strip() and wish.narrowed:
        wider.append(("Without any filter", wish.without_filters()))
    found = [Way(label, other.url, count(other)) for label, other in wider[:TRIED]]
    return [way for way in found if way.count]


def first_place(wish: Wish) -> int:
    return (wish.page - 1) * PAGE_SIZE + 1

"""The two pages that answer a query: with a list of papers and its filters, and with evidence from their texts."""

from collections import defaultdict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from msgspec import Struct
from msgspec.structs import replace

from papercore.passages.ranking import sought_in
from papercore.retrieval import NO_FILTERS, Completion
from papercore.text import has_cjk
from papers.pages.caching import snapshot_page
from papers.pages.charts import year_chart
from papers.pages.files import LIST_SUFFIXES
from papers.passages.marked import in_sentences, is_table, marked_words
from papers.search.authors import authors_starting, named_authors
from papers.search.evidence import evidence_board
from papers.search.filters import chips_of, conditions_of, facet_group, wider_queries
from papers.search.list_query import FACETS, LAST_PAGE, SORTS, ListQuery, read_list_query
from papers.search.passages import FoundPassage, find_passages
from papers.search.results import ListedPaper, ShownPassage, list_page, suggestions
from papers.snapshot import served

# Papers of a page that are looked into, the best ones; and the passages shown of each: what says more is a click away.
OPENED_PAPERS, SHOWN_PASSAGES = 10, 2
# Passages among which those are chosen: others are tables, or in another script than the question.
LOOKED_AT = 30
# Where a hit matched: in the summary, or in the full text.
IN_TEXT = frozenset({"text", "body"})
# Suggestions of a kind, and how much of what is typed they go by.
SUGGESTED, TYPED_CHARS = 3, 100


@snapshot_page
def search(request: HttpRequest) -> HttpResponse:
    """The whole page, or the part below the search box for a reader who is typing."""
    asked = read_list_query(request.GET)
    query = asked.with_years_swapped() if asked.is_upside_down else asked
    results = list_page(query)
    results = replace(results, papers=_with_passages(results.corrected_query or query.q, results.papers))
    counted = results.counted(query.offset)
    has_chart = len(results.years) >= 2 or query.year_from is not None
    words = results.corrected_query or query.q
    context = {
        "query": query,
        "authors": named_authors(query, words, results.listed) if query.page == 1 else None,
        "asked": asked,
        "results": results,
        "reading": served.reading_progress() if query.q.strip() else None,
        "counted": counted,
        "sharing": results.papers[len(counted) :],
        "live": True,
        "groups": [group for facet in FACETS if (group := facet_group(query, results, facet))],
        "chips": chips_of(query),
        "only": conditions_of(query, results.corrected_query, results.understood.only),
        "chart": year_chart(results.years, query.year_urls, chosen=(query.year_from, query.year_to))
        if has_chart
        else None,
        "pages": _page_links(query, results.pages),
        "sorts": [sort for sort in SORTS if sort != "relevance" or query.q.strip()],
        "exports": [
            (label, query.address(reverse("list-file", args=[suffix]))) for suffix, label in LIST_SUFFIXES.items()
        ],
        "wider": wider_queries(query) if not results.total else [],
        "evidence": query.changed(sort=None).address(reverse("ask")) if query.q.strip() else "",
        "list": query.changed(page=1).query_string(),
    }
    template = "papers/_results.html" if request.headers.get("HX-Request") else "papers/search.html"
    response = render(request, template, context)
    if results.notice:
        # Not to be kept until the index changes: it is back before that.
        patch_cache_control(response, no_store=True)
    return response


@snapshot_page
def ask(request: HttpRequest) -> HttpResponse:
    """A question, and below it the passages that bear on it."""
    return render(request, "papers/ask.html", {"board": evidence_board(read_list_query(request.GET)), "answer": None})


class SuggestedLink(Struct, frozen=True):
    """What somebody who is typing may mean, and where it is; a title has no count."""

    kind: str
    value: str
    url: str
    papers: int | None = None


@snapshot_page
def suggest(request: HttpRequest) -> HttpResponse:
    """Names, titles and keywords for what is being typed: the options of a list, which the site's script shows."""
    typed = read_list_query(request.GET).q[:TYPED_CHARS]
    people = authors_starting(typed, SUGGESTED) if typed.strip() else []
    found = [SuggestedLink("author", author.spellings[0], author.query.url, author.papers) for author in people]
    found += [SuggestedLink("title", item.value, ListQuery(q=item.value).url) for item in _completions(typed, "title")]
    for facet in ("keyword", "venue"):
        found += [
            SuggestedLink(facet, item.value, ListQuery.model_validate({facet: (item.value,)}).url, item.count)
            for item in _completions(typed, facet)
        ]
    return render(request, "papers/_suggestions.html", {"found": found})


def _completions(typed: str, kind: str) -> list[Completion]:
    return suggestions(typed, kind, SUGGESTED) if typed.strip() else []


def _with_passages(query: str, papers: list[ListedPaper]) -> list[ListedPaper]:
    """The papers; those that have the words in a text with the passages that fit best, sentences in its script."""
    inside = [paper.paper_id for paper in papers if not IN_TEXT.isdisjoint(paper.matched)][:OPENED_PAPERS]
    if not inside or not query.strip():
        return papers
    passages: dict[str, list[FoundPassage]] = defaultdict(list)
    sought, cjk = sought_in(query), has_cjk(query)
    for found in find_passages(query, NO_FILTERS, inside, LOOKED_AT):
        if not is_table(found.located.quote) and has_cjk(found.located.quote) == cjk:
            passages[found.located.paper.paper_id].append(found)

    def shown(found: FoundPassage) -> ShownPassage:
        located = found.located
        kind = "" if located.origin.authors_words or not located.section else located.origin.label
        place = located.section or located.origin.label
        return ShownPassage(marked_words(located.quote, sought), place, located.page, located.link, kind)

    return [
        replace(paper, passages=tuple(map(shown, _originals(passages[paper.paper_id])[:SHOWN_PASSAGES])))
        if paper.paper_id in passages
        else replace(paper, snippet=in_sentences(paper.snippet, cjk=cjk))
        for paper in papers
    ]


def _originals(found: list[FoundPassage]) -> list[FoundPassage]:
    """Without those of translations, unless these have more of the words: then the question is in their language."""
    original = [passage for passage in found if not passage.located.text.startswith("translation:")]
    covered = max((passage.covered for passage in original), default=0.0)
    return [passage for passage in found if passage in original or passage.covered > covered]


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

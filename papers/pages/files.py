"""The library for programs: papers and lists in other formats, and what crawlers and browsers look for."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from msgspec import Struct

from papers import tools
from papers.catalogue import citations
from papers.catalogue.schemas import PaperMetadata
from papers.pages.caching import snapshot_page
from papers.pages.overview import with_those_added_last
from papers.search.list_query import FACETS, PAGE_SIZE, ListQuery, read_list_query
from papers.search.results import PaperList, list_page
from papers.snapshot.models import Paper
from papers.snapshot.served import reading
from papers.texts import rendered

BIBTEX_TYPE, RIS_TYPE = "application/x-bibtex", "application/x-research-info-systems"
CSL_TYPE, MARKDOWN_TYPE = "application/vnd.citationstyles.csl+json", "text/markdown"
# Fewer than the format's own limit of addresses in one file, which the site's other pages share.
SITEMAP_PAPERS = 49_000


def as_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2)


class ListFormat(Struct, frozen=True):
    """A format for several papers in one file."""

    suffix: str
    label: str
    media_type: str
    write: Callable[[Iterable[PaperMetadata]], str]


FORMATS = (
    ListFormat("json", "JSON", "application/json", lambda papers: as_json([paper.model_dump() for paper in papers])),
    ListFormat("bib", "BibTeX", BIBTEX_TYPE, citations.bibtex_file),
    ListFormat("ris", "RIS", RIS_TYPE, citations.ris_file),
    ListFormat("csv", "CSV", "text/csv", citations.csv_file),
    ListFormat("md", "Markdown", MARKDOWN_TYPE, citations.markdown_file),
)
FORMAT_BY_SUFFIX = {item.suffix: item for item in FORMATS}
# The list pages have a feed as well.
LIST_SUFFIXES = {item.suffix: item.label for item in FORMATS} | {"atom": "Atom feed"}
PAPER_SUFFIXES = ("json", "md", "bib", "ris", "csl")


@snapshot_page
def paper_file(request: HttpRequest, paper_id: str, suffix: str) -> HttpResponse:
    """The paper at its own address with a suffix: json, md, bib, ris, csl."""
    paper = tools.get_paper_metadata(paper_id)
    if suffix == "json":
        return text_file(as_json(paper.model_dump()), "application/json")
    if suffix == "md":
        # What the paper's page shows: the reference, then the preferred summary.
        available = rendered.choices(paper)
        body = rendered.markdown_of(paper, available[0]) if available else ""
        return text_file(f"# {paper.title}\n\n{citations.markdown_file([paper])}\n{body}\n", MARKDOWN_TYPE)
    with reading():
        cited = citations.citations(paper)
    if suffix == "bib":
        return text_file(f"{citations.bibtex_comment(cited.note)}{cited.bibtex}\n", BIBTEX_TYPE, f"{cited.key}.bib")
    if suffix == "ris":
        return text_file(cited.ris, RIS_TYPE, f"{cited.key}.ris")
    return text_file(cited.csl, CSL_TYPE, f"{cited.key}.json")


@snapshot_page
def list_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """A page of the list at /papers/, with the same parameters, for programs: of the papers that bear on the query."""
    query = read_list_query(request.GET)
    results = list_page(query, counted=FACETS if suffix == "json" else ())
    papers = results.counted(query.offset)
    root = request.build_absolute_uri("/").rstrip("/")
    if suffix == "json":
        return text_file(as_json(_list_as_json(root, query, results)), "application/json")
    if suffix == "atom":
        papers = with_those_added_last(papers, query)
        context = {"query": query, "papers": papers, "feed_url": request.build_absolute_uri(), "root": root}
        response = render(request, "papers/feed.xml", context | {"stats": tools.get_database_stats()})
        response["Content-Type"] = "application/atom+xml; charset=utf-8"
        return response
    return papers_file([tools.get_paper_metadata(paper.paper_id) for paper in papers], suffix)


def _list_as_json(root: str, query: ListQuery, results: PaperList) -> dict[str, object]:
    next_page = query.changed(page=query.page + 1).address(reverse("list-file", args=["json"]))
    return {
        "total": results.total,
        "beyond": results.beyond,
        "page": query.page,
        "papers": [
            {
                "paper_id": paper.paper_id,
                "title": paper.title,
                "authors": paper.authors,
                "year": paper.year,
                "venue": paper.venue,
                "snippet": paper.snippet.replace("[[[", "").replace("]]]", ""),
                "url": root + reverse("paper", args=[paper.paper_id]),
            }
            for paper in results.counted(query.offset)
        ],
        "next": root + next_page if query.offset + PAGE_SIZE < results.total else None,
        "facets": {facet: results.facet_counts(facet) for facet in FACETS},
        "years": results.years,
        "nearest": [{"paper_id": paper.paper_id, "title": paper.title} for paper in results.nearest],
    }


def papers_file(papers: list[PaperMetadata], suffix: str) -> HttpResponse:
    """Several papers in one file."""
    chosen = FORMAT_BY_SUFFIX[suffix]
    with reading():
        body = chosen.write(papers)
    # Markdown is there to be read; the others are saved.
    return text_file(body, chosen.media_type, "" if suffix == "md" else f"papers.{suffix}")


def text_file(body: str, media_type: str, name: str = "") -> HttpResponse:
    """A text; with a name, as a download under it."""
    charset = "" if media_type == "application/json" else "; charset=utf-8"
    response = HttpResponse(body, content_type=f"{media_type}{charset}")
    if name:
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
        response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response


@snapshot_page
def sitemap(request: HttpRequest) -> HttpResponse:
    """Lists the sitemap files that list the papers."""
    with reading():
        files = max(1, math.ceil(Paper.objects.count() / SITEMAP_PAPERS))
    addresses = [request.build_absolute_uri(reverse("sitemap-file", args=[number])) for number in range(1, files + 1)]
    return render(request, "papers/sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@snapshot_page
def sitemap_file(request: HttpRequest, number: str, pages: Sequence[str]) -> HttpResponse:
    """The addresses of one share of the papers. The first file begins with `pages`, given by the names of routes."""
    root, start = request.build_absolute_uri("/").rstrip("/"), (int(number) - 1) * SITEMAP_PAPERS
    with reading():
        ids = list(Paper.objects.order_by("pk").values_list("pk", flat=True)[start : start + SITEMAP_PAPERS])
    if start and not ids:
        raise Http404("The library has fewer papers than that.")
    paths = [] if start else [reverse(page) for page in pages]
    papers = reverse("search")  # the papers lie below it; asking for each address would take seconds
    lines = [f"{root}{path}" for path in (*paths, *(f"{papers}{paper_id}/" for paper_id in ids))]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def opensearch(request: HttpRequest) -> HttpResponse:
    """Lets a browser offer this library as a search engine."""
    root = request.build_absolute_uri("/").rstrip("/")
    response = render(request, "papers/opensearch.xml", {"root": root})
    response["Content-Type"] = "application/opensearchdescription+xml; charset=utf-8"
    return response

"""Files of the library: pictures, PDFs, and papers and lists in formats for programs."""

import mimetypes
import re

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin

from papercore.snapshot_layout import IMAGE_EXTENSIONS, image_key, pdf_key
from papers import tools
from papers.catalogue import citations
from papers.errors import SourceNotAvailable
from papers.pages.caching import snapshot_page
from papers.schemas import PaperMetadata
from papers.search.list_query import Wish, read_wish
from papers.search.results import Found, find
from papers.snapshot.served import reading
from papers.texts import assets, rendered

_YEAR = 365 * 24 * 3600
_INLINE = ["'unsafe-inline'"]
_PICTURE_POLICY = {"script-src": ["'none'"], "style-src": _INLINE, "sandbox": True}
# The browser's own reader needs as much.
_PDF_POLICY = {
    "default-src": ["'self'"],
    "object-src": ["'self'"],
    "frame-ancestors": ["'self'"],
    "style-src": _INLINE,
}


# A picture that is opened by itself may do nothing: an SVG could hold a script.
@csp_replace(_PICTURE_POLICY)  # type: ignore[arg-type]  # its types know views without arguments only
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """A picture of a text. Its name is the hash of what it holds, so it never changes."""
    kind = mimetypes.guess_type(name)[0]
    if not any(name.lower().endswith(suffix) for suffix in IMAGE_EXTENSIONS) or kind is None:
        raise Http404
    response = HttpResponse(assets.store().read(image_key(name)), content_type=kind)
    patch_cache_control(response, public=True, max_age=_YEAR, immutable=True)
    return response


@csp_replace(_PDF_POLICY)  # type: ignore[arg-type]
@xframe_options_sameorigin
def pdf_file(request: HttpRequest, paper_id: str) -> HttpResponse:
    paper = tools.get_paper(paper_id)
    if not paper.pdf_content_hash:
        raise SourceNotAvailable(f"This library has no PDF of paper {paper_id}.", paper_id=paper_id)
    response = HttpResponse(assets.store().read(pdf_key(paper.pdf_content_hash)), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{file_name(paper.title)}.pdf"'
    patch_cache_control(response, public=True, max_age=3600)
    return response


def file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "paper"


@snapshot_page
def paper_file(request: HttpRequest, paper_id: str, kind: str) -> HttpResponse:
    """The paper at the same address with an ending: json, md, bib, ris, csl."""
    paper = tools.get_paper_metadata(paper_id)
    if kind == "json":
        return JsonResponse(paper.model_dump(), json_dumps_params={"ensure_ascii": False, "indent": 2})
    if kind == "md":
        return _text(_markdown(paper), "text/markdown")
    with reading():
        cited = citations.citations(paper, request.build_absolute_uri(f"/papers/{paper_id}/"))
    if kind == "bib":
        return _download(cited.bibtex + "\n", "application/x-bibtex", f"{cited.key}.bib")
    if kind == "ris":
        return _download(cited.ris, "application/x-research-info-systems", f"{cited.key}.ris")
    return _download(cited.csl, "application/vnd.citationstyles.csl+json", f"{cited.key}.json")


def _markdown(paper: PaperMetadata) -> str:
    """What a reader of the page gets, as markdown: the facts, then the preferred summary."""
    head = citations.markdown_file([paper])
    available = rendered.choices(paper)
    body = rendered.markdown_of(paper, available[0]) if available else ""
    return f"# {paper.title}\n\n{head}\n{body}\n"


@snapshot_page
def list_file(request: HttpRequest, kind: str) -> HttpResponse:
    """A page of the list at /papers/, with the same parameters, for programs."""
    wish = read_wish(request.GET)
    found = find(wish)
    if kind == "json":
        return JsonResponse(_listed(request, wish, found), json_dumps_params={"ensure_ascii": False, "indent": 2})
    if kind == "atom":
        context = {"wish": wish, "found": found, "self": request.build_absolute_uri(), "root": _root(request)}
        response = render(request, "papers/feed.xml", context | {"stats": tools.get_database_stats()})
        response["Content-Type"] = "application/atom+xml; charset=utf-8"
        return response
    return many([tools.get_paper_metadata(paper.paper_id) for paper in found.papers], kind)


def _root(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _listed(request: HttpRequest, wish: Wish, found: Found) -> dict[str, object]:
    root = _root(request)
    papers = [
        {
            "paper_id": paper.paper_id,
            "title": paper.title,
            "authors": paper.authors,
            "year": paper.year,
            "venue": paper.venue,
            "snippet": paper.snippet.replace("[[[", "").replace("]]]", ""),
            "url": f"{root}/papers/{paper.paper_id}/",
        }
        for paper in found.papers
    ]
    after = root + wish.but(page=wish.page + 1).address("/papers.json") if wish.page < found.pages else None
    facets = {facet: {one.value: one.paper_count for one in values} for facet, values in found.facets.items()}
    return {
        "total": found.total,
        "page": wish.page,
        "papers": papers,
        "next": after,
        "facets": facets,
        "years": found.years,
    }


def many(papers: list[PaperMetadata], kind: str) -> HttpResponse:
    """Several papers in one file."""
    with reading():
        if kind == "bib":
            return _download(citations.bibtex_file(papers), "application/x-bibtex", "papers.bib")
        if kind == "ris":
            return _download(citations.ris_file(papers), "application/x-research-info-systems", "papers.ris")
    if kind == "csv":
        return _download(citations.csv_file(papers), "text/csv", "papers.csv")
    if kind == "json":
        rows = [paper.model_dump() for paper in papers]
        response = JsonResponse(rows, safe=False, json_dumps_params={"ensure_ascii": False, "indent": 2})
        response["Content-Disposition"] = 'attachment; filename="papers.json"'
        return response
    return _text(citations.markdown_file(papers), "text/markdown")


def _text(body: str, kind: str) -> HttpResponse:
    return HttpResponse(body, content_type=f"{kind}; charset=utf-8")


def _download(body: str, kind: str, name: str) -> HttpResponse:
    response = _text(body, kind)
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
    response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response

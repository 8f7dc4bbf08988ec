"""Files of the library: pictures, PDFs, and papers and lists in formats for programs."""

import mimetypes
import re

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from papercore.snapshot.assets import AssetMissing
from papercore.snapshot.layout import IMAGE_EXTENSIONS, image_key, pdf_key
from papers import tools
from papers.catalogue import citations
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import PaperMetadata
from papers.pages.caching import snapshot_page
from papers.pages.downloads import download
from papers.pages.formats import BIBTEX_TYPE, CSL_TYPE, MARKDOWN_TYPE, RIS_TYPE, as_json, papers_file, text_file
from papers.search.list_query import FACETS, ListQuery, read_list_query
from papers.search.results import PaperList, list_page
from papers.snapshot import assets
from papers.snapshot.errors import SourceNotAvailable
from papers.snapshot.served import reading
from papers.texts import rendered

_YEAR = 365 * 24 * 3600
_INLINE = ["'unsafe-inline'"]
_PICTURE_POLICY = {"script-src": ["'none'"], "style-src": _INLINE, "sandbox": True}
# What the browser's PDF reader needs.
_PDF_POLICY = {
    "default-src": ["'self'"],
    "object-src": ["'self'"],
    "frame-ancestors": ["'self'"],
    "style-src": _INLINE,
}


# A picture opened on its own may run nothing: an SVG can contain a script.
@csp_replace(_PICTURE_POLICY)  # type: ignore[arg-type]  # its types know views without arguments only
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """A picture in a text. Its name is the hash of its content, so it never changes."""
    kind = mimetypes.guess_type(name)[0]
    if not any(name.lower().endswith(suffix) for suffix in IMAGE_EXTENSIONS) or kind is None:
        raise Http404
    try:
        content = assets.store().read(image_key(name))
    except AssetMissing:
        # Browsers show a picture whatever its status is.
        return render(request, "papers/missing_picture.svg", content_type="image/svg+xml", status=404)
    response = HttpResponse(content, content_type=kind)
    patch_cache_control(response, public=True, max_age=_YEAR, immutable=True)
    return response


@csp_replace(_PDF_POLICY)  # type: ignore[arg-type]
@xframe_options_sameorigin
@require_safe
def pdf_file(request: HttpRequest, paper_id: str) -> HttpResponseBase:
    """The paper's PDF, of whatever size; browsers and readers ask for ranges of it."""
    paper = find_paper(paper_id)
    if not paper.pdf_content_hash:
        raise SourceNotAvailable(f"This library has no PDF of paper {paper_id}.", paper_id=paper_id)
    response = download(request, pdf_key(paper.pdf_content_hash), paper.pdf_content_hash, "application/pdf")
    response["Content-Disposition"] = f'inline; filename="{file_name(paper.title)}.pdf"'
    patch_cache_control(response, public=True, max_age=3600)
    return response


def file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "paper"


@snapshot_page
def paper_file(request: HttpRequest, paper_id: str, suffix: str) -> HttpResponse:
    """The paper at its own address with a suffix: json, md, bib, ris, csl."""
    paper = tools.get_paper_metadata(paper_id)
    if suffix == "json":
        return text_file(as_json(paper.model_dump()), "application/json")
    if suffix == "md":
        return text_file(_markdown(paper), MARKDOWN_TYPE)
    with reading():
        cited = citations.citations(paper)
    if suffix == "bib":
        return text_file(f"{citations.bibtex_comment(cited.note)}{cited.bibtex}\n", BIBTEX_TYPE, f"{cited.key}.bib")
    if suffix == "ris":
        return text_file(cited.ris, RIS_TYPE, f"{cited.key}.ris")
    return text_file(cited.csl, CSL_TYPE, f"{cited.key}.json")


def _markdown(paper: PaperMetadata) -> str:
    """What the paper's page shows, as markdown: the reference, then the preferred summary."""
    head = citations.markdown_file([paper])
    available = rendered.choices(paper)
    body = rendered.markdown_of(paper, available[0]) if available else ""
    return f"# {paper.title}\n\n{head}\n{body}\n"


@snapshot_page
def list_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """A page of the list at /papers/, with the same parameters, for programs."""
    query = read_list_query(request.GET)
    results = list_page(query, counted=FACETS if suffix == "json" else ())
    root = request.build_absolute_uri("/").rstrip("/")
    if suffix == "json":
        return text_file(as_json(_list_as_json(root, query, results)), "application/json")
    if suffix == "atom":
        context = {"query": query, "results": results, "self": request.build_absolute_uri(), "root": root}
        response = render(request, "papers/feed.xml", context | {"stats": tools.get_database_stats()})
        response["Content-Type"] = "application/atom+xml; charset=utf-8"
        return response
    return papers_file([tools.get_paper_metadata(paper.paper_id) for paper in results.papers], suffix)


def _list_as_json(root: str, query: ListQuery, results: PaperList) -> dict[str, object]:
    next_page = query.changed(page=query.page + 1).address(reverse("list-file", args=["json"]))
    return {
        "total": results.total,
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
            for paper in results.papers
        ],
        "next": root + next_page if query.page < results.pages else None,
        "facets": {facet: results.facet_counts(facet) for facet in FACETS},
        "years": results.years,
        "nearest": [{"paper_id": paper.paper_id, "title": paper.title} for paper in results.nearest],
    }

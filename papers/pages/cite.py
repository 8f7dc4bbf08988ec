"""Papers cited in a style: one paper, or the basket; in a style of the site or in a CSL file that is brought."""

from collections.abc import Sequence
from typing import get_args

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods

from papercore import limits
from papercore.errors import InvalidInput
from papers import tools
from papers.catalogue.citing import WRITERS, CitationStyle, cite
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.style_files import STYLES
from papers.pages.basket import paper_ids
from papers.search.results import papers_by_id
from papers.snapshot.served import reading

KNOWN_STYLES: tuple[CitationStyle, ...] = get_args(CitationStyle)


@require_http_methods(["GET", "HEAD", "POST"])
def paper(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    return _cited(request, [found], {"paper": found})


@require_http_methods(["GET", "HEAD", "POST"])
def basket(request: HttpRequest) -> HttpResponse:
    ids = [paper.paper_id for paper in papers_by_id(paper_ids(request))]
    papers = [tools.get_paper_metadata(paper_id) for paper_id in ids[: limits.STYLED_PAPERS]]
    return _cited(request, papers, {"left_out": len(ids) - len(papers)})


def _cited(request: HttpRequest, papers: Sequence[PaperMetadata], shown: dict[str, object]) -> HttpResponse:
    """The page; a file that cannot be used leaves the chosen style, with the reason."""
    asked = request.POST if request.method == "POST" else request.GET
    style: CitationStyle = next((style for style in KNOWN_STYLES if style == asked.get("style")), "apa")
    page = asked.get("page", "").strip()[: limits.PAGE_CHARS]
    csl, problem, file = "", "", request.FILES.get("csl")
    if file:
        csl = file.read(limits.STYLE_CHARS + 1).decode("utf-8", "replace")
        problem = "" if len(csl) <= limits.STYLE_CHARS else "This style file is too large."
    with reading():
        try:
            references = cite(papers, style, page, "" if problem else csl)
        except InvalidInput as error:
            problem = error.message
            references = cite(papers, style, page)
    written = {form: "\n\n".join(map(write, references.bibliography)) for form, write in WRITERS.items()}
    written["html"] = "\n".join(f"<p>{entry}</p>" for entry in references.bibliography)
    context = shown | {
        "styles": [(name, label) for name, (label, _) in STYLES.items()],
        "style": style,
        "style_name": file.name if file and not problem else STYLES[style][0],
        "page": page,
        "problem": problem,
        # It has no other tags than those that `styled` leaves.
        "in_text": [mark_safe(text) for text in references.in_text],  # noqa: S308
        "bibliography": [mark_safe(entry) for entry in references.bibliography],  # noqa: S308
        "written": written,
    }
    response = render(request, "papers/cite.html", context, status=400 if problem else 200)
    response["Cache-Control"] = "private, no-store"
    return response

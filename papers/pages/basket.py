"""The basket: adding and removing papers, looking at it, downloading it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from papercore.errors import InvalidInput, NotFound
from papers import tools
from papers.catalogue.schemas import PaperMetadata
from papers.pages import basket_cookie
from papers.pages.formats import FORMAT_BY_SUFFIX, papers_file
from papers.search.results import papers_by_id


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    papers, emptied = papers_by_id(basket_cookie.ids(request)), basket_cookie.emptied(request)
    return render(request, "papers/basket.html", {"papers": papers, "emptied": emptied})


@require_POST
def toggle(request: HttpRequest) -> HttpResponse:
    """Add a paper, or remove it; with scripting, only the button and the counts come back."""
    paper_id = request.POST.get("toggle", "")
    before = basket_cookie.ids(request)
    title = ""
    if paper_id not in before:
        added = tools.get_paper_metadata(paper_id)
        paper_id, title = added.paper_id, added.title
    after = basket_cookie.toggled(before, paper_id)
    if request.headers.get("HX-Request"):
        title = title or next((paper.title for paper in _papers([paper_id])), "")
        context = {"paper_id": paper_id, "title": title, "small": "small" in request.POST, "basket_ids": after}
        response = render(request, "papers/_basket_button.html", context)
    else:
        response = redirect(_back(request))
    basket_cookie.save(response, after)
    return response


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """What was in the basket is kept for a while, so that it can be put back."""
    response = redirect("basket")
    basket_cookie.save(response, [])
    basket_cookie.save_emptied(response, basket_cookie.ids(request))
    return response


@require_POST
def restore(request: HttpRequest) -> HttpResponse:
    """Put back what was in the basket when it was emptied, beside what was added since."""
    response = redirect("basket")
    ids = dict.fromkeys([*basket_cookie.emptied(request), *basket_cookie.ids(request)])
    basket_cookie.save(response, list(ids))
    basket_cookie.save_emptied(response, [])
    return response


@require_safe
def export(request: HttpRequest, suffix: str) -> HttpResponse:
    if suffix not in FORMAT_BY_SUFFIX:
        raise InvalidInput(f"There is no such format; choose one of {', '.join(FORMAT_BY_SUFFIX)}.")
    response = papers_file(_papers(basket_cookie.ids(request)), suffix)
    response["Cache-Control"] = "private, no-store"
    return response


def _papers(ids: list[str]) -> list[PaperMetadata]:
    """Papers that the library no longer has are left out."""
    found = []
    for paper_id in ids:
        try:
            found.append(tools.get_paper_metadata(paper_id))
        except NotFound:
            continue
    return found


def _back(request: HttpRequest) -> str:
    """The page the form was on, if it is one of ours."""
    page = request.headers.get("Referer", "")
    own = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return page if own else reverse("basket")

"""The basket: adding and removing papers, looking at it, downloading it.

Its paper ids are in a cookie, so that it needs no account and no row of a database.
"""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from papercore import limits
from papercore.errors import InvalidInput, NotFound
from papers import tools
from papers.catalogue.schemas import PaperMetadata
from papers.pages.files import FORMAT_BY_SUFFIX, papers_file
from papers.search.results import papers_by_id

BASKET, EMPTIED = "basket", "emptied"
SECONDS = {BASKET: 365 * 24 * 3600, EMPTIED: 3600}
SEPARATOR = "!"  # in no id, and needs no quoting in a cookie
_ID = re.compile(rf"[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}}")


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    context = {"papers": papers_by_id(paper_ids(request)), "emptied": _emptied_ids(request)}
    return render(request, "papers/basket.html", context)


@require_POST
def toggle(request: HttpRequest) -> HttpResponse:
    """Add a paper, or remove it; with scripting, only the button and the counts come back."""
    paper_id = request.POST.get("toggle", "")
    before = paper_ids(request)
    title = ""
    if paper_id not in before:
        added = tools.get_paper_metadata(paper_id)
        paper_id, title = added.paper_id, added.title
    after = [other for other in before if other != paper_id] if paper_id in before else [*before, paper_id]
    if request.headers.get("HX-Request"):
        title = title or next((paper.title for paper in _papers([paper_id])), "")
        context = {"paper_id": paper_id, "title": title, "small": "small" in request.POST, "ids_after": after}
        response = render(request, "papers/_basket_button.html", context)
    else:
        # Back to the page the form was on, if it is one of ours.
        page = request.headers.get("Referer", "")
        own = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
        response = redirect(page if own else reverse("basket"))
    _save(response, BASKET, after)
    return response


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """What was in the basket is kept for a while, so that it can be put back."""
    response = redirect("basket")
    _save(response, BASKET, [])
    _save(response, EMPTIED, paper_ids(request))
    return response


@require_POST
def restore(request: HttpRequest) -> HttpResponse:
    """Put back what was in the basket when it was emptied, beside what was added since."""
    response = redirect("basket")
    ids = dict.fromkeys([*_emptied_ids(request), *paper_ids(request)])
    _save(response, BASKET, list(ids))
    _save(response, EMPTIED, [])
    return response


@require_safe
def export(request: HttpRequest, suffix: str) -> HttpResponse:
    if suffix not in FORMAT_BY_SUFFIX:
        raise InvalidInput(f"There is no such format; choose one of {', '.join(FORMAT_BY_SUFFIX)}.")
    response = papers_file(_papers(paper_ids(request)), suffix)
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


def basket_context(request: HttpRequest) -> dict[str, object]:
    """For the templates: the header of every page counts the papers."""
    return {"basket_ids": paper_ids(request)}


def paper_ids(request: HttpRequest) -> list[str]:
    """The ids in the order they were added; anything else in the cookie is ignored."""
    return _ids(request.COOKIES.get(BASKET, ""))


def _emptied_ids(request: HttpRequest) -> list[str]:
    """The ids that were in the basket when it was emptied, not long ago."""
    return _ids(request.COOKIES.get(EMPTIED, ""))


def _ids(value: str) -> list[str]:
    found = [part for part in value.split(SEPARATOR) if _ID.fullmatch(part)]
    return list(dict.fromkeys(found))[: limits.BASKET_PAPERS]


def _save(response: HttpResponse, name: str, ids: list[str]) -> None:
    """Keep the ids in the cookie of this name; without any, there is none."""
    # Only the pages of the basket need what was emptied.
    path = reverse("basket") if name == EMPTIED else "/"
    if not ids:
        response.delete_cookie(name, path=path, samesite="Lax")
        return
    response.set_cookie(
        name,
        SEPARATOR.join(ids[: limits.BASKET_PAPERS]),
        max_age=SECONDS[name],
        path=path,
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )

"""The basket's paper ids in a cookie: no account and no database row needed."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from papercore import limits

COOKIE, EMPTIED = "basket", "emptied"
SEPARATOR = "!"  # in no id, and needs no quoting in a cookie
_ID = re.compile(rf"[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}}")


def ids(request: HttpRequest) -> list[str]:
    """The ids in the order they were added; anything else in the cookie is ignored."""
    return _ids(request.COOKIES.get(COOKIE, ""))


def save(response: HttpResponse, paper_ids: list[str]) -> None:
    """Keep the ids for a year; an empty basket leaves no cookie."""
    _save(response, COOKIE, paper_ids, max_age=365 * 24 * 3600)


def emptied(request: HttpRequest) -> list[str]:
    """The ids that were in the basket when it was emptied, not long ago."""
    return _ids(request.COOKIES.get(EMPTIED, ""))


def save_emptied(response: HttpResponse, paper_ids: list[str]) -> None:
    _save(response, EMPTIED, paper_ids, max_age=3600)


def _ids(value: str) -> list[str]:
    found = [part for part in value.split(SEPARATOR) if _ID.fullmatch(part)]
    return list(dict.fromkeys(found))[: limits.BASKET_PAPERS]


def _save(response: HttpResponse, name: str, paper_ids: list[str], max_age: int) -> None:
    # Only the pages of the basket need what was emptied.
    path = reverse("basket") if name == EMPTIED else "/"
    if not paper_ids:
        response.delete_cookie(name, path=path, samesite="Lax")
        return
    value = SEPARATOR.join(paper_ids[: limits.BASKET_PAPERS])
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=max_age, path=path, samesite="Lax", httponly=True, secure=secure)


def toggled(paper_ids: list[str], paper_id: str) -> list[str]:
    if paper_id in paper_ids:
        return [other for other in paper_ids if other != paper_id]
    return [*paper_ids, paper_id]

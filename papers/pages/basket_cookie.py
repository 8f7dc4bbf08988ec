"""The basket's paper ids in a cookie: no account and no database row needed."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from papercore import limits

COOKIE = "basket"
SEPARATOR = "!"  # in no id, and needs no quoting in a cookie
_ID = re.compile(rf"[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}}")


def ids(request: HttpRequest) -> list[str]:
    """The ids in the order they were added; anything else in the cookie is ignored."""
    found = [part for part in request.COOKIES.get(COOKIE, "").split(SEPARATOR) if _ID.fullmatch(part)]
    return list(dict.fromkeys(found))[: limits.BASKET_PAPERS]


def save(response: HttpResponse, paper_ids: list[str]) -> None:
    """Keep the ids for a year; an empty basket leaves no cookie."""
    if not paper_ids:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    value = SEPARATOR.join(paper_ids[: limits.BASKET_PAPERS])
    response.set_cookie(
        COOKIE, value, max_age=365 * 24 * 3600, samesite="Lax", httponly=True, secure=settings.SESSION_COOKIE_SECURE
    )


def toggled(paper_ids: list[str], paper_id: str) -> list[str]:
    if paper_id in paper_ids:
        return [other for other in paper_ids if other != paper_id]
    return [*paper_ids, paper_id]

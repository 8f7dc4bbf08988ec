"""What the template of every page can use: the colour theme, the basket, and facts about the library."""

from datetime import datetime

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from papercore.errors import ToolError
from papers.catalogue import facets
from papers.pages import basket
from papers.snapshot.served import reading
from searches.answers.offer import offer
from searches.pages.own_sessions import pending_searches

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, object]:
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "auto",
        "basket_ids": basket.paper_ids(request),
        "library": SimpleLazyObject(_library),
        "logged_in": SimpleLazyObject(lambda: _is_logged_in(request)),
        "with_specs": bool(settings.SPECS),
        "answers": SimpleLazyObject(lambda: offer(request)),
        "with_searches": settings.SEARCHES,
        "pending_searches": SimpleLazyObject(lambda: pending_searches(request)),
    }


def page_surroundings(request: HttpRequest) -> str:
    """What the pages of the library show that is not of the library, as a text that changes with it."""
    # The page of a question is another one once a model is configured.
    answers = offer(request) if request.path_info == reverse("ask") else ""
    return " ".join([answers, *(row.pk for row in pending_searches(request))])


def _is_logged_in(request: HttpRequest) -> bool:
    """Without the cookie of a session nobody is, and no database is asked: papers can be read without it."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return False
    try:
        return request.user.is_authenticated
    except DatabaseError:
        return False


def _library() -> dict[str, object]:
    """Facts for the footer; none when the library cannot be read."""
    try:
        with reading():
            stats = facets.stats()
    except ToolError:
        return {}
    return {
        "build_id": stats.build_id,
        "built_at": stats.built_at,
        "built_on": _date_text(stats.built_at),
        "papers": stats.papers,
    }


def _date_text(timestamp: str) -> str:
    """As in 2 January 2026; a timestamp that cannot be read is shown as it is."""
    try:
        date = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    return f"{date.day} {date:%B %Y}"

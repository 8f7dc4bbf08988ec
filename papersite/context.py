"""What every page knows: the colour theme, the basket, and which library this is."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from papercore.errors import ToolError
from papers import tools
from papers.pages import basket_cookie

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, object]:
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "auto",
        "basket_ids": basket_cookie.ids(request),
        "library": SimpleLazyObject(_library),
    }


def _library() -> dict[str, object]:
    """Facts for the foot of the page; a library that cannot be read has none."""
    try:
        stats = tools.get_database_stats()
    except ToolError:
        return {}
    return {
        "build_id": stats.build_id,
        "built_at": stats.built_at,
        "built_on": _day(stats.built_at),
        "papers": stats.papers,
    }


def _day(moment: str) -> str:
    try:
        day = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{day.day} {day:%B %Y}"

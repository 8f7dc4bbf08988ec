"""What waits for a decision of whoever looks at a page: told on the home page and in the navigation."""

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest

from searches.models import SearchSession, Status

# More are not named.
NAMED_SESSIONS = 5


def pending_searches(request: HttpRequest) -> list[SearchSession]:
    """Searches at a checkpoint: those of this browser, or all of them after a login. Asked once a request."""
    known: list[SearchSession] | None = getattr(request, "pending_searches", None)
    if known is None:
        known = _find(request)
        request.pending_searches = known  # type: ignore[attr-defined]  # kept for this request
    return known


def _find(request: HttpRequest) -> list[SearchSession]:
    # Without the cookie of a session there are none, and no database is asked: papers can be read without it.
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user") or not settings.SEARCHES:
        return []
    try:
        rows = SearchSession.objects.filter(status=Status.WAITING).only("pk", "query")
        if not request.user.is_authenticated:
            rows = rows.filter(pk__in=request.session.get("searches", []))
        return list(rows[: NAMED_SESSIONS + 1])
    except DatabaseError:
        return []

"""The sessions of whoever looks at a page: all that they may decide, or those that this browser has opened."""

from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.http import HttpRequest

from searches.models import SearchSession, Status
from searches.sessions.calls import is_owner, sees_all

# Nobody looks further back than this.
REMEMBERED_SESSIONS = 50
# More that wait for a decision are not named.
NAMED_SESSIONS = 5
# Where the cookie session lists them.
_KEY = "searches"


def own_sessions(request: HttpRequest) -> QuerySet[SearchSession]:
    rows = SearchSession.objects.defer("state")
    return rows if sees_all(request) else rows.filter(pk__in=request.session.get(_KEY, []))


def remember(request: HttpRequest, row: SearchSession) -> None:
    """List the session among those of this browser."""
    own = request.session.get(_KEY, [])
    if row.pk not in own:
        request.session[_KEY] = [row.pk, *own][:REMEMBERED_SESSIONS]


def pending_searches(request: HttpRequest) -> list[SearchSession]:
    """Those that wait for a decision, for the home page and the navigation. Asked once a request."""
    known: list[SearchSession] | None = getattr(request, "pending_searches", None)
    if known is not None:
        return known
    found: list[SearchSession] = []
    # Without the cookie of a session or of the owner there are none, and no database is asked: papers can be read
    # without it.
    known_here = settings.SESSION_COOKIE_NAME in request.COOKIES or is_owner(request)
    if settings.SEARCHES and known_here and hasattr(request, "user"):
        with suppress(DatabaseError):
            waiting = SearchSession.objects.filter(status=Status.WAITING)
            # Mostly nothing waits, and one question to the database says so.
            if waiting.exists():
                found = list(own_sessions(request).filter(status=Status.WAITING)[: NAMED_SESSIONS + 1])
    request.pending_searches = found  # type: ignore[attr-defined]  # kept for this request
    return found

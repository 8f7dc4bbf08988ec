"""The sessions of whoever looks at a page: all, those of a token, or those that this browser has opened."""

from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from papercore.caller import Caller
from searches.models import SearchSession, Status
from searches.sessions.calls import caller_of

# Nobody looks further back than this.
REMEMBERED_SESSIONS = 50
# More that wait for a decision are not named.
NAMED_SESSIONS = 5
# Where the cookie session lists them.
_KEY = "searches"


def own_sessions(request: HttpRequest) -> QuerySet[SearchSession]:
    caller = caller_of(request)
    if caller.account or caller.key:
        return sessions_of(caller)
    return SearchSession.objects.defer("state").filter(pk__in=request.session.get(_KEY, []))


def sessions_of(caller: Caller) -> QuerySet[SearchSession]:
    """All for an account. For a token those that it started; if it may write, also those that belong to nobody."""
    rows = SearchSession.objects.defer("state")
    if caller.account:
        return rows
    return rows.filter(Q(owner=caller.key) | Q(owner="") if "write" in caller.scopes else Q(owner=caller.key))


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
    # An error page may come before it is known who asks.
    if settings.SEARCHES and hasattr(request, "find_caller"):
        with suppress(DatabaseError):
            # Without the cookie of a session or of the owner there are none, and no database is asked: papers can be
            # read without it. Mostly nothing waits, and one question to the database says so.
            known_here = settings.SESSION_COOKIE_NAME in request.COOKIES or caller_of(request).account
            if known_here and SearchSession.objects.filter(status=Status.WAITING).exists():
                found = list(own_sessions(request).filter(status=Status.WAITING)[: NAMED_SESSIONS + 1])
    request.pending_searches = found  # type: ignore[attr-defined]  # kept for this request
    return found

"""Who may do what: read a private site, change the library."""

from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache

from mcpapi.transport import gate
from papercore.caller import Caller
from papersite.accounts.owner import is_owner
from papersite.accounts.roles import is_editor
from papersite.error_pages import error_response
from searches.errors import StorageUnavailable

# What a stranger may ask for: probes and the login. Static files and /mcp are answered before this middleware.
OPEN_ROUTES = ("healthz", "readyz", "robots", "login", "enter", "admin:login")
INVITATION = "/invitation/"
# The address of a feed is its key.
FEEDS = "/searches/waiting/"
# The REST API; below it only its documentation is a page.
API = "/api/"
FEED_SUFFIX = ".atom"

View = Callable[..., HttpResponse]


class AccessMiddleware:
    """Closes the site to strangers where PAPERSITE_ACCESS is private."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Most pages do not ask who is asking.
        request.find_caller = cache(partial(caller_of, request))  # type: ignore[attr-defined]  # for searches.sessions.calls
        if settings.ACCESS == "open":
            return self.get_response(request)
        try:
            admitted = is_open(request) or is_known(request)
        except DatabaseError:
            return error_response(request, StorageUnavailable("Logins cannot be checked at present. Try again later."))
        response = self.get_response(request) if admitted else refusal(request)
        # Pictures and PDFs allow every cache to keep them, which holds for open sites only.
        patch_cache_control(response, private=True)
        return response


def is_open(request: HttpRequest) -> bool:
    return request.path_info.startswith((INVITATION, FEEDS)) or request.path_info in {
        reverse(route) for route in OPEN_ROUTES
    }


def caller_of(request: HttpRequest) -> Caller:
    """Who asks for a page: the owner, an account, an agent with its token, or somebody unknown.

    DatabaseError if that cannot be found out; without a cookie or token no database is asked.
    """
    account = "owner" if is_owner(request) else f"account:{request.user.pk}" if request.user.is_authenticated else ""
    if not account and (token := gate.token_of(request)):
        return gate.agent(request, token)
    return Caller("person", account=account, address=request.META["REMOTE_ADDR"])


def is_known(request: HttpRequest) -> bool:
    """Whether the request comes with a login or a valid bearer token. DatabaseError if that cannot be found out."""
    caller = caller_of(request)
    return bool(caller.account or caller.key)


def may_see_details(request: HttpRequest) -> bool:
    """Whether /readyz tells this client the states of the site's parts."""
    try:
        return settings.ACCESS == "open" or is_known(request)
    except DatabaseError:
        return False


def refusal(request: HttpRequest) -> HttpResponseBase:
    """People are sent to the login, programs get 401."""
    back_to = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("home")
    to_login = redirect_to_login(back_to)
    if is_for_people(request) and "HX-Request" not in request.headers:
        return to_login
    headers = {"WWW-Authenticate": gate.challenge(request)}
    if "HX-Request" in request.headers:  # htmx would follow a redirect and put the login into the page
        headers["HX-Redirect"] = to_login.url
    body = {"error": "login_required", "message": "This site is private: log in, or send a bearer token."}
    return JsonResponse(body, status=401, headers=headers)


def is_for_people(request: HttpRequest) -> bool:
    """Whether a browser asks for something to look at. Pages end with a slash, other addresses are mostly files."""
    path = request.path_info
    if "Authorization" in request.headers or path.endswith(FEED_SUFFIX):
        return False
    if path.startswith(API) and path not in (API, reverse("api-docs")):
        return False
    return request.accepts("text/html") if path.endswith("/") else "text/html" in request.headers.get("Accept", "")


def may_change_library(request: HttpRequest) -> bool:
    """Whether this person may add, correct and remove papers. DatabaseError if that cannot be found out.

    Editors and staff; with PAPERSITE_LIBRARY_CHANGES=local also whoever opened the owner's link.
    """
    return settings.LIBRARY_CHANGES != "off" and (is_owner(request) or is_editor(request.user))


def for_editors(view: View) -> View:
    """A view for whoever may change the library; others are sent to the login."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: whatever the address holds
        if settings.LIBRARY_CHANGES == "off":
            raise Http404
        try:
            if may_change_library(request):
                return never_cache(view)(request, *args, **kwargs)
        except DatabaseError:
            raise StorageUnavailable("Logins cannot be checked at present. Try again later.") from None
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("library-add"))

    return checked

"""Adds papers to the library in the browser: bring files, see what they would change, apply it, undo it."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import IO, Any, cast

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ingest import BuildError, updates_of
from paper_search.config import load_config
from papercore import limits
from papercore.bibliography.identifiers import Identifier
from papercore.caller import is_local
from papercore.http_status import page_status
from papers.library import additions, start_filling
from papers.library import updates as library
from papers.library.additions import AdditionRefused, find_addition, new_addition
from papers.library.received_files import KINDS, ReceivedFiles
from searches.errors import StorageUnavailable
from searches.identified_papers import identified_papers

View = Callable[..., HttpResponse]


def for_those_who_may(view: View) -> View:
    """Staff; with `local` also whoever sits at this machine, while there are no accounts."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # Any: whatever the address holds
        if settings.LIBRARY_CHANGES == "off":
            raise Http404
        try:
            if is_staff(request) or may_change_locally(request):
                return never_cache(view)(request, *args, **kwargs)
        except DatabaseError:
            raise StorageUnavailable("Logins cannot be checked at present. Try again later.") from None
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(reverse("library-add"), reverse("admin:login"))

    return checked


def is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff


def may_change_locally(request: HttpRequest) -> bool:
    """Whether the settings let whoever sits at this machine change the library, and nobody has an account."""
    if settings.LIBRARY_CHANGES != "local" or settings.ACCESS == "private":
        return False
    local = is_local(request.META.get("REMOTE_ADDR", ""), request.get_host(), request.headers)
    return local and not get_user_model().objects.exists()


@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_may
def add(request: HttpRequest) -> HttpResponse:
    return _receive(request) if request.method == "POST" else _form(request)


def _form(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    try:
        history = updates_of(library.served_library())
    except BuildError as error:
        history, problem = [], problem or additions.without_server_paths(str(error))
    context = {
        "history": history,
        "problem": problem,
        "kinds": KINDS,
        "most_bytes": limits.UPLOAD_BYTES,
        "text": request.POST.get("text", ""),
    }
    return render(request, "library/add.html", context, status=status)


def _receive(request: HttpRequest) -> HttpResponse:
    files = request.FILES.getlist("files")
    text = request.POST.get("text", "")
    if not files and not text.strip():
        return _form(request, "Choose a file, or paste something.", 400)
    addition = new_addition(request.user.get_username() if request.user.is_authenticated else "")
    received = ReceivedFiles(addition.files)
    try:
        for file in files:
            received.add(file.name or "file", cast("IO[bytes]", file.file))
        received.add_text(text)
        additions.start_reading(addition, received, _look_up)
    except AdditionRefused as error:
        addition.discard()
        return _form(request, error.message, page_status(error))
    except OSError as error:
        addition.discard()
        return _form(request, f"The files cannot be kept: {error.strerror}.", 503)
    return HttpResponseRedirect(reverse("library-addition", args=[addition.id]))


def _look_up(identifiers: Sequence[Identifier]) -> tuple[list[dict[str, object]], list[str]]:
    found = identified_papers(identifiers, load_config())
    return found.items, found.notes


@require_GET
@for_those_who_may
def addition(request: HttpRequest, addition_id: str) -> HttpResponse:
    """What was read and what it would change; htmx asks for the part that changes while it is worked on."""
    found = find_addition(addition_id)
    state = found.load()
    counts = {kind: state.count(kind) for kind in ("added", "changed", "unchanged")}
    context = {"addition": found, "state": state, "counts": counts}
    part = "library/_addition.html" if request.headers.get("HX-Request") else "library/addition.html"
    return render(request, part, context)


@require_POST
@for_those_who_may
def apply(request: HttpRequest, addition_id: str) -> HttpResponse:
    additions.start_applying(find_addition(addition_id))
    return HttpResponseRedirect(reverse("library-addition", args=[addition_id]))


@require_POST
@for_those_who_may
def discard(request: HttpRequest, addition_id: str) -> HttpResponse:
    found = find_addition(addition_id)
    if found.load().is_working:
        raise AdditionRefused("It is being worked on. Wait until that has ended.")
    found.discard()
    return HttpResponseRedirect(reverse("library-add"))


@require_POST
@for_those_who_may
def undo(request: HttpRequest) -> HttpResponse:
    """Undo the last update, if it is the one that the page showed."""
    try:
        folder = library.served_library()
        last = next(iter(updates_of(folder)), None)
        if last is None or last.build_after != request.POST.get("build", ""):
            return _form(request, "The library has changed since this page was shown; look again.", 409)
        library.undo(folder)
        start_filling()
    except BuildError as error:
        return _form(request, additions.without_server_paths(str(error)), 409)
    return HttpResponseRedirect(reverse("library-add"))

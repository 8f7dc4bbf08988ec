"""Adds papers to the library in the browser: bring files, see what they would change, apply it, undo it."""

from collections.abc import Sequence
from typing import IO, cast

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import ingest
from ingest import BuildError
from paper_search.config import load_config
from papercore import limits
from papercore.bibliography.identifiers import Identifier
from papercore.http_status import page_status
from papers.library import additions, start_filling
from papers.library import updates as library
from papers.library.additions import AdditionRefused, find_addition, new_addition
from papers.library.received_files import KINDS, ReceivedFiles
from papersite.access import for_editors
from papersite.server.body_limits import takes_body
from searches.identified_papers import identified_papers

# Operations that the page lists.
HISTORY_SHOWN = 30


@require_http_methods(["GET", "HEAD", "POST"])
@takes_body(limits.UPLOAD_BYTES)
@for_editors
def add(request: HttpRequest) -> HttpResponse:
    return _receive(request) if request.method == "POST" else _form(request)


def _form(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    history, build = [], ""
    try:
        folder = library.own_library()
        history, build = ingest.history(folder), ingest.build_id_of(folder)
    except BuildError as error:
        problem = problem or additions.without_server_paths(str(error))
    context = {
        "history": history[:HISTORY_SHOWN],
        "build": build,
        "founds": library.is_demo_served(),
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
    try:
        addition = new_addition(who(request))
    except OSError as error:
        return _form(request, f"The server cannot keep files now: {error.strerror}. Nothing was added.", 503)
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
@for_editors
def addition(request: HttpRequest, addition_id: str) -> HttpResponse:
    """What was read and what it would change; htmx asks for the part that changes while it is worked on."""
    found = find_addition(addition_id)
    state = found.load()
    counts = {kind: state.count(kind) for kind in ("added", "changed", "unchanged")}
    context = {"addition": found, "state": state, "counts": counts}
    part = "library/_addition.html" if request.headers.get("HX-Request") else "library/addition.html"
    return render(request, part, context)


@require_POST
@for_editors
def apply(request: HttpRequest, addition_id: str) -> HttpResponse:
    try:
        additions.start_applying(find_addition(addition_id))
    except OSError as error:
        return _form(request, f"The server cannot keep files now: {error.strerror}. Nothing was added.", 503)
    return HttpResponseRedirect(reverse("library-addition", args=[addition_id]))


@require_POST
@for_editors
def discard(request: HttpRequest, addition_id: str) -> HttpResponse:
    found = find_addition(addition_id)
    if found.load().is_working:
        additions.cancel(found)
        return HttpResponseRedirect(reverse("library-addition", args=[addition_id]))
    found.discard()
    return HttpResponseRedirect(reverse("library-add"))


@require_POST
@for_editors
def undo(request: HttpRequest) -> HttpResponse:
    """Take an operation back, or make it again, if the library is still the one that the page showed."""
    number = request.POST.get("operation", "")
    act = ingest.redo if "again" in request.POST else ingest.undo
    try:
        act(
            library.own_library(),
            int(number) if number.isdecimal() else None,
            shown=request.POST.get("build", "") or "nothing",
            settings=library.change_settings(by=who(request)),
        )
        start_filling()
    except BuildError as error:
        return _form(request, additions.without_server_paths(str(error)), 409)
    return HttpResponseRedirect(reverse("library-add"))


def who(request: HttpRequest) -> str:
    """The name under which a change is kept."""
    return request.user.get_username() if request.user.is_authenticated else ""

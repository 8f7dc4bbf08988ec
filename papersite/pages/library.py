"""Adds papers to the library in the browser: bring files, see what they would change, apply it, undo it."""

from typing import IO, cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import ingest
from ingest import BuildError
from papercore import limits
from papercore.http_status import page_status
from papers.catalogue.lookup import paper_url
from papers.library import additions, start_filling
from papers.library import updates as library
from papers.library.additions import ADDITIONS, Addition, AdditionRefused, AdditionState
from papers.library.received_files import KINDS
from papers.snapshot.served import is_demo
from papers.texts.page_pictures import first_page_picture
from papersite.access import for_editors
from papersite.accounts.owner import is_owner
from papersite.pages.decisions import read_decisions
from papersite.pages.paper_form import FORM, LABELS
from papersite.pages.paper_form import KINDS as FIELD_KINDS
from papersite.server.body_limits import takes_body
from searches.identified_papers import look_up_papers

# Operations that the page lists.
HISTORY_SHOWN = 30


@require_http_methods(["GET", "HEAD", "POST"])
@takes_body(lambda request: limits.UPLOAD_BYTES)
@for_editors
def add(request: HttpRequest) -> HttpResponse:
    return _receive(request) if request.method == "POST" else _form(request)


def _form(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    history, build, attach_to = [], "", None
    attach = request.POST.get("attach", "") or request.GET.get("attach", "")
    try:
        folder = library.own_library()
        history, build = ingest.history(folder), ingest.build_id_of(folder)
        attach_to = ingest.known_paper(folder, attach) if attach and build else None
    except BuildError as error:
        problem = problem or additions.without_server_paths(str(error))
    context = {
        "attach_to": attach_to,
        "kept": bool(build) and not is_demo(),
        "history": history[:HISTORY_SHOWN],
        "done": next((each for each in history if str(each.id) == request.GET.get("done")), None),
        "build": build,
        "founds": is_demo(),
        "proposals": additions.proposals(),
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
        addition = ADDITIONS.new(AdditionState(by=who(request)))
    except OSError as error:
        return _form(request, f"The server cannot keep files now: {error.strerror}. Nothing was added.", 503)
    sent = additions.sent_files(addition, text)
    for file in files:
        sent.add(file.name or "file", cast("IO[bytes]", file.file))
    try:
        if attach_to := request.POST.get("attach", ""):
            additions.start_attaching(addition, sent, attach_to)
        else:
            additions.start_reading(addition, sent, look_up_papers)
    except AdditionRefused as error:
        addition.discard()
        return _form(request, error.message, page_status(error))
    except OSError as error:
        addition.discard()
        return _form(request, f"The files cannot be kept: {error.strerror}.", 503)
    return HttpResponseRedirect(reverse("library-addition", args=[addition.id]))


@require_GET
@for_editors
def addition(request: HttpRequest, addition_id: str) -> HttpResponse:
    """What was read and what it would change; htmx asks for the part that changes while it is worked on."""
    return _addition_page(request, ADDITIONS.find(addition_id))


def _addition_page(request: HttpRequest, found: Addition, problem: str = "", status: int = 200) -> HttpResponse:
    """With what was typed, if something is wrong with it."""
    state = found.load()
    files = [str(found.folder / name) for name in state.files]
    context = {
        "addition": found,
        "state": state,
        "counts": {kind: state.count(kind) for kind in ("added", "changed", "unchanged")},
        # Which file is to be shown beside a paper.
        "pages": [next((files.index(name) for name in each.sources if name in files), -1) for each in state.changes],
        "labels": LABELS,
        "kinds": FIELD_KINDS,
        "edited": FORM,
        "typed": request.POST,
        "problem": problem,
    }
    part = "library/_addition.html" if request.headers.get("HX-Request") else "library/addition.html"
    return render(request, part, context, status=status)


@require_GET
@for_editors
def addition_page(request: HttpRequest, addition_id: str, number: int) -> HttpResponse:
    """The first page of a PDF that was brought, as a picture."""
    found = ADDITIONS.find(addition_id)
    files = found.load().files
    if number >= len(files) or not files[number].endswith(".pdf"):
        raise Http404
    return HttpResponse(first_page_picture(found.folder / files[number]), content_type="image/png")


@require_POST
@for_editors
def apply(request: HttpRequest, addition_id: str) -> HttpResponse:
    found = ADDITIONS.find(addition_id)
    try:
        additions.start_applying(found, read_decisions(request.POST, found.load().changes), accepted_by=who(request))
    except BuildError as error:
        return _addition_page(request, found, str(error), 400)
    except OSError as error:
        return _form(request, f"The server cannot keep files now: {error.strerror}. Nothing was added.", 503)
    return HttpResponseRedirect(reverse("library-addition", args=[addition_id]))


@require_POST
@for_editors
def discard(request: HttpRequest, addition_id: str) -> HttpResponse:
    found = ADDITIONS.find(addition_id)
    if found.load().is_working:
        additions.cancel(found)
        return HttpResponseRedirect(reverse("library-addition", args=[addition_id]))
    found.discard()
    return HttpResponseRedirect(reverse("library-add"))


@require_POST
@for_editors
def undo(request: HttpRequest) -> HttpResponse:
    """Take an operation back, or make it again, if the library is still the one that the page showed."""
    number, paper_id = request.POST.get("operation", ""), request.POST.get("paper", "")
    act, said = (ingest.redo, "done") if "again" in request.POST else (ingest.undo, "undone")
    try:
        folder = library.own_library()
        act(
            folder,
            int(number) if number.isdecimal() else None,
            settings=library.change_settings(by=who(request), shown_build=request.POST.get("build", "")),
        )
        start_filling()
        if paper_id and ingest.known_paper(folder, paper_id):
            return HttpResponseRedirect(f"{paper_url(paper_id)}?{said}={number}")
    except BuildError as error:
        return _form(request, additions.without_server_paths(str(error)), 409)
    return HttpResponseRedirect(reverse("library-add"))


def who(request: HttpRequest) -> str:
    """The name under which a change is kept."""
    if request.user.is_authenticated:
        return request.user.get_username()
    return "the owner" if is_owner(request) else ""

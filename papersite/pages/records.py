"""A paper's record in the hands of people: correct it, see where it comes from and what was done to it, remove it."""

from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

import ingest
from ingest import BelongsToOther, BuildError, KnownPaper, StateChanged, UpdateReport, known_paper
from papercore.errors import Conflict
from papers.catalogue.lookup import paper_url
from papers.library import additions, start_filling
from papers.library import updates as library
from papers.snapshot.errors import PaperNotFound
from papers.snapshot.served import is_demo
from papersite.access import for_editors
from papersite.pages.library import who
from papersite.pages.paper_form import FORM, KINDS, LABELS, SentForm, read_form

Change = Callable[[ingest.ChangeSettings], UpdateReport]


class LibraryNotKept(Conflict):
    code = "library_not_kept"
    heading = "This library cannot be corrected"


def find_kept() -> Path:
    """The library that is served, if people may correct it."""
    if is_demo():
        raise LibraryNotKept(
            "This is the demo, which is nobody's own. Add papers of your own first: they found a library that can be "
            "corrected."
        )
    try:
        return library.own_library()
    except BuildError as error:
        raise LibraryNotKept(additions.without_server_paths(str(error))) from None


def find_record(paper_id: str) -> tuple[Path, KnownPaper]:
    """The library that is served and its paper, as both are now."""
    folder = find_kept()
    try:
        paper = known_paper(folder, paper_id)
    except BuildError as error:
        raise LibraryNotKept(additions.without_server_paths(str(error))) from None
    if paper is None:
        raise PaperNotFound(paper_id)
    return folder, paper


@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def edit(request: HttpRequest, paper_id: str) -> HttpResponse:
    folder, paper = find_record(paper_id)
    if request.method != "POST":
        return _form(request, paper)
    sent = read_form(request.POST, paper.values)
    if sent.problems:
        return _form(request, paper, sent, status=400)
    if not sent.touched:
        return HttpResponseRedirect(paper_url(paper_id))
    settings = library.change_settings(by=who(request), shown={paper_id: request.POST.get("state", "") or "none"})
    try:
        report = ingest.edit_paper(folder, paper_id, sent.corrections, settings=settings)
    except StateChanged:
        return _form(request, find_record(paper_id)[1], sent, meanwhile=True, status=409)
    except BelongsToOther as error:
        return _form(request, paper, sent, str(error), belongs_to=error.other_id, status=409)
    except BuildError as error:
        return _form(request, paper, sent, additions.without_server_paths(str(error)), status=409)
    start_filling()
    return HttpResponseRedirect(f"{paper_url(paper_id)}?done={report.operation}")


def _form(
    request: HttpRequest,
    paper: KnownPaper,
    sent: SentForm | None = None,
    problem: str = "",
    *,
    meanwhile: bool = False,
    belongs_to: str = "",
    status: int = 200,
) -> HttpResponse:
    """With what was typed. What others changed meanwhile stands in the fields that this person left alone."""
    context = {
        "record": paper,
        "view": "edit",
        "fields": FORM,
        "labels": LABELS,
        "kinds": KINDS if paper.values["kind"] in KINDS else KINDS | {paper.values["kind"]: paper.values["kind"]},
        "values": paper.values | (sent.touched if sent else {}),
        # While what was typed is wrong, it is still compared with what was shown.
        "before": paper.values if meanwhile or sent is None else sent.before,
        "state": paper.state if meanwhile or sent is None else request.POST.get("state", ""),
        "problems": sent.problems if sent else {},
        "problem": problem,
        "belongs_to": belongs_to,
        "meanwhile": {name for name in paper.values if sent and meanwhile and paper.values[name] != sent.before[name]},
        "is_meanwhile": meanwhile,
    }
    return render(request, "library/edit.html", context, status=status)


@require_GET
@for_editors
def history(request: HttpRequest, paper_id: str) -> HttpResponse:
    folder, paper = find_record(paper_id)
    corrected = {operation.id: operation for operation in paper.operations}
    context = {
        "record": paper,
        "view": "history",
        "labels": LABELS,
        "kinds": KINDS,
        "origins": [(origin, corrected.get(origin.corrected_by)) for origin in paper.origins()],
        "build": ingest.build_id_of(folder),
    }
    return render(request, "library/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def remove(request: HttpRequest, paper_id: str) -> HttpResponse:
    folder, paper = find_record(paper_id)
    context: dict[str, object] = {"record": paper, "view": "remove"}
    if request.method != "POST":
        return render(request, "library/remove.html", context)
    settings = library.change_settings(by=who(request), shown={paper_id: request.POST.get("state", "") or "none"})
    try:
        report = ingest.update_library(folder, remove=[paper_id], settings=settings)
    except BuildError as error:
        context["problem"] = additions.without_server_paths(str(error))
        return render(request, "library/remove.html", context, status=409)
    start_filling()
    return HttpResponseRedirect(f"{reverse('library-add')}?done={report.operation}")

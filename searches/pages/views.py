"""Pages of search sessions: start one, watch it, decide, download the papers."""

from io import BytesIO

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from paper_search.domains import DOMAINS
from paper_search.export import EXPORT_FORMATS
from paper_search.models import PaperCollection
from paper_search.workflow.errors import NoPendingCheckpoint
from papercore.caller import calling
from papercore.errors import ToolError
from papercore.http_status import page_status
from searches import forms
from searches.models import SearchSession
from searches.pages import snapshot_export
from searches.pages.session_page import SessionPage
from searches.schemas import MaxResults, Query, SearchDomain
from searches.sessions import lifecycle, marks, store, worker
from searches.sessions.calls import count_call, person, session_tool

# A browser's own sessions are listed in its cookie session; nobody looks further back than this.
REMEMBERED_SESSIONS = 50
FORMATS = {export_format.suffix: export_format for export_format in EXPORT_FORMATS.values()}


@require_http_methods(["GET", "HEAD", "POST"])
def searches(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _start(request)
    return render(request, "searches/list.html", _list_context(request))


@require_GET
def session(request: HttpRequest, session_id: str) -> HttpResponse:
    """The page; htmx polls with the version it shows, and gets the changed part or nothing."""
    row = store.find(session_id, person(request))
    worker.resume(row)
    if request.headers.get("HX-Request"):
        if request.GET.get("seen") == str(row.version):
            return HttpResponse(headers={"HX-Reswap": "none"})
        return render(request, "searches/_session.html", {"page": _page(row, request)})
    store.touch(row)
    row.refresh_from_db()
    store.note_shown(row)
    _remember(request, row)
    return render(request, "searches/session.html", {"page": _page(row, request)})


@require_POST
def mark(request: HttpRequest, session_id: str) -> HttpResponse:
    """Save the marks of a page of papers, and go to the page that was asked for. A script wants no page."""
    row = store.find(session_id, person(request))
    marks.save(row, row.workflow_state, forms.marks_of(request.POST))
    store.touch(row)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    return HttpResponseRedirect(f"{reverse('search-session', args=[session_id])}?page={_page_number(request.POST)}")


@require_POST
def decide(request: HttpRequest, session_id: str) -> HttpResponse:
    row = store.find(session_id, person(request))
    try:
        checkpoint = row.workflow_state.checkpoint
        if checkpoint is None:
            raise NoPendingCheckpoint("Somebody else has decided already, or the search has ended.")
        marks.save(row, row.workflow_state, forms.marks_of(request.POST))
        with calling(person(request)):
            count_call()
            lifecycle.decide(row, forms.decision_of(request.POST, checkpoint), request.POST.get("checkpoint_id"))
    except ToolError as error:
        row.refresh_from_db()
        context = {"page": _page(row, request), "problem": error, "form": request.POST}
        return render(request, "searches/session.html", context, status=page_status(error))
    return HttpResponseRedirect(reverse("search-session", args=[session_id]))


@require_GET
def export(request: HttpRequest, session_id: str, suffix: str) -> HttpResponse:
    if suffix not in FORMATS:
        raise Http404
    with calling(person(request)):
        collection = lifecycle.result_of(session_id, include_unsure=bool(request.GET.get("unsure")))
    chosen = FORMATS[suffix]
    return _download(chosen.export(collection).encode(), chosen.media_type, collection, suffix)


@require_POST
def snapshot(request: HttpRequest, session_id: str) -> HttpResponse:
    """The result as a snapshot in an archive."""
    with calling(person(request)):
        collection = lifecycle.result_of(session_id, include_unsure=bool(request.POST.get("unsure")))
    buffer = BytesIO()
    snapshot_export.write_zip(collection, buffer)
    return _download(buffer.getvalue(), "application/zip", collection, "zip")


def _start(request: HttpRequest) -> HttpResponse:
    try:
        with calling(person(request)):
            row = _create(
                query=request.POST.get("query", ""),
                domain=request.POST.get("domain", "general"),  # type: ignore[arg-type]  # checked by the tool
                max_results=request.POST.get("max_results") or 100,  # type: ignore[arg-type]  # checked by the tool
            )
    except ToolError as error:
        context = _list_context(request) | {"problem": error, "form": request.POST}
        return render(request, "searches/list.html", context, status=page_status(error))
    _remember(request, row)
    return HttpResponseRedirect(reverse("search-session", args=[row.pk]))


@session_tool
def _create(query: Query, domain: SearchDomain = "general", max_results: MaxResults = 100) -> SearchSession:
    """The same limits as for agents, without waiting: the page follows the search."""
    return lifecycle.create(query, domain, max_results)


def _list_context(request: HttpRequest) -> dict[str, object]:
    store.expire(SearchSession.objects.all())
    rows = SearchSession.objects.defer("state")
    if not request.user.is_authenticated:
        rows = rows.filter(pk__in=request.session.get("searches", []))
    return {"rows": rows[:REMEMBERED_SESSIONS], "domains": [(name, name.replace("_", " ")) for name in DOMAINS]}


def _remember(request: HttpRequest, row: SearchSession) -> None:
    """List the session among those of this browser."""
    own = request.session.get("searches", [])
    if row.pk not in own:
        request.session["searches"] = [row.pk, *own][:REMEMBERED_SESSIONS]


def _page(row: SearchSession, request: HttpRequest) -> SessionPage:
    typed = request.POST if request.method == "POST" else None
    return SessionPage(row, row.workflow_state, _page_number(typed or request.GET), typed)


def _page_number(form: QueryDict) -> int:
    """The page of papers that is asked for, or the one that a form was on."""
    text = form.get("go") or form.get("page", "")
    return int(text[:4]) if text[:4].isdecimal() else 1


def _download(content: bytes, content_type: str, collection: PaperCollection, suffix: str) -> HttpResponse:
    name = slugify(collection.metadata.query)[:60] or "papers"
    disposition = f'attachment; filename="{name}.{suffix}"'
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": disposition})

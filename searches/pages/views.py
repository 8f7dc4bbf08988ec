"""Pages of search sessions: start one, watch it, mark papers, decide."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from paper_search.domains import DOMAINS
from paper_search.plan import SearchPlan, read_plan
from paper_search.workflow.errors import NoPendingCheckpoint
from papercore.caller import calling
from papercore.errors import ToolError
from papercore.http_status import page_status
from searches import forms
from searches.models import SearchSession
from searches.pages.feed import feed_address
from searches.pages.own_sessions import REMEMBERED_SESSIONS, own_sessions, remember
from searches.pages.session_page import SessionPage
from searches.schemas import MaxResults, Plan, Query, SearchDomain
from searches.sessions import lifecycle, marks, store, worker
from searches.sessions.calls import caller_of, count_call, session_tool


@require_http_methods(["GET", "HEAD", "POST"])
def searches(request: HttpRequest) -> HttpResponse:
    """The list of sessions with a form to start one; a form that was sent starts it."""
    problem = None
    if request.method == "POST":
        try:
            with calling(caller_of(request)):
                row = _create(
                    query=request.POST.get("query", ""),
                    domain=request.POST.get("domain", "general"),  # type: ignore[arg-type]  # checked by the tool
                    max_results=request.POST.get("max") or 100,  # type: ignore[arg-type]  # checked by the tool
                    plan=_filled_plan(request.POST),
                )
            remember(request, row)
            return HttpResponseRedirect(reverse("search-session", args=[row.pk]))
        except ToolError as error:
            problem = error
    store.expire(SearchSession.objects.all())
    account = caller_of(request).account
    context = {
        "rows": own_sessions(request)[:REMEMBERED_SESSIONS],
        "domains": [(name, name.replace("_", " ")) for name in DOMAINS],
        "problem": problem,
        "form": request.POST,
        "sees_all": bool(account),
        "feed": request.build_absolute_uri(feed_address(account)) if account else "",
        "plan": forms.PlanForm(SearchPlan(), forms.typed_plan(request.POST)),
    }
    return render(request, "searches/list.html", context, status=page_status(problem) if problem else 200)


@session_tool
def _create(
    query: Query, domain: SearchDomain = "general", max_results: MaxResults = 100, plan: Plan = None
) -> SearchSession:
    """The same limits as for agents, without waiting: the page follows the search."""
    return lifecycle.create(query, domain, max_results, given_plan=plan)


def _filled_plan(form: QueryDict) -> SearchPlan | None:
    """The plan in the fields of the form, if its concepts or topic are filled in; else the question is read."""
    fields = {name: value for name, value in forms.plan_fields(forms.typed_plan(form)).items() if value}
    return read_plan(fields) if {"concepts", "topic"} & set(fields) else None


@require_GET
def session(request: HttpRequest, session_id: str) -> HttpResponse:
    """The page; htmx polls with the version it shows, and gets the changed part or nothing."""
    row = store.find(session_id, caller_of(request))
    worker.resume(row)
    if request.headers.get("HX-Request"):
        if request.GET.get("seen") == str(row.version):
            return HttpResponse(headers={"HX-Reswap": "none"})
        return render(request, "searches/_session.html", {"page": _page(row, request)})
    store.touch(row)
    row.refresh_from_db()
    store.note_shown(row)
    remember(request, row)
    return render(request, "searches/session.html", {"page": _page(row, request)})


@require_POST
def mark(request: HttpRequest, session_id: str) -> HttpResponse:
    """Save the marks of a page of papers, and go to the page that was asked for. A script wants no page."""
    row = store.find(session_id, caller_of(request))
    marks.save(row, row.workflow_state, forms.marks_of(request.POST))
    store.touch(row)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    return HttpResponseRedirect(f"{reverse('search-session', args=[session_id])}?page={_page_number(request.POST)}")


@require_POST
def again(request: HttpRequest, session_id: str) -> HttpResponse:
    """Take a search up again that has ended: a new one with its plan and marks."""
    row = store.find(session_id, caller_of(request))
    with calling(caller_of(request)):
        count_call()
        started = lifecycle.create(row.query, row.domain, row.max_results, again=row.pk)
    remember(request, started)
    return HttpResponseRedirect(reverse("search-session", args=[started.pk]))


@require_POST
def decide(request: HttpRequest, session_id: str) -> HttpResponse:
    row = store.find(session_id, caller_of(request))
    try:
        checkpoint = row.workflow_state.checkpoint
        if checkpoint is None:
            raise NoPendingCheckpoint("Somebody else has decided already, or the search has ended.")
        marks.save(row, row.workflow_state, forms.marks_of(request.POST))
        with calling(caller_of(request)):
            count_call()
            lifecycle.decide(row, forms.decision_of(request.POST, checkpoint), request.POST.get("checkpoint_id"))
    except ToolError as error:
        row.refresh_from_db()
        context = {"page": _page(row, request), "problem": error, "form": request.POST}
        return render(request, "searches/session.html", context, status=page_status(error))
    return HttpResponseRedirect(reverse("search-session", args=[session_id]))


def _page(row: SearchSession, request: HttpRequest) -> SessionPage:
    typed = request.POST if request.method == "POST" else None
    return SessionPage(row, row.workflow_state, _page_number(typed or request.GET), typed)


def _page_number(form: QueryDict) -> int:
    """The page of papers that is asked for, or the one that a form was on."""
    text = form.get("go") or form.get("page", "")
    return int(text[:4]) if text[:4].isdecimal() else 1

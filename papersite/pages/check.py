"""Checks a draft in the browser: bring it, see what the papers say to each sentence, decide."""

from contextlib import suppress
from math import ceil
from typing import IO, cast
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from papercore import limits
from papercore.http_status import page_status
from papers.drafts.kept_checks import (
    CHECKED_KINDS,
    CHECKS,
    CheckRefused,
    CheckState,
    DraftCheck,
    has_result,
    pasted_texts,
    result_of,
    sent_files,
    start_check,
)
from papersite.access import caller_of
from papersite.accounts.owner import is_owner
from papersite.pages.draft_view import draft_view
from papersite.server.body_limits import takes_body
from searches.answers.draft_reading import READ_VERDICTS, readings_of, start_model_reading
from searches.answers.worker import answer_calls, configured_model, offer
from searches.draft_decisions import EarlierDecisions, decide, earlier_decisions, forget, owner_of
from searches.errors import StorageUnavailable, TooManyAnswers


def most_bytes(request: HttpRequest) -> int:
    """What somebody may send: who has an account, or is the owner, as much as papers may have."""
    return limits.UPLOAD_BYTES if _is_known(request) else limits.STRANGER_UPLOAD_BYTES


def _is_known(request: HttpRequest) -> bool:
    return is_owner(request) or request.user.is_authenticated


@require_http_methods(["GET", "HEAD", "POST"])
@takes_body(most_bytes)
@never_cache
def check(request: HttpRequest) -> HttpResponse:
    CHECKS.remove_old(CHECKS.kept)
    if request.method != "POST":
        return _form(request)
    files = request.FILES.getlist("files")
    text, bibliography = request.POST.get("text", ""), request.POST.get("bibliography", "")
    if not files and not text.strip() and not bibliography.strip():
        return _form(request, "Choose a file, or paste something.", 400)
    try:
        found = CHECKS.new(CheckState())
    except OSError as error:
        return _form(request, f"The server cannot keep files now: {error.strerror}.", 503)
    sent = sent_files(found, text, bibliography)
    for file in files:
        sent.add(file.name or "file", cast("IO[bytes]", file.file))
    unpacked = limits.DRAFT_UNPACKED_BYTES if _is_known(request) else limits.STRANGER_DRAFT_UNPACKED_BYTES
    try:
        start_check(found, sent, unpacked)
    except CheckRefused as error:
        found.discard()
        return _form(request, error.message, page_status(error))
    except OSError as error:
        found.discard()
        return _form(request, f"The files cannot be kept: {error.strerror}.", 503)
    return HttpResponseRedirect(reverse("check-draft", args=[found.id]))


def _form(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    text, bibliography = request.POST.get("text", ""), request.POST.get("bibliography", "")
    return _form_with(request, text, bibliography, problem, status)


def _form_with(request: HttpRequest, text: str, bibliography: str, problem: str, status: int = 200) -> HttpResponse:
    context = {
        "problem": problem,
        "kinds": CHECKED_KINDS,
        "most_bytes": most_bytes(request),
        "text": text,
        "bibliography": bibliography,
    }
    return render(request, "drafts/check.html", context, status=status)


@require_GET
@never_cache
def draft(request: HttpRequest, check_id: str) -> HttpResponse:
    """How far the check is; then the draft with what was found. htmx asks for the part that changes meanwhile."""
    found = CHECKS.find(check_id)
    state = found.load()
    is_part = "HX-Request" in request.headers
    if state.is_working:
        page = "drafts/_progress.html" if is_part else "drafts/progress.html"
        return render(request, page, {"check": found, "state": state})
    if is_part:  # it is over: the whole page is another one
        return HttpResponse(headers={"HX-Refresh": "true"})
    if state.status == "failed" and not has_result(found):
        problem = " ".join(dict.fromkeys([state.message, *state.notes]))
        return _form_with(request, *pasted_texts(found), problem)
    checked = result_of(found)
    earlier = EarlierDecisions()
    with suppress(DatabaseError):  # a draft can be read without what was decided
        earlier = earlier_decisions(owner_of(request), checked)
    view = draft_view(checked, earlier, request.GET.get("show", ""))
    notes = [*state.notes, *checked.notes, *([state.message] if state.message else [])]
    context = {
        "check": found,
        "state": state,
        "view": view,
        "notes": notes,
        "readings": readings_of(found),
        "may_be_read": any(item.evidence for item in checked.sentences if item.verdict in READ_VERDICTS),
    }
    return render(request, "drafts/draft.html", context)


@require_POST
@never_cache
def decision(request: HttpRequest, check_id: str) -> HttpResponse:
    """Keep what was decided about one finding; htmx gets that finding anew."""
    found = CHECKS.find(check_id)
    checked = result_of(found)
    chosen, _, finding = request.POST.get("decision", "").partition(":")
    try:
        owner = owner_of(request, begin=True)
        decide(owner, checked, finding, chosen)
        earlier = earlier_decisions(owner, checked)
    except DatabaseError:
        raise StorageUnavailable("Decisions cannot be stored at present. Try again later.") from None
    show = request.POST.get("show", "")
    if "HX-Request" not in request.headers:
        return HttpResponseRedirect(f"{_address(found)}?{urlencode({'show': show})}#f-{finding}")
    view = draft_view(checked, earlier, "all")
    shown = [item for row in view.rows for item in row.findings] + view.entries
    context = {"check": found, "item": next(item for item in shown if item.finding.id == finding), "show": show}
    return render(request, "drafts/_decision.html", context)


@require_POST
@never_cache
def model_reading(request: HttpRequest, check_id: str) -> HttpResponse:
    """Have the site's language model read what differs or was not found. By a form: it costs the operator's money."""
    config = configured_model()
    if config is None:
        raise Http404
    if offer(request) != "offered":
        raise PermissionDenied
    found = CHECKS.find(check_id)
    checked = result_of(found)
    if not found.load().is_working:
        seconds = ceil(answer_calls().take(caller_of(request).client))
        if seconds:
            raise TooManyAnswers(f"You asked for many answers: wait {seconds} s.", retry_after_seconds=seconds)
        start_model_reading(found, checked, config)
    return HttpResponseRedirect(_address(found))


@require_POST
@never_cache
def discard(request: HttpRequest, check_id: str) -> HttpResponse:
    """Stop a check that is under way; delete one that is over, and with `forget` what was decided before."""
    found = CHECKS.find(check_id)
    if found.load().is_working:
        found.cancel()
        return HttpResponseRedirect(_address(found))
    found.discard()
    if "forget" in request.POST:
        try:
            if owner := owner_of(request):
                forget(owner)
        except DatabaseError:
            raise StorageUnavailable("Decisions cannot be deleted at present. Try again later.") from None
    return HttpResponseRedirect(reverse("check"))


def _address(found: DraftCheck) -> str:
    return reverse("check-draft", args=[found.id])

"""Asks for an answer to a question, and shows it when it is there; the evidence is shown whatever becomes of it."""

from urllib.parse import parse_qsl

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from msgspec import Struct

from papercore.errors import ToolError
from papercore.http_status import page_status
from papers.search.evidence import EvidenceBoard, evidence_board
from papers.search.list_query import ListQuery, read_list_query
from searches.answers import worker
from searches.answers.worker import configured_model, offer
from searches.answers.writing import CheckedAnswer
from searches.errors import AnswerNotFound, StorageUnavailable
from searches.models import ModelAnswer
from searches.sessions.calls import caller_of

INTERRUPTED = "it was interrupted"


class AnswerPart(Struct, frozen=True):
    """What stands above the evidence: an answer, that it is being written, or why there is none."""

    # The question and its filters, to ask again.
    fields: list[tuple[str, str]]
    key: str = ""
    is_running: bool = False
    content: CheckedAnswer | None = None
    # Why the model gave none, or why it was not asked.
    failure: str = ""
    refusal: str = ""


@require_POST
@never_cache
def ask_for_answer(request: HttpRequest) -> HttpResponse:
    """Begin an answer. By a form with a token: no crawler and no page of others spends the operator's money."""
    config = configured_model()
    if config is None:
        raise Http404
    if offer(request) != "offered":
        raise PermissionDenied
    board = evidence_board(read_list_query(request.POST))
    if not board.authors_words:
        return HttpResponseRedirect(board.query.address(reverse("ask")))
    try:
        key = worker.start(config, board, caller_of(request))
    except (ToolError, DatabaseError) as error:
        known = error if isinstance(error, ToolError) else StorageUnavailable("Answers cannot be stored at present.")
        return _rendered(request, AnswerPart(board.fields, refusal=known.message), board, page_status(known))
    if getattr(request, "htmx", False):
        return _shown(request, ModelAnswer.objects.filter(pk=key).first())
    return HttpResponseRedirect(reverse("ask-answer", args=[key]))


@require_GET
@never_cache
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """The question's page with its answer; htmx polls, and gets that part once it changes."""
    row = ModelAnswer.objects.filter(pk=key).first()
    if row and row.is_running and getattr(request, "htmx", False):
        return HttpResponse(headers={"HX-Reswap": "none"})
    return _shown(request, row)


def _shown(request: HttpRequest, row: ModelAnswer | None) -> HttpResponse:
    if row is None:
        raise AnswerNotFound("This answer is no longer kept. Ask the question again.")
    fields = parse_qsl(row.parameters)
    if row.is_running:
        part = AnswerPart(fields, row.pk, is_running=True)
    elif row.content:
        part = AnswerPart(fields, row.pk, content=CheckedAnswer.model_validate_json(row.content))
    else:
        part = AnswerPart(fields, row.pk, failure=row.problem or INTERRUPTED)
    return _rendered(request, part, read_list_query(QueryDict(row.parameters)))


def _rendered(
    request: HttpRequest, part: AnswerPart, evidence: EvidenceBoard | ListQuery, status: int = 200
) -> HttpResponse:
    """The part alone for htmx; else the question's page with it above the evidence."""
    if getattr(request, "htmx", False):
        return render(request, "searches/_answer_body.html", {"answer": part}, status=status)
    board = evidence if isinstance(evidence, EvidenceBoard) else evidence_board(evidence)
    return render(request, "papers/ask.html", {"board": board, "answer": part}, status=status)

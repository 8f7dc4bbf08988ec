"""Answers errors that views raise with a page, or with JSON for programs; papersite/pages/rest.py does so for REST."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from papercore.errors import ToolError
from papercore.http_status import page_status
from papers.snapshot.served import damage_error
from searches.errors import StorageUnavailable

HEADINGS = {
    400: "This request cannot be answered as it stands",
    404: "There is nothing at this address",
    409: "Somebody else was first",
    503: "This part of the library is not available right now",
}
RETRY_AFTER_SECONDS = 30
ANSWERED_BY_DJANGO = (Http404, PermissionDenied, SuspiciousOperation, BadRequest)


class ErrorPageMiddleware:
    """Answers a ToolError that a view raised, and the faults of a damaged snapshot or an unusable default database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, ANSWERED_BY_DJANGO):
            return None
        error = exception if isinstance(exception, ToolError) else damage_error()
        if error is None and isinstance(exception, OperationalError):
            error = StorageUnavailable("The site's own database does not answer. Papers can still be read.")
        return error_response(request, error) if error else None


def error_response(request: HttpRequest, error: ToolError) -> HttpResponse:
    status = page_status(error)
    if wants_json(request):
        return JsonResponse(error.payload(), status=status)
    heading = error.heading or HEADINGS.get(status, "Something went wrong")
    context: dict[str, object] = {"status": status, "heading": heading, "error": error}
    if getattr(request, "htmx", False):
        response = render(request, "_error_note.html", context, status=status)
    else:
        links = [(reverse(link.route, kwargs=link.arguments), link) for link in error.suggestions()]
        response = render(request, "error.html", {**context, "suggestions": links}, status=status)
    if status == 503:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def wants_json(request: HttpRequest) -> bool:
    return request.path.endswith(".json") or (request.accepts("application/json") and not request.accepts("text/html"))

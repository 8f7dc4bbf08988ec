"""Maps a tool's error to a page, or to JSON for programs; papersite/api.py does so for REST."""

from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from searches.errors import StorageUnavailable

STATUS: dict[type[ToolError], int] = {InvalidInput: 400, NotFound: 404, Conflict: 409, Unavailable: 503}
HEADINGS = {
    400: "This request cannot be answered as it stands",
    404: "There is nothing at this address",
    409: "Somebody else was first",
    503: "This part of the library is not available right now",
}


def status_of(error: ToolError) -> int:
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def wants_json(request: HttpRequest) -> bool:
    return request.path.endswith(".json") or (request.accepts("application/json") and not request.accepts("text/html"))


def error_response(request: HttpRequest, error: ToolError) -> HttpResponse:
    status = status_of(error)
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
        response["Retry-After"] = "30"
    return response


class ErrorPageMiddleware:
    """Answers a ToolError that a view let through, and a default database that is locked, full or gone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, OperationalError):
            exception = StorageUnavailable("The site's own database does not answer; reading papers goes on.")
        return error_response(request, exception) if isinstance(exception, ToolError) else None

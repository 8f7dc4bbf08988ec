"""Maps a tool's error to a page, or to JSON for programs; papersite/api.py does so for REST."""

import re
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papers.errors import PaperNotFound
from papers.search.list_query import Wish
from papers.search.results import FoundPaper, find
from searches.errors import StorageUnavailable
from specs.core import parse_all_specs
from specs.errors import SpecNotFound
from specs.pages.structure import SpecLink, spec_link

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
    context = {"status": status, "heading": HEADINGS.get(status, "Something went wrong"), "error": error}
    if isinstance(error, PaperNotFound):
        paper_id = str(error.details["paper_id"])
        context |= {"heading": "There is no paper with this address", "paper_id": paper_id, "near": near(paper_id)}
    if isinstance(error, SpecNotFound):
        context |= {"heading": "There is no spec with this address", "near_specs": nearby_specs(error)}
    template = "_error_note.html" if getattr(request, "htmx", False) else "error.html"
    response = render(request, template, context, status=status)
    if status == 503:
        response["Retry-After"] = "30"
    return response


def near(paper_id: str) -> list[FoundPaper]:
    """Papers that hold the words of an address with a slip; an id of digits alone has none."""
    words = " ".join(re.findall(r"[A-Za-z]{3,}", paper_id))
    try:
        return find(Wish(q=words)).papers[:3] if words else []
    except ToolError:
        return []


def nearby_specs(error: SpecNotFound) -> list[SpecLink]:
    """The specs that the error names, as links."""
    return [spec_link(spec) for spec in parse_all_specs() if spec.id in error.nearby]


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

"""Answers a tool's error with a page, or with JSON for programs; papersite/pages/rest.py does so for REST."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from papercore.errors import ToolError
from papercore.http_status import page_status

HEADINGS = {
    400: "This request cannot be answered as it stands",
    404: "There is nothing at this address",
    409: "Somebody else was first",
    503: "This part of the library is not available right now",
}
RETRY_AFTER_SECONDS = 30


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

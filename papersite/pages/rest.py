"""The REST API: the apps' routes under /api/, and how errors are answered there."""

import logging

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError

from papercore.errors import InvalidInput, ToolError
from papercore.http_status import rest_status
from papers.api import router as papers
from papers.snapshot.served import damage_error
from specs.api import router as specs

logger = logging.getLogger(__name__)

api = NinjaAPI(
    title="papersite",
    version="1",
    description="The library's tools over REST, with the limits and error codes that agents meet over MCP.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", papers)
if settings.SPECS:
    api.add_router("", specs)


@api.exception_handler(ToolError)
def tool_error(request: HttpRequest, error: ToolError) -> HttpResponse:
    return api.create_response(request, error.payload(), status=rest_status(error))


@api.exception_handler(ValidationError)
def invalid_arguments(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [{"argument": str(item["loc"][-1]), "problem": item["msg"]} for item in error.errors]
    message = "; ".join(f"{problem['argument']}: {problem['problem']}" for problem in problems)
    return tool_error(request, InvalidInput(message, problems=problems))


@api.exception_handler(TooManyFieldsSent)
def too_many_arguments(request: HttpRequest, error: TooManyFieldsSent) -> HttpResponse:
    most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    return tool_error(request, InvalidInput(f"A request may have {most:,} arguments at most; send fewer."))


@api.exception_handler(Exception)
def internal_error(request: HttpRequest, error: Exception) -> HttpResponse:
    """A bug of ours: logged, and not explained to the caller."""
    if damage := damage_error():
        return tool_error(request, damage)
    logger.error("REST call failed", exc_info=error)
    return api.create_response(request, {"error": "internal_error", "message": "internal error"}, status=500)

"""The REST API: the apps' routes under /api/, and how errors are answered there."""

import logging

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papers.api import router as papers
from specs.api import router as specs

logger = logging.getLogger(__name__)

STATUS: dict[type[ToolError], int] = {InvalidInput: 422, NotFound: 404, Conflict: 409, Unavailable: 503}

api = NinjaAPI(
    title="papersite",
    version="1",
    description="The library's tools over REST, with the limits and error codes that agents meet over MCP.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", papers)
api.add_router("", specs)


@api.exception_handler(ToolError)
def tool_error(request: HttpRequest, error: ToolError) -> HttpResponse:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
    return api.create_response(request, error.payload(), status=status)


@api.exception_handler(ValidationError)
def bad_arguments(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [{"argument": str(one["loc"][-1]), "problem": one["msg"]} for one in error.errors]
    message = "; ".join(f"{one['argument']}: {one['problem']}" for one in problems)
    return tool_error(request, InvalidInput(message, problems=problems))


@api.exception_handler(Exception)
def fault(request: HttpRequest, error: Exception) -> HttpResponse:
    """Our own fault: logged here, and not explained to the caller."""
    logger.error("REST call failed", exc_info=error)
    return api.create_response(request, {"error": "internal_error", "message": "internal error"}, status=500)

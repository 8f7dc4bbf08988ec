"""The REST API: the routes of the apps under /api/, how errors are answered there, and the page that documents it."""

import json
import logging
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from msgspec import Struct
from ninja import NinjaAPI
from ninja.errors import ValidationError
from pydantic_core import ErrorDetails

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papercore.http_status import REST_STATUS, rest_status
from papercore.tool import in_words
from papers.api import router as papers
from papers.snapshot.served import damage_error
from specs.api import router as specs

logger = logging.getLogger(__name__)

Json = dict[str, Any]  # parts of an OpenAPI document, which nests freely
_ERROR = {
    "error": "paper_not_found",
    "message": "There is no paper x. Find ids with search_papers.",
    "paper_id": "x",
}
_MEANING = {
    200: "the answer",
    REST_STATUS[InvalidInput]: "a wrong value",
    REST_STATUS[NotFound]: "does not exist",
    REST_STATUS[Conflict]: "somebody else was first",
    REST_STATUS[Unavailable]: "not available now",
}
_LIMITS = {"minimum": "from", "maximum": "up to", "maxLength": "characters up to"}

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
    details = cast("list[ErrorDetails]", error.errors)
    problems = [{"argument": str(item["loc"][-1]), "problem": in_words(item, ())} for item in details]
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


class ShownParameter(Struct, frozen=True):
    name: str
    place: str
    kind: str
    required: bool
    default: str


class ShownOperation(Struct, frozen=True):
    """One route, with what the page shows of it."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[ShownParameter]
    answers: list[tuple[str, str]]
    example: str


def docs(request: HttpRequest) -> HttpResponse:
    """The page that documents the API, made from its OpenAPI document."""
    document: Json = dict(api.get_openapi_schema(path_prefix=reverse("api:api-root")))
    root = request.build_absolute_uri("/").rstrip("/")
    operations = [
        _operation(path, method, operation, root)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    context = {"operations": operations, "info": document["info"], "error_example": json.dumps(_ERROR)}
    return render(request, "api_docs.html", context)


def _operation(path: str, method: str, operation: Json, root: str) -> ShownOperation:
    parameters = [_parameter(item) for item in operation.get("parameters", [])]
    required = "&".join(f"{item.name}=..." for item in parameters if item.required and item.place == "query")
    return ShownOperation(
        anchor=str(operation["operationId"]),
        method=method.upper(),
        path=path,
        summary=str(operation["summary"]),
        description=str(operation.get("description", "")),
        parameters=parameters,
        answers=[(str(status), _MEANING.get(int(status), "")) for status in operation["responses"]],
        example=f"curl '{root}{path}{'?' + required if required else ''}'",
    )


def _parameter(given: Json) -> ShownParameter:
    schema: Json = given["schema"]
    return ShownParameter(
        name=str(given["name"]),
        place=str(given["in"]),
        kind=_kind(schema),
        required=bool(given.get("required")),
        default="" if schema.get("default") is None else str(schema["default"]),
    )


def _kind(schema: Json) -> str:
    """A type and its limits, in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(option) for option in schema["anyOf"] if option.get("type") != "null")
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    limits = [f"{word} {schema[name]}" for name, word in _LIMITS.items() if name in schema]
    return ", ".join([str(schema.get("type", "value")), *limits])

"""The page that documents the REST API, made from its OpenAPI document."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from msgspec import Struct

from papercore.errors import Conflict, InvalidInput, NotFound, Unavailable
from papercore.http_status import REST_STATUS
from papersite.pages.rest import api

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

"""The REST API's page for people, made from its OpenAPI document: nothing is loaded from elsewhere."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from papersite.api import api

Json = dict[str, Any]  # parts of an OpenAPI document, which nests as it likes
_STATUS = {"200": "the answer", "404": "no such thing", "409": "somebody was first", "422": "mend the call"}
_STATUS |= {"503": "not available now"}


@dataclass(frozen=True)
class Parameter:
    name: str
    place: str
    kind: str
    required: bool
    default: str


@dataclass(frozen=True)
class Operation:
    """One route, as a reader needs it."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Parameter]
    answers: list[tuple[str, str]]
    example: str


def docs(request: HttpRequest) -> HttpResponse:
    document: Json = dict(api.get_openapi_schema(path_prefix="/api/"))
    root = request.build_absolute_uri("/").rstrip("/")
    operations = [
        _operation(path, method, operation, root)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return render(request, "api_docs.html", {"operations": operations, "info": document["info"]})


def _operation(path: str, method: str, operation: Json, root: str) -> Operation:
    parameters = [_parameter(one) for one in operation.get("parameters", [])]
    needed = "&".join(f"{one.name}=..." for one in parameters if one.required and one.place == "query")
    return Operation(
        anchor=str(operation["operationId"]),
        method=method.upper(),
        path=path,
        summary=str(operation["summary"]),
        description=str(operation.get("description", "")),
        parameters=parameters,
        answers=[(status, _STATUS.get(status, "")) for status in map(str, operation["responses"])],
        example=f"curl '{root}{path}{'?' + needed if needed else ''}'",
    )


def _parameter(given: Json) -> Parameter:
    schema: Json = given["schema"]
    return Parameter(
        name=str(given["name"]),
        place=str(given["in"]),
        kind=_kind(schema),
        required=bool(given.get("required")),
        default="" if schema.get("default") is None else str(schema["default"]),
    )


def _kind(schema: Json) -> str:
    """A type and its limits in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    limits = [f"{word} {schema[name]}" for name, word in _LIMITS.items() if name in schema]
    return ", ".join([str(schema.get("type", "value")), *limits])


_LIMITS = {"minimum": "from", "maximum": "up to", "maxLength": "characters up to"}

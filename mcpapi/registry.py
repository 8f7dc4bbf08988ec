"""Turns a typed function into an MCP tool: names, schemas with their limits, annotations, and the call."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_type_hints

from pydantic import BaseModel, TypeAdapter

Schema = dict[str, object]
ToolFunction = Callable[..., BaseModel]

# Some clients validate errors against the output schema too, and hide those that do not fit from the agent.
_ERROR_SCHEMA: Schema = {
    "description": "What comes with isError: a stable code, what to do about it, and details.",
    "type": "object",
    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
    "required": ["error", "message"],
}


@dataclass(frozen=True, eq=False)
class Tool:
    """One entry of tools/list, and the function behind it."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    annotations: Mapping[str, bool]
    function: ToolFunction

    def listing(self) -> dict[str, object]:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": dict(self.annotations),
        }


def read_tool(function: ToolFunction, title: str, name: str = "") -> Tool:
    """A tool that changes nothing and uses this server's own data only."""
    return _tool(function, title, name, {"readOnlyHint": True, "openWorldHint": False})


def write_tool(function: ToolFunction, title: str, name: str = "", *, open_world: bool = False) -> Tool:
    """A tool that adds or updates something. `open_world`: it calls services elsewhere."""
    hints = {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": open_world,
    }
    return _tool(function, title, name, hints)


def _tool(function: ToolFunction, title: str, name: str, annotations: Mapping[str, bool]) -> Tool:
    plain = inspect.unwrap(function)
    description = inspect.getdoc(plain)
    if not description:
        raise ValueError(f"{plain.__name__} needs a docstring that tells an agent what it is for.")
    returned = get_type_hints(plain).get("return")
    if not (isinstance(returned, type) and issubclass(returned, BaseModel)):
        raise TypeError(f"{plain.__name__} must be annotated to return a pydantic model.")
    return Tool(
        name=name or plain.__name__,
        title=title,
        description=description,
        input_schema=_without_titles(TypeAdapter(plain).json_schema()),
        output_schema=_output_schema(returned),
        annotations=annotations,
        function=function,
    )


def _output_schema(model: type[BaseModel]) -> Schema:
    """The result or an error. Definitions stay at the root, where references point."""
    schema = _without_titles(model.model_json_schema(mode="serialization"))
    definitions = schema.pop("$defs", None)
    union: Schema = {"type": "object", "anyOf": [schema, _ERROR_SCHEMA]}
    return {**union, "$defs": definitions} if definitions else union


def _without_titles(schema: Schema) -> Schema:
    """The schema without the titles that pydantic derives from names, which only cost an agent tokens."""
    return {key: _value_without_titles(key, value) for key, value in schema.items() if key != "title"}


def _value_without_titles(key: str, value: object) -> object:
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _without_titles(part) for name, part in value.items()}
    if key in ("default", "const", "enum", "examples"):
        return value
    if isinstance(value, dict):
        return _without_titles(value)
    if isinstance(value, list):
        return [_without_titles(part) if isinstance(part, dict) else part for part in value]
    return value

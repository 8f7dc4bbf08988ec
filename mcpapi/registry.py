"""Turns a typed function into an MCP tool: names, schemas with their limits, annotations, and the call."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_type_hints

from pydantic import BaseModel, TypeAdapter

from mcpapi.short_schema import (
    Schema,
    with_null_as_type,
    with_shared_parts_alone,
    without_defaults,
    without_titles,
)

ToolFunction = Callable[..., BaseModel]

# Some clients validate errors against the output schema too, and hide those that do not fit from the agent.
# The server's instructions say what an error holds.
_ERROR_SCHEMA: Schema = {"required": ["error", "message"]}


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


def read_tool(function: ToolFunction, title: str, name: str = "", *, parts_as: str = "") -> Tool:
    """A tool that changes nothing and uses this server's own data only.

    `parts_as` says which other tool's schema describes the parts of the answer, so that they are listed once.
    """
    return _tool(function, title, name, {"readOnlyHint": True, "openWorldHint": False}, parts_as)


def write_tool(
    function: ToolFunction, title: str, name: str = "", *, open_world: bool = False, parts_as: str = ""
) -> Tool:
    """A tool that adds or updates something. `open_world`: it calls services elsewhere."""
    hints = {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": open_world,
    }
    return _tool(function, title, name, hints, parts_as)


def _tool(function: ToolFunction, title: str, name: str, annotations: Mapping[str, bool], parts_as: str) -> Tool:
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
        input_schema=with_shared_parts_alone(without_titles(TypeAdapter(plain).json_schema())),
        output_schema=_output_schema(returned, parts_as),
        annotations=annotations,
        function=function,
    )


def _output_schema(model: type[BaseModel], parts_as: str) -> Schema:
    """The result or an error. Definitions stay at the root, where references point."""
    schema = with_null_as_type(without_defaults(without_titles(model.model_json_schema(mode="serialization"))))
    definitions = schema.pop("$defs", {})
    if parts_as and isinstance(definitions, dict):
        elsewhere: Schema = {"type": "object", "description": f"As in the answer of {parts_as}."}
        definitions = {name: elsewhere if "properties" in part else part for name, part in definitions.items()}
    kind = schema.pop("type")
    return with_shared_parts_alone({"type": kind, "anyOf": [schema, _ERROR_SCHEMA], "$defs": definitions})

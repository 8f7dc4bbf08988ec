"""Turns a typed function into an MCP tool: names, schemas with their limits, annotations, and the call."""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import get_type_hints

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, TypeAdapter

from mcpapi.listing.short_schema import (
    Schema,
    for_writers,
    outline,
    with_null_as_type,
    with_shared_parts_alone,
    without_empty_defaults,
    without_titles,
)
from papercore.caller import Scope

ToolFunction = Callable[..., BaseModel]


class Call(Struct, frozen=True):
    """A call of a tool that may ask; `state` and `responses` are those of a retried one."""

    arguments: dict[str, object]
    # What the client can be asked for: elicitation, sampling, roots; and whether it shows apps.
    capabilities: frozenset[str]
    responses: Mapping[str, object]
    state: dict[str, object] | None = None


class InputRequired(Struct, frozen=True):
    """What to ask the client for, by keys of our own, and what the retried call must know."""

    requests: Mapping[str, Schema]
    state: dict[str, object]


# Answers a call, or says what is needed first.
Interaction = Callable[[Call], BaseModel | InputRequired]


class Tool(Struct, frozen=True, eq=False, dict=True):
    """One entry of tools/list, and the function behind it."""

    name: str
    title: str
    description: str
    annotations: Mapping[str, bool]
    function: ToolFunction
    returned: type[BaseModel]
    # What a caller needs to call it.
    scope: Scope = "read"
    # Whether tools/list names the fields of the answer; a description that says what comes back is enough without.
    answer_is_outlined: bool = True
    # Takes the place of the function where a client can be asked something.
    interaction: Interaction | None = None
    # What clients that show apps show with the answer.
    app: str = ""

    @cached_property
    def input_schema(self) -> Schema:
        """Made when it is first listed, like that of the answer: a start need not wait for it."""
        schema = TypeAdapter(inspect.unwrap(self.function)).json_schema()
        short = for_writers(without_empty_defaults(with_null_as_type(without_titles(schema))))
        return with_shared_parts_alone(short)

    @cached_property
    def output_schema(self) -> Schema:
        """What an answer holds. It requires nothing, so that errors fit it, too: some clients hide those that do not.

        The server's instructions say what an error holds, and the tool's description what the answer is.
        """
        return outline(self.returned.model_json_schema(mode="serialization"))

    def listing(self, *, with_app: bool = False) -> dict[str, object]:
        shown = {"_meta": {"ui": {"resourceUri": self.app}}} if with_app and self.app else {}
        outlined = {"outputSchema": self.output_schema} if self.answer_is_outlined else {}
        return {
            **shown,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            **outlined,
            "annotations": dict(self.annotations),
        }


def read_tool(function: ToolFunction, title: str, name: str = "", *, answer_is_outlined: bool = True) -> Tool:
    """A tool that changes nothing and uses this server's own data only."""
    hints = {"readOnlyHint": True, "openWorldHint": False}
    return replace(_tool(function, title, name, hints), answer_is_outlined=answer_is_outlined)


def write_tool(
    function: ToolFunction,
    title: str,
    name: str = "",
    *,
    open_world: bool = False,
    answer_is_outlined: bool = True,
    scope: Scope = "decide",
) -> Tool:
    """A tool that adds or updates something. `open_world`: it calls services elsewhere."""
    hints = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": open_world}
    return replace(_tool(function, title, name, hints), scope=scope, answer_is_outlined=answer_is_outlined)


def asking_tool(tool: Tool, interaction: Interaction, *, app: str = "") -> Tool:
    """The tool, with what it asks a client that can be asked, or the app that shows its answer."""
    return replace(tool, interaction=interaction, app=app)


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
        annotations=annotations,
        function=function,
        returned=returned,
    )

"""The official client over each transport and era, and the plain function call, behind one face."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol  # JSON as it comes: the tests look into it freely

from anyio.from_thread import start_blocking_portal
from django.conf import settings
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from mcpapi.listing.servers import PAPERS
from papercore.errors import ToolError

ROOT = Path(__file__).parent.parent.parent
ERAS = {"legacy": "legacy", "modern": "auto"}


@dataclass(frozen=True)
class ToolOutcome:
    """What a tool answered, or objected."""

    payload: Any
    is_error: bool = False

    @property
    def error(self) -> Any:
        assert self.is_error, self.payload
        return self.payload["error"]


def checked(tool: str, outcome: ToolOutcome) -> ToolOutcome:
    """Results and errors both fit the tool's output schema: there are clients that insist on it."""
    Draft202012Validator(PAPERS.tool_by_name[tool].output_schema).validate(outcome.payload)
    return outcome


class ToolCaller(Protocol):
    def call(self, name: str, **arguments: object) -> ToolOutcome: ...


class DirectCaller:
    """The function itself, as pages and scripts call it."""

    def call(self, name: str, **arguments: object) -> ToolOutcome:
        try:
            answer = PAPERS.tool_by_name[name].function(**arguments)
        except ToolError as error:
            return checked(name, ToolOutcome(error.payload(), is_error=True))
        return checked(name, ToolOutcome(answer.model_dump(mode="json")))


class ConnectedClient:
    """An open session of the official client, driven from plain functions."""

    def __init__(self, portal: Any, client: Client) -> None:
        self._portal = portal
        self.client = client

    def call(self, name: str, **arguments: object) -> ToolOutcome:
        result = self.ask("call_tool", name, arguments)
        (text,) = result.content
        assert json.loads(text.text) == result.structured_content
        return checked(name, ToolOutcome(result.structured_content, is_error=result.is_error))

    def ask(self, method: str, *arguments: object, **options: object) -> Any:
        """Await a method of the client."""
        return self._portal.call(partial(getattr(self.client, method), *arguments, **options))

    def read(self, uri: str) -> tuple[str, str]:
        (content,) = self.ask("read_resource", uri).contents
        return content.mime_type, content.text

    def refusal(self, method: str, *arguments: object, **options: object) -> MCPError:
        try:
            self.ask(method, *arguments, **options)
        except MCPError as error:
            return error
        raise AssertionError(f"{method} was answered")


@contextmanager
def connect_http(url: str, era: str, **options: Any) -> Iterator[ConnectedClient]:
    with start_blocking_portal() as portal:
        client = Client(url, mode=ERAS.get(era, era), **options)
        with portal.wrap_async_context_manager(client):
            yield ConnectedClient(portal, client)


@contextmanager
def connect_stdio(era: str, *arguments: str, options: Any = None, **environment: str) -> Iterator[ConnectedClient]:
    """A process of its own that serves the library which the settings name at this moment."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp_stdio", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "PAPERSITE_SNAPSHOT": str(settings.SNAPSHOT),
            "PAPERSITE_ASSETS": str(settings.ASSETS),
            **environment,
        },
    )
    with start_blocking_portal() as portal:
        client = Client(stdio_client(parameters), mode=ERAS.get(era, era), **(options or {}))
        with portal.wrap_async_context_manager(client):
            yield ConnectedClient(portal, client)

"""What a server can hand out by address: resources, their templates, and who provides them."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Resource:
    """One thing that exists and can be read."""

    uri: str
    name: str
    title: str
    mime_type: str


@dataclass(frozen=True)
class ResourceTemplate:
    """A family of addresses; the description says when to read one."""

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str


@dataclass(frozen=True)
class ResourcePage:
    resources: tuple[Resource, ...]
    next_cursor: str | None = None


@dataclass(frozen=True)
class ResourceText:
    uri: str
    mime_type: str
    text: str


class Resources(Protocol):
    """Raises only ToolErrors: NotFound for an unknown address, InvalidInput for a bad cursor."""

    @property
    def templates(self) -> tuple[ResourceTemplate, ...]: ...

    def page(self, cursor: str | None) -> ResourcePage: ...

    def read(self, uri: str) -> ResourceText: ...

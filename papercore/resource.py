"""Resources: what can be read by its URI, templates of URIs, and the protocol of a provider."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Resource:
    """Something that exists and can be read."""

    uri: str
    name: str
    title: str
    mime_type: str


@dataclass(frozen=True)
class ResourceTemplate:
    """A pattern of URIs; the description says when to read one."""

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
    """A provider of resources. Raises only ToolErrors: NotFound for an unknown URI, InvalidInput for a bad cursor."""

    @property
    def templates(self) -> tuple[ResourceTemplate, ...]: ...

    def page(self, cursor: str | None) -> ResourcePage: ...

    def read(self, uri: str) -> ResourceText: ...

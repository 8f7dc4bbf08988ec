"""Resources: what can be read by its URI, templates of URIs, and the protocol of a provider."""

from typing import Protocol

from msgspec import Struct


class Resource(Struct, frozen=True):
    """Something that exists and can be read."""

    uri: str
    name: str
    title: str
    mime_type: str


class ResourceTemplate(Struct, frozen=True):
    """A pattern of URIs; the description says when to read one."""

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str


class ResourcePage(Struct, frozen=True):
    resources: tuple[Resource, ...]
    next_cursor: str | None = None


class ResourceText(Struct, frozen=True):
    uri: str
    mime_type: str
    text: str


class ResourceBytes(Struct, frozen=True):
    """What is no text, as a picture."""

    uri: str
    mime_type: str
    data: bytes


class Resources(Protocol):
    """A provider of resources. Raises only ToolErrors: NotFound for an unknown URI, InvalidInput for a bad cursor."""

    @property
    def templates(self) -> tuple[ResourceTemplate, ...]: ...

    def page(self, cursor: str | None) -> ResourcePage: ...

    def read(self, uri: str) -> ResourceText | ResourceBytes: ...

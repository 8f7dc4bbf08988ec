"""The shapes of the requests that the servers answer, by protocol era: which params are well-formed.

A test compares the verdicts with the SDK's.
"""

from functools import cache
from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from mcpapi.protocol.names import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

Object = dict[str, Any]  # Any: whatever JSON a client sends
LogLevel = Literal["alert", "critical", "debug", "emergency", "error", "info", "notice", "warning"]


class Icon(TypedDict):
    mimeType: NotRequired[str | None]
    sizes: NotRequired[list[str] | None]
    src: str
    theme: NotRequired[Literal["light", "dark"] | None]


class Implementation(TypedDict):
    description: NotRequired[str | None]
    icons: NotRequired[list[Icon] | None]
    name: str
    title: NotRequired[str | None]
    version: str
    websiteUrl: NotRequired[str | None]


class Elicitation(TypedDict):
    form: NotRequired[Object | None]
    url: NotRequired[Object | None]


class Sampling(TypedDict):
    context: NotRequired[Object | None]
    tools: NotRequired[Object | None]


class Roots(TypedDict):
    listChanged: NotRequired[bool | None]


class ElicitationTasks(TypedDict):
    create: NotRequired[Object | None]


class SamplingTasks(TypedDict):
    createMessage: NotRequired[Object | None]


class TaskRequests(TypedDict):
    elicitation: NotRequired[ElicitationTasks | None]
    sampling: NotRequired[SamplingTasks | None]


class Tasks(TypedDict):
    cancel: NotRequired[Object | None]
    list: NotRequired[Object | None]
    requests: NotRequired[TaskRequests | None]


class LegacyCapabilities(TypedDict):
    elicitation: NotRequired[Elicitation | None]
    experimental: NotRequired[dict[str, Object] | None]
    roots: NotRequired[Roots | None]
    sampling: NotRequired[Sampling | None]
    tasks: NotRequired[Tasks | None]


class LegacyMeta(TypedDict):
    progressToken: NotRequired[str | int | None]


class LegacyParams(TypedDict):
    _meta: NotRequired[LegacyMeta | None]


class LegacyInitialize(LegacyParams):
    capabilities: LegacyCapabilities
    clientInfo: Implementation
    protocolVersion: str


class LegacyPage(LegacyParams):
    cursor: NotRequired[str | None]


class TaskMetadata(TypedDict):
    ttl: NotRequired[int | None]


class LegacyToolCall(LegacyParams):
    arguments: NotRequired[Object | None]
    name: str
    task: NotRequired[TaskMetadata | None]


class LegacyResource(LegacyParams):
    uri: str


class ModernCapabilities(TypedDict):
    elicitation: NotRequired[Elicitation | None]
    experimental: NotRequired[dict[str, Object] | None]
    extensions: NotRequired[dict[str, Object] | None]
    roots: NotRequired[Object | None]
    sampling: NotRequired[Sampling | None]


ModernMeta = TypedDict(
    "ModernMeta",
    {
        "io.modelcontextprotocol/clientCapabilities": ModernCapabilities,
        "io.modelcontextprotocol/clientInfo": NotRequired[Implementation | None],
        "io.modelcontextprotocol/logLevel": NotRequired[LogLevel | None],
        "io.modelcontextprotocol/protocolVersion": str,
        "progressToken": NotRequired[str | int | None],
    },
)


class ModernParams(TypedDict):
    _meta: ModernMeta


class ModernPage(ModernParams):
    cursor: NotRequired[str | None]


class ElicitResult(TypedDict):
    action: Literal["accept", "cancel", "decline"]
    content: NotRequired[dict[str, list[str] | str | int | float | bool | None] | None]


class RootsResult(TypedDict):
    roots: list[Object]


class MessageResult(TypedDict):
    content: Object | list[Object]
    model: str
    role: Literal["assistant", "user"]
    stopReason: NotRequired[str | None]


InputResponses = dict[str, MessageResult | RootsResult | ElicitResult]


class ModernToolCall(ModernParams):
    arguments: NotRequired[Object | None]
    inputResponses: NotRequired[InputResponses | None]
    name: str
    requestState: NotRequired[str | None]


class ModernResource(ModernParams):
    inputResponses: NotRequired[InputResponses | None]
    requestState: NotRequired[str | None]
    uri: str


# As {"params": ...}, so that an error names its place as clients know it. Any: a type.
_LEGACY: dict[str, Any] = {
    "initialize": dict[str, LegacyInitialize],
    "ping": dict[str, LegacyParams | None],
    "resources/list": dict[str, LegacyPage | None],
    "resources/read": dict[str, LegacyResource],
    "resources/templates/list": dict[str, LegacyPage | None],
    "tools/call": dict[str, LegacyToolCall],
    "tools/list": dict[str, LegacyPage | None],
}
_MODERN: dict[str, Any] = {
    "resources/list": dict[str, ModernPage],
    "resources/read": dict[str, ModernResource],
    "resources/templates/list": dict[str, ModernPage],
    "server/discover": dict[str, ModernParams],
    "tools/call": dict[str, ModernToolCall],
    "tools/list": dict[str, ModernPage],
}
_REQUESTS_BY_VERSION = {
    **dict.fromkeys(HANDSHAKE_PROTOCOL_VERSIONS, _LEGACY),
    **dict.fromkeys(MODERN_PROTOCOL_VERSIONS, _MODERN),
}


def validate_client_request(method: str, version: str, params: Object | None) -> None:
    """A KeyError if the version has no such method, a ValidationError if the params have another shape."""
    _request_adapter(method, version).validate_python({"params": params})


@cache
def _request_adapter(method: str, version: str) -> TypeAdapter[object]:
    return TypeAdapter(_REQUESTS_BY_VERSION[version][method])

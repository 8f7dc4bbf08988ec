"""The review board of searches as an MCP App, for clients that declare the extension; others are told nothing of it."""

import re
from collections.abc import Mapping

from papercore import limits
from papercore.errors import NotFound
from papercore.resource import ResourceText
from searches import board

EXTENSION = "io.modelcontextprotocol/ui"
MIME_TYPE = "text/html;profile=mcp-app"
BOARD = "ui://papersite/board"
# What the board shows of a session; it reads this through the client.
_SHOWN = re.compile(r"search://(?P<session_id>[0-9a-f]{32})/board\?page=(?P<page>[1-9][0-9]{0,3})")


class AppResourceNotFound(NotFound):
    code = "resource_not_found"


def declares_apps(capabilities: object) -> bool:
    """Whether a client that declares these capabilities shows apps."""
    extensions = capabilities.get("extensions") if isinstance(capabilities, Mapping) else None
    settings = extensions.get(EXTENSION) if isinstance(extensions, Mapping) else None
    mime_types = settings.get("mimeTypes") if isinstance(settings, Mapping) else None
    return isinstance(mime_types, list) and MIME_TYPE in mime_types


def is_of_app(uri: str) -> bool:
    return uri.startswith(("ui://", "search://"))


def read(uri: str) -> ResourceText:
    """The board, or what it shows of a session."""
    if uri == BOARD:
        return ResourceText(uri, MIME_TYPE, board.document())
    found = _SHOWN.fullmatch(uri)
    if found is None:
        raise AppResourceNotFound(f"There is no resource {uri[: limits.ID_CHARS]}.")
    return ResourceText(uri, "text/html", board.board(found["session_id"], int(found["page"])))

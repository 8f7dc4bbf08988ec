"""The errors a tool may answer with: one small tree, mapped once by each transport.

ToolError
├── InvalidInput   the caller can fix the call
├── NotFound       what was asked for does not exist
├── Conflict       somebody else was first
└── Unavailable    the server cannot answer at present
"""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct


class PageLink(Struct, frozen=True):
    """A page that the reader may have meant, by the name of its route: whoever shows it knows the addresses."""

    title: str
    id: str
    route: str
    arguments: dict[str, str]
    note: str = ""


class ToolError(Exception):
    """A failure with a stable code, a message for people, and details for programs.

    The message never holds paper text, a path or an internal URL. What only pages show is not in the payload.
    """

    code: ClassVar[str] = "error"
    # The heading of a page, where that of its kind would be too general.
    heading: ClassVar[str] = ""

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def payload(self) -> dict[str, object]:
        """The one shape in which every transport shows an error."""
        return {"error": self.code, "message": self.message, **self.details}

    def explanation(self) -> str:
        """What a page says, where the message speaks to agents."""
        return self.message

    def suggestions(self) -> Sequence[PageLink]:
        """Pages that the reader may have meant. Called only when a page shows them, so it may search."""
        return ()


class InvalidInput(ToolError):
    code = "invalid_input"


class NotFound(ToolError):
    code = "not_found"


class Conflict(ToolError):
    code = "conflict"


class Unavailable(ToolError):
    code = "unavailable"

"""The errors a tool may answer with: one small tree, mapped once by each transport.

ToolError
├── InvalidInput   the caller can mend the call          REST 422
├── NotFound       what was asked for does not exist     REST 404
├── Conflict       somebody else was first               REST 409
└── Unavailable    the server cannot answer at present   REST 503
"""

from typing import ClassVar


class ToolError(Exception):
    """A failure with a stable code, a message for people, and details for programs.

    The message never holds paper text, a path or an internal URL.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def payload(self) -> dict[str, object]:
        """The one shape in which every transport shows an error."""
        return {"error": self.code, "message": self.message, **self.details}


class InvalidInput(ToolError):
    code = "invalid_input"


class NotFound(ToolError):
    code = "not_found"


class Conflict(ToolError):
    code = "conflict"


class Unavailable(ToolError):
    code = "unavailable"

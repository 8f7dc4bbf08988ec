"""The two ways a message fails before a tool is called: JSON-RPC errors, and refusals by the HTTP gate."""

# The code of a missing resource until 2025-11-25; later versions use invalid params.
RESOURCE_NOT_FOUND = -32002


class RpcError(Exception):
    """A JSON-RPC error object on its way to the caller."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Refused(Exception):
    """The HTTP request is refused with this status before its body is parsed."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}

"""The HTTP status for a tool's error, on pages and over REST."""

from papercore.errors import InvalidInput, ToolError
from papercore.rest import STATUS

# REST distinguishes a well-formed request with a wrong value (422) from a broken one; on a page it is the address.
PAGE_STATUS = {**STATUS, InvalidInput: 400}


def rest_status(error: ToolError) -> int:
    return _status(error, STATUS)


def page_status(error: ToolError) -> int:
    return _status(error, PAGE_STATUS)


def _status(error: ToolError, statuses: dict[type[ToolError], int]) -> int:
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), 500)

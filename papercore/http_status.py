"""Errors over HTTP: the status for each kind on pages and over REST, and what REST routes declare of them."""

from pydantic import BaseModel, ConfigDict, Field

from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable
from papercore.tool import VISIBLE_OR_BLANK_PATTERN, VISIBLE_PATTERN

REST_STATUS: dict[type[ToolError], int] = {InvalidInput: 422, NotFound: 404, Conflict: 409, Unavailable: 503}
# REST distinguishes a well-formed request with a wrong value (422) from a broken one; on a page it is the address.
PAGE_STATUS = {**REST_STATUS, InvalidInput: 400}

# What the REST document says of a text. The listing of tools leaves it out, because agents pay for its length.
DOCUMENTED_VISIBLE = Field(json_schema_extra={"pattern": VISIBLE_PATTERN})
DOCUMENTED_VISIBLE_OR_BLANK = Field(json_schema_extra={"pattern": VISIBLE_OR_BLANK_PATTERN})


class ErrorBody(BaseModel):
    """An error for programs: its code is stable, its message is for people, further fields say more."""

    model_config = ConfigDict(extra="allow")

    error: str = Field(description="A stable code such as paper_not_found.")
    message: str


def rest_status(error: ToolError) -> int:
    return _status(error, REST_STATUS)


def page_status(error: ToolError) -> int:
    return _status(error, PAGE_STATUS)


def _status(error: ToolError, statuses: dict[type[ToolError], int]) -> int:
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), 500)


def answers(model: type[BaseModel], *kinds: type[ToolError]) -> dict[int, type[BaseModel]]:
    """The model, or an error: of the kinds named, or of those that any route may answer with."""
    return {200: model} | {REST_STATUS[kind]: ErrorBody for kind in (*kinds, InvalidInput, Unavailable)}

"""How REST answers: the status for each kind of error, the one shape of an error, and what a route declares."""

from pydantic import BaseModel, ConfigDict, Field

from papercore.arguments import VISIBLE_OR_BLANK_PATTERN, VISIBLE_PATTERN
from papercore.errors import Conflict, InvalidInput, NotFound, ToolError, Unavailable

STATUS: dict[type[ToolError], int] = {InvalidInput: 422, NotFound: 404, Conflict: 409, Unavailable: 503}

# What the document says of a text. The listing of tools leaves it out, because agents pay for its length.
DOCUMENTED_VISIBLE = Field(json_schema_extra={"pattern": VISIBLE_PATTERN})
DOCUMENTED_VISIBLE_OR_BLANK = Field(json_schema_extra={"pattern": VISIBLE_OR_BLANK_PATTERN})


class ErrorBody(BaseModel):
    """An error for programs: its code is stable, its message is for people, further fields say more."""

    model_config = ConfigDict(extra="allow")

    error: str = Field(description="A stable code such as paper_not_found.")
    message: str


def answers(model: type[BaseModel], *kinds: type[ToolError]) -> dict[int, type[BaseModel]]:
    """The model, or an error: of the kinds named, or of those that any route may answer with."""
    return {200: model} | {STATUS[kind]: ErrorBody for kind in (*kinds, InvalidInput, Unavailable)}

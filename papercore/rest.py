"""The one shape in which an error is answered, and the statuses that every REST route may answer with."""

from pydantic import BaseModel, ConfigDict, Field


class ErrorBody(BaseModel):
    """An error for programs: its code is stable, its message is for people, further fields say more."""

    model_config = ConfigDict(extra="allow")

    error: str = Field(description="A stable code such as paper_not_found.")
    message: str


def answers(model: type[BaseModel], *statuses: int) -> dict[int, type[BaseModel]]:
    """The model, or an error: 422 for a call to be mended, 503 when the library cannot be read, and those named."""
    return {200: model} | dict.fromkeys((*statuses, 422, 503), ErrorBody)

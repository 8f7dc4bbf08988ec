"""The tool that does nothing, so that what is measured is the way to it."""

from pydantic import BaseModel

from papercore.tool import tool


class Constant(BaseModel):
    answer: int


@tool
def constant(question: str) -> Constant:
    """Return the same answer to every question."""
    return Constant(answer=42)

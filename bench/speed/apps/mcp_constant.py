"""A tool that does nothing, to measure the cost of calling one."""

from pydantic import BaseModel

from papercore.tool import tool


class Constant(BaseModel):
    answer: int


@tool
def constant(question: str) -> Constant:
    """Return the same answer to every question."""
    return Constant(answer=42)

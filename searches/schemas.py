"""What the tools of search sessions answer."""

from typing import Literal

from pydantic import BaseModel

ExportFormat = Literal["json", "bibtex", "markdown"]


class Export(BaseModel):
    """The papers of a completed session as one text."""

    session_id: str
    format: ExportFormat
    paper_count: int
    text: str

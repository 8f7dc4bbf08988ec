"""What the tools of search sessions answer."""

from pydantic import BaseModel

from paper_search.export import ToolFormat


class Export(BaseModel):
    """The papers of a completed session as one text."""

    session_id: str
    format: ToolFormat
    paper_count: int
    text: str

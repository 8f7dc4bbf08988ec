"""What the tool for references returns."""

from pydantic import BaseModel, Field


class ListedReference(BaseModel):
    text: str
    title: str | None
    year: int | None
    doi: str | None
    arxiv_id: str | None
    paper_id: str | None = Field(description="The paper here that it surely cites.")


class CitingPaper(BaseModel):
    paper_id: str
    title: str
    year: int | None
    text: str = Field(description="Its reference to this one.")


class PaperReferences(BaseModel):
    """What a paper cites, and what cites it here."""

    paper_id: str
    references: list[ListedReference]
    total: int
    next_offset: int | None
    cited_by: list[CitingPaper] = Field(description="Papers here, newest first.")
    cited_by_complete: bool

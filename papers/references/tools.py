"""The tool for references, and what its page shows of the same."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from pydantic import BaseModel, Field

from papercore import limits
from papercore.bibliography.references import Reference
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import Limit, Offset, PaperId
from papers.references.cited import (
    CitingPapers,
    LibraryPaper,
    cited_papers,
    library_papers,
    papers_citing,
    references_of,
)
from papers.snapshot import served
from papers.snapshot.served import paper_tool


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


class CitedAndCiting(Struct, frozen=True):
    """The citations of a paper in both directions; `cited` has the papers of the library beside the references."""

    paper: LibraryPaper
    references: Sequence[Reference]
    cited: Sequence[LibraryPaper | None]
    citing: CitingPapers


@paper_tool
def get_paper_references(
    paper_id: PaperId, limit: Limit = limits.DEFAULT_REFERENCES, offset: Offset = 0
) -> PaperReferences:
    """List what one paper cites, and which papers of this library cite it.

    A reference without `paper_id` is not here, or not surely.
    """
    found = citations_of(find_paper(paper_id).paper_id)
    total, end = len(found.references), offset + limit
    shown = zip(found.references[offset:end], found.cited[offset:end], strict=True)
    return PaperReferences(
        paper_id=found.paper.paper_id,
        references=[
            ListedReference(
                text=reference.text,
                title=paper.title if paper else reference.title,
                year=reference.year,
                doi=reference.doi,
                arxiv_id=reference.arxiv,
                paper_id=paper.paper_id if paper else None,
            )
            for reference, paper in shown
        ],
        total=total,
        next_offset=end if end < total else None,
        cited_by=[
            CitingPaper(
                paper_id=citing.paper.paper_id,
                title=citing.paper.title,
                year=citing.paper.year,
                text=citing.reference.text,
            )
            for citing in found.citing.papers[: limits.PAGE_SIZE]
        ],
        cited_by_complete=found.citing.complete and len(found.citing.papers) <= limits.PAGE_SIZE,
    )


def citations_of(paper_id: str) -> CitedAndCiting:
    """The citations of a paper by its id, kept for its page, its picture and the next call."""
    return _citations(paper_id, served.version())


@lru_cache(maxsize=64)
def _citations(paper_id: str, version: int) -> CitedAndCiting:
    paper = find_paper(paper_id)
    references = references_of(paper)
    own = library_papers([paper.paper_id])[0]
    return CitedAndCiting(own, references, cited_papers(references, paper.paper_id), papers_citing(own))

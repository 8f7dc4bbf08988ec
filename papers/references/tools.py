"""The tool for references, and what its page shows of the same."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from papercore import limits
from papercore.bibliography.references import Reference
from papers.catalogue.paper_lookup import find_paper
from papers.catalogue.schemas import Limit, Offset, PaperId
from papers.references.citable import LibraryPaper, library_papers
from papers.references.citing import CitingPapers, papers_citing
from papers.references.lookup import cited_papers
from papers.references.of_paper import references_of
from papers.references.schemas import CitingPaper, ListedReference, PaperReferences
from papers.snapshot import served
from papers.snapshot.served import paper_tool


class Citations(Struct, frozen=True):
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

    Use it to follow an idea back to its source or forward to later work. A reference without `paper_id` is not here,
    or not surely.
    """
    found = citations_of(find_paper(paper_id).paper_id)
    listed = [_listed(item, paper) for item, paper in zip(found.references, found.cited, strict=True)]
    shown = listed[offset : offset + limit]
    return PaperReferences(
        paper_id=found.paper.paper_id,
        references=shown,
        total=len(listed),
        next_offset=offset + limit if offset + limit < len(listed) else None,
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


def citations_of(paper_id: str) -> Citations:
    """The citations of a paper by its id, kept for its page, its picture and the next call."""
    return _citations(paper_id, served.version())


@lru_cache(maxsize=64)
def _citations(paper_id: str, version: int) -> Citations:
    paper = find_paper(paper_id)
    references = references_of(paper)
    own = library_papers([paper.paper_id])[0]
    return Citations(own, references, cited_papers(references, paper.paper_id), papers_citing(own))


def _listed(reference: Reference, paper: LibraryPaper | None) -> ListedReference:
    return ListedReference(
        text=reference.text,
        title=paper.title if paper else reference.title,
        year=reference.year,
        doi=reference.doi,
        arxiv_id=reference.arxiv,
        paper_id=paper.paper_id if paper else None,
    )

"""Cites papers in a style: one of those that come with the site, or a CSL file that somebody brings."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Annotated, Literal

from msgspec import convert
from pydantic import BaseModel, Field

from papercore import limits
from papercore.bibliography.citation import csl_item
from papercore.errors import InvalidInput
from papercore.http_status import DOCUMENTED_VISIBLE, DOCUMENTED_VISIBLE_OR_BLANK
from papercore.processes.children import ChildFailed, ChildLimits, ChildProcess
from papers.catalogue import styled
from papers.catalogue.citations import citation_of, stored_entries
from papers.catalogue.schemas import MissingPaper, PaperId, PaperIds, PaperMetadata
from papers.catalogue.style_files import style_file
from papers.catalogue.styled import StyledReferences
from papers.catalogue.tools import get_papers
from papers.snapshot.served import paper_tool

# A style that is none, or that turns in circles, costs no more than this.
_STYLE_LIMITS = ChildLimits(20, 40, 600_000_000)

CitationStyle = Literal["apa", "mla", "chicago", "ieee", "nature", "harvard", "vancouver"]
CitationForm = Literal["text", "html", "markdown"]
WRITERS: dict[CitationForm, Callable[[str], str]] = {
    "text": styled.as_text,
    "html": str,
    "markdown": styled.as_markdown,
}
QuotedPage = Annotated[str, Field(max_length=limits.PAGE_CHARS, description="Where a quote is: 5 or 5-7.")]
StyleFile = Annotated[str, Field(max_length=limits.STYLE_CHARS, description="Another style: the text of its CSL file.")]


class CitationsBody(BaseModel):
    """The body of a request over REST."""

    paper_ids: Annotated[
        tuple[Annotated[PaperId, DOCUMENTED_VISIBLE], ...], Field(min_length=1, max_length=limits.PAPERS_AT_ONCE)
    ]
    style: CitationStyle = "apa"
    form: CitationForm = "text"
    page: Annotated[QuotedPage, DOCUMENTED_VISIBLE_OR_BLANK] = ""
    csl: StyleFile = ""


class CitedPaper(BaseModel):
    paper_id: str
    in_text: str


class CitedPapers(BaseModel):
    """How the papers are cited in the text, and their bibliography in the style's order."""

    papers: list[CitedPaper]
    bibliography: list[str]
    not_found: list[MissingPaper]


@paper_tool
def cite_papers(
    paper_ids: PaperIds,
    style: CitationStyle = "apa",
    form: CitationForm = "text",
    page: QuotedPage = "",
    csl: StyleFile = "",
) -> CitedPapers:
    """Cite papers in a citation style: in the text, and as the entries of a bibliography.

    From the records of the papers; nothing is made up that they do not have.
    """
    found = get_papers(paper_ids)
    references = cite(found.papers, style, page, csl)
    write = WRITERS[form]
    cited = zip(found.papers, references.in_text, strict=True)
    return CitedPapers(
        papers=[CitedPaper(paper_id=paper.paper_id, in_text=write(text)) for paper, text in cited],
        bibliography=[write(entry) for entry in references.bibliography],
        not_found=found.not_found,
    )


def cite(papers: Sequence[PaperMetadata], style: CitationStyle, page: str = "", csl: str = "") -> StyledReferences:
    """The papers in the style, or in that of the file, which is read in a process of its own."""
    stored = stored_entries(papers)
    items = [csl_item(citation_of(paper, stored.get(paper.paper_id)), paper.paper_id) for paper in papers]
    if not csl:
        return styled.styled(style_file(style), items, page)
    message = json.dumps({"style": csl, "items": items, "page": page}).encode()
    try:
        with closing(ChildProcess("papers.catalogue.styled:answers", _STYLE_LIMITS)) as child:
            return convert(child.ask(message), StyledReferences)
    except ChildFailed as error:
        raise InvalidInput(f"This style file cannot be used: {error}.") from None

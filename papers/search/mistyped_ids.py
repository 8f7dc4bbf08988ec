"""Finds the papers that a mistyped id may have meant."""

import re
from collections.abc import Sequence

from papercore.errors import PageLink, ToolError
from papercore.retrieval import Request
from papers.schemas import ID_PATTERN
from papers.search.results import list_papers

SUGGESTED_PAPERS = 3


def papers_named_like(paper_id: str) -> Sequence[PageLink]:
    """Papers that hold the words of the id; an id of digits alone has none."""
    words = " ".join(re.findall(r"[A-Za-z]{3,}", paper_id))
    try:
        papers = list_papers(Request(words, limit=SUGGESTED_PAPERS)).papers if words else []
    except ToolError:
        return ()
    return [
        PageLink(
            title=paper.title,
            id=paper.paper_id,
            route="paper",
            arguments={"paper_id": paper.paper_id},
            note=f"{', '.join(paper.authors)} · {paper.year or 'n.d.'}",
        )
        for paper in papers
        if re.match(ID_PATTERN, paper.paper_id)  # otherwise it has no page
    ]

"""The two tools that chat clients with custom connectors expect: `search` and `fetch`, over the library's own tools."""

from typing import Annotated

from pydantic import BaseModel, Field

from papercore import limits
from papercore.caller import current
from papercore.tool import tool
from papers import tools as papers
from papers.catalogue.lookup import paper_url
from papers.catalogue.schemas import PaperMetadata, VisibleQuery
from papers.passages.addresses import split_address

Id = Annotated[str, Field(min_length=1, max_length=limits.ADDRESS_CHARS, description="The id of a result.")]


class ConnectorResult(BaseModel):
    id: str
    title: str
    url: str
    text: str = Field(description="The passage that bears on the query.")
    authors_words: bool = Field(description="False: paraphrase it, never quote it as the paper's.")


class ConnectorResults(BaseModel):
    results: list[ConnectorResult]


class ConnectorDocument(BaseModel):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


@tool
def search(query: VisibleQuery) -> ConnectorResults:
    """Search the library's research papers: returns passages that bear on the query, each with an id for `fetch`.

    Ask in plain words. Cite a result by its url. An empty list means that the library has nothing on the question.
    """
    answer = papers.search_passages(query, limit=limits.CONNECTOR_RESULTS)
    hits = answer.passages or answer.other_texts
    found = [
        ConnectorResult(
            id=hit.address,
            title=_title(hit.title, hit.section),
            url=_absolute(hit.link, hit.address),
            text=hit.quote,
            authors_words=hit.authors_words,
        )
        for hit in hits
    ]
    return ConnectorResults(results=found or _papers(query))


@tool
def fetch(id: Id) -> ConnectorDocument:  # noqa: A002 (clients call it so)
    """Fetch a result of `search` in full: the passage in its context, or the text of a paper."""
    address = split_address(id)
    if address is None:
        return _paper(papers.get_paper_metadata(id))
    near = limits.PASSAGE_NEIGHBOURS
    passage = papers.get_passage(id, before=near, after=near)
    parts = [*(item.markdown for item in passage.before), passage.markdown, *(item.markdown for item in passage.after)]
    metadata = _metadata(papers.get_paper_metadata(passage.place.paper_id))
    place = passage.place
    whose = {"text_kind": place.text_kind, "authors_words": str(place.authors_words).lower()}
    return ConnectorDocument(
        id=place.address,
        title=_title(place.title, place.section),
        text="\n\n".join(parts),
        url=_absolute(place.link, place.address),
        metadata={**metadata, "section": place.section, "passage": passage.markdown, **whose},
    )


def _papers(query: str) -> list[ConnectorResult]:
    """Papers of which the library has no text that could be cut into passages."""
    listed = papers.search_papers(query, limit=limits.CONNECTOR_RESULTS).papers
    return [
        ConnectorResult(
            id=paper.paper_id,
            title=paper.title,
            url=_absolute(paper_url(paper.paper_id), paper.paper_id),
            text=paper.snippet_markdown,
            authors_words=False,
        )
        for paper in listed
    ]


def _paper(paper: PaperMetadata) -> ConnectorDocument:
    text = papers.get_paper_source(paper.paper_id).markdown if paper.has_source else ""
    return ConnectorDocument(
        id=paper.paper_id,
        title=paper.title,
        text=text or paper.abstract or paper.summary_preview,
        url=_absolute(paper_url(paper.paper_id), paper.paper_id),
        metadata=_metadata(paper),
    )


def _metadata(paper: PaperMetadata) -> dict[str, str]:
    named = {
        "paper_id": paper.paper_id,
        "authors": ", ".join(paper.authors),
        "year": str(paper.year or ""),
        "venue": paper.venue,
        "doi": paper.doi or "",
    }
    return {name: value for name, value in named.items() if value}


def _title(title: str, section: str) -> str:
    return f"{title} ({section})" if section else title


def _absolute(path: str, identifier: str) -> str:
    """The page's address where the site's is known; over stdio a name of the same form that resources have."""
    site = current().site
    return f"{site}{path.removeprefix(site)}" if site else f"paper://{identifier}"

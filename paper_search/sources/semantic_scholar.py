"""Semantic Scholar: all fields of research; nulls and empty strings are common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from paper_search.domains import Domain
from paper_search.models import Paper, PaperTag, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.sources import fields
from paper_search.sources.http import SourceClient
from paper_search.sources.interface import Source, UnknownToSource
from paper_search.sources.links import Linked, Links
from papercore.bibliography.identifiers import arxiv_mentioned_in, bare_doi

PAGE_SIZE = 100
_FIELDS = "title,abstract,year,venue,authors,citationCount,externalIds,openAccessPdf,url,citationStyles"


@dataclass
class SemanticScholar(Source):
    own_filters: ClassVar = frozenset({"year_from", "year_to", "venues"})
    unsupported_filters: ClassVar = ("language_codes",)

    client: SourceClient
    domain: Domain

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        params: dict[str, str | int] = {
            "query": " ".join(query.keywords).replace("-", " "),
            "fields": _FIELDS,
            "limit": min(PAGE_SIZE, filters.max_results),
        }
        if filters.year_from or filters.year_to:
            params["year"] = f"{filters.year_from or ''}-{filters.year_to or ''}"
        if filters.venues:
            # Names with a comma cannot be told from two names.
            params["venue"] = ",".join(name.replace(",", " ") for name in filters.venues)
        if filters.kinds == [PaperTag.review]:
            params["publicationTypes"] = "Review"
        if self.domain.semantic_scholar:
            params["fieldsOfStudy"] = ",".join(self.domain.semantic_scholar)
        papers: list[RawPaper] = []
        # The service answers no offset beyond 1000.
        for offset in range(0, min(filters.max_results, 1_000), PAGE_SIZE):
            answer = await self.client.get_json("/graph/v1/paper/search", {**params, "offset": offset})
            items = list(fields.records(answer.get("data")))
            papers += [paper for item in items if (paper := _paper(item))]
            if len(items) < PAGE_SIZE:
                break
        return papers[: filters.max_results]

    async def linked(self, papers: Sequence[Paper]) -> list[Linked]:
        links, found = Links(), {}
        directions = (("references", "citedPaper", links.cited_by), ("citations", "citingPaper", links.cites))
        for paper in papers:
            for direction, key, table in directions if _name(paper) else ():
                for item in await self._one_step(paper, direction):
                    if linked := _paper(fields.record(item.get(key))):
                        found[linked.id] = linked
                        table[linked.id].add(paper.id)
        return links.linked({name: found[name] for name in links.most_linked})

    async def _one_step(self, paper: Paper, direction: str) -> Iterator[dict[str, object]]:
        """The first page of references or citations; none of a paper that the service does not have."""
        # An entry comes with the papers of a search only.
        params: dict[str, str | int] = {"fields": _FIELDS.removesuffix(",citationStyles"), "limit": PAGE_SIZE}
        try:
            answer = await self.client.get_json(f"/graph/v1/paper/{quote(_name(paper), safe=':/')}/{direction}", params)
        except UnknownToSource:
            return iter(())
        return iter(fields.records(answer.get("data")))


def _name(paper: Paper) -> str:
    """What the service calls a paper that may be another source's; empty without an identifier."""
    if paper.id.startswith("s2:"):
        return paper.id.removeprefix("s2:")
    number, doi = arxiv_mentioned_in(f"{paper.doi or ''} {paper.full_text_url or ''}"), bare_doi(paper.doi or "")
    return f"ARXIV:{number}" if number else f"DOI:{doi}" if doi else ""


def _paper(item: dict[str, object]) -> RawPaper | None:
    title, number = fields.text(item.get("title")), fields.text(item.get("paperId"))
    if not title or not number:
        return None
    ids = fields.record(item.get("externalIds"))
    entry = fields.record(item.get("citationStyles")).get("bibtex")
    names = (fields.text(author.get("name")) for author in fields.records(item.get("authors")))
    return RawPaper(
        id=f"s2:{number}",
        doi=fields.doi(ids.get("DOI")),
        title=title,
        authors=fields.authors(names),
        abstract=fields.text(item.get("abstract")),
        year=fields.year(item.get("year")),
        venue=fields.text(item.get("venue")),
        source="semantic_scholar",
        citation_count=fields.number(item.get("citationCount")),
        full_text_url=fields.url(fields.record(item.get("openAccessPdf")).get("url")) or fields.url(item.get("url")),
        bibtex=entry.strip() or None if isinstance(entry, str) else None,
        facts=SourceFacts(arxiv_id=fields.text(ids.get("ArXiv"))),
    )

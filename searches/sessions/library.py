"""The site's own library as a source of literature searches: the same list that pages and tools show."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.db import connections

from paper_search.models import Author, RawPaper, SearchConstraints, SearchQuery, SourceFacts
from paper_search.models import Paper as FoundPaper
from paper_search.sources.interface import Library, PaperText, SourceError
from paper_search.sources.library_search import mentions_request, search_library
from paper_search.sources.links import Linked, Links
from paper_search.sources.snapshot_citations import as_cited
from papercore.bibliography.identifiers import canonical_doi
from papercore.errors import ToolError
from papers.catalogue.facets import facet_counts
from papers.catalogue.metadata import metadata_of_papers
from papers.references.cited import LibraryPaper, papers_citing
from papers.references.tools import citations_of
from papers.search.results import ask
from papers.snapshot.assets import preferred_document
from papers.snapshot.models import Paper, PaperBibtex, PaperKeyAlias
from papers.snapshot.served import reading

MAX_KEYWORDS = 5_000


class SiteLibrary(Library):
    """What the workflow asks of its library, answered by the snapshot that the site serves."""

    takes: ClassVar = "synonyms"
    own_filters: ClassVar = frozenset({"year_from", "year_to", "authors", "venues"})
    unsupported_filters: ClassVar = ("language_codes",)

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return await asyncio.to_thread(self._search, query, filters)

    async def linked(self, papers: Sequence[FoundPaper]) -> list[Linked]:
        return await asyncio.to_thread(self._linked, papers)

    def keywords(self) -> Sequence[str]:
        """The library's own keywords, the most used first; none when there is no library."""
        try:
            with reading():
                return [value for value, _ in facet_counts("keyword")[:MAX_KEYWORDS]]
        except ToolError:
            return []

    def names(self, facet: str) -> Sequence[str]:
        try:
            with reading():
                return [value for value, _ in facet_counts("author" if facet == "author" else "venue")]
        except ToolError:
            return []
        finally:
            connections.close_all()

    def mentions(self, *phrases: str) -> Sequence[PaperText]:
        """The papers that have all of the phrases; none when there is no library."""
        texts = []
        try:
            with reading():
                hits = ask(lambda engine: engine.search(mentions_request(phrases))).hits
                papers = Paper.objects.in_bulk([hit.id for hit in hits])
                for paper in (papers[hit.id] for hit in hits if hit.id in papers):
                    document = preferred_document(paper)
                    texts.append(PaperText(paper.title, document.abstract or "", tuple(document.keywords)))
        except ToolError:
            return []
        finally:
            connections.close_all()
        return [text for text in texts if text.has(phrases)]

    def _search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        try:
            with reading():
                found = ask(lambda engine: search_library(engine, query, filters))
                return _raw_papers({scored.paper_id: scored.facts for scored in found})
        except ToolError as error:
            raise SourceError(error.message) from error
        finally:
            # The thread that the event loop lent ends with it, and nobody else would close what it opened.
            connections.close_all()

    def _linked(self, papers: Sequence[FoundPaper]) -> list[Linked]:
        links = Links()
        try:
            with reading():
                for paper in papers:
                    if own := _own_id(paper):
                        citations = citations_of(own)
                        cited, citing = citations.cited, citations.citing
                    else:
                        cited, citing = [], papers_citing(LibraryPaper("", as_cited(paper)))
                    for reference in filter(None, cited):
                        links.cited_by[reference.paper_id].add(paper.id)
                    for citation in citing.papers:
                        links.cites[citation.paper.paper_id].add(paper.id)
                found = _raw_papers({paper_id: SourceFacts() for paper_id in links.most_linked})
        except ToolError as error:
            raise SourceError(error.message) from error
        finally:
            connections.close_all()
        return links.linked({paper.id: paper for paper in found})


def _own_id(paper: FoundPaper) -> str | None:
    """The id under which the library has the paper, which may come from another source."""
    if Paper.objects.filter(pk=paper.id).exists():
        return paper.id
    key = f"doi:{canonical_doi(paper.doi or '')}"
    return PaperKeyAlias.objects.filter(paper_key=key).values_list("paper_id", flat=True).first()


def _raw_papers(facts: Mapping[str, SourceFacts]) -> list[RawPaper]:
    rows, entries = Paper.objects.in_bulk(list(facts)), PaperBibtex.objects.in_bulk(list(facts))
    papers = metadata_of_papers([rows[paper_id] for paper_id in facts if paper_id in rows])
    return [
        RawPaper(
            id=paper.paper_id,
            doi=paper.doi,
            title=paper.title,
            authors=[Author(name=name) for name in paper.authors],
            abstract=paper.abstract,
            snippet=paper.summary_preview or None,
            year=paper.year,
            venue=paper.venue or None,
            source="snapshot",
            keywords=paper.keywords,
            bibtex=entries[paper.paper_id].bibtex_raw if paper.paper_id in entries else None,
            facts=facts[paper.paper_id],
        )
        for paper in papers
    ]

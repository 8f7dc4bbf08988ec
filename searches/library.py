"""The site's own library as a source of literature searches: the same list that pages and tools show."""

import asyncio
from collections.abc import Sequence

from django.db import connections

from paper_search.models import Author, RawPaper, SearchConstraints, SearchQuery
from paper_search.sources.errors import SourceError
from paper_search.sources.library_request import library_requests
from papercore.errors import ToolError
from papers.catalogue.facets import facet_counts
from papers.catalogue.metadata import metadata_of
from papers.models import Paper, PaperBibtex
from papers.search.results import ListedPaper, list_papers
from papers.snapshot.served import reading

MAX_KEYWORDS = 5_000


class SiteLibrary:
    """What the workflow asks of its library, answered by the snapshot that the site serves."""

    async def search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        return await asyncio.to_thread(self._search, query, filters)

    def keywords(self) -> Sequence[str]:
        """The library's own keywords, the most used first; none when there is no library."""
        try:
            with reading():
                return [value for value, _ in facet_counts("keyword")[:MAX_KEYWORDS]]
        except ToolError:
            return []

    def _search(self, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        try:
            with reading():
                lists = [list_papers(request).papers for request in library_requests(query, filters)]
                return _raw_papers(list({paper.paper_id: paper for papers in lists for paper in papers}.values()))
        except ToolError as error:
            raise SourceError(error.message) from error
        finally:
            # The thread that the event loop lent ends with it, and nobody else would close what it opened.
            connections.close_all()


def _raw_papers(papers: Sequence[ListedPaper]) -> list[RawPaper]:
    """The papers with their abstracts and BibTeX. The best one's match is 1; without scores the order decides."""
    ids = [paper.paper_id for paper in papers]
    rows, entries = Paper.objects.in_bulk(ids), PaperBibtex.objects.in_bulk(ids)
    best = max((paper.score or 0.0 for paper in papers), default=0.0)
    found = []
    for position, paper in enumerate(papers):
        if paper.paper_id not in rows:
            continue
        details = metadata_of(rows[paper.paper_id])
        match = (paper.score or 0.0) / best if best else 1 - position / len(papers)
        entry = entries.get(paper.paper_id)
        found.append(
            RawPaper(
                id=paper.paper_id,
                doi=details.doi,
                title=paper.title,
                authors=[Author(name=name) for name in paper.authors],
                abstract=details.abstract,
                snippet=details.summary_preview or None,
                year=paper.year,
                venue=paper.venue or None,
                source="snapshot",
                bibtex=entry.bibtex_raw if entry else None,
                raw_data={"match": max(0.0, min(1.0, match))},
            )
        )
    return found

"""Asks all sources of a strategy at once; one that fails is reported and hides nothing."""

import asyncio
from collections.abc import Mapping, Sequence

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SearchStrategy
from paper_search.progress import ProgressReporter, SourceReport
from paper_search.skills.boolean import excluded_terms
from paper_search.skills.text import stems
from paper_search.sources.errors import SourceError
from paper_search.sources.interface import Source

# What a match with a query beside the question counts; chosen on judged collections, where more of it does harm.
LATER = 0.25


class FoundPapers(list[RawPaper]):
    """What all sources gave, and what each of them reported."""

    def __init__(self, papers: Sequence[RawPaper], reports: Mapping[str, SourceReport]) -> None:
        super().__init__(papers)
        self.reports = dict(reports)


class SourceSearcher:
    def __init__(self, sources: Mapping[str, Source], progress_reporter: ProgressReporter | None = None) -> None:
        self.sources = dict(sources)
        self.progress_reporter = progress_reporter

    async def search(self, strategy: SearchStrategy) -> FoundPapers:
        names = list(dict.fromkeys(strategy.sources))
        answers = await asyncio.gather(*(self._ask(name, strategy) for name in names))
        papers = [paper for found, _ in answers for paper in found]
        return FoundPapers(papers, {name: report for name, (_, report) in zip(names, answers, strict=True)})

    async def _ask(self, name: str, strategy: SearchStrategy) -> tuple[list[RawPaper], SourceReport]:
        found: dict[str, RawPaper] = {}
        report = SourceReport()
        try:
            for number, query in enumerate(strategy.queries):
                for paper in await self._query(name, query, strategy.filters):
                    found.setdefault(paper.id, paper if number == 0 else _behind(paper))
        except SourceError as error:
            # What earlier queries of the same source found still counts.
            report.error = error.message
        report.count = len(found)
        if self.progress_reporter:
            self.progress_reporter.source_done(name, report)
        return list(found.values()), report

    async def _query(self, name: str, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        if name not in self.sources:
            raise SourceError(f"not configured; there are {', '.join(self.sources)}")
        papers = await self.sources[name].search(query, filters)
        unwanted = [set(stems(term)) for term in excluded_terms(query.boolean_query)]
        return [paper for paper in papers if _fits(paper, filters) and not _is_unwanted(paper, unwanted)]


def _behind(paper: RawPaper) -> RawPaper:
    """Only a query beside the question found it: its match with that query says less."""
    match = paper.raw_data.get("match")
    if isinstance(match, float):
        paper.raw_data["match"] = LATER * match
    return paper


def _fits(paper: RawPaper, filters: SearchConstraints) -> bool:
    """Sources filter loosely; a paper of unknown year is kept."""
    if paper.year is None:
        return True
    return (filters.year_from or paper.year) <= paper.year <= (filters.year_to or paper.year)


def _is_unwanted(paper: RawPaper, unwanted: list[set[str]]) -> bool:
    if not unwanted:
        return False
    own = set(stems(f"{paper.title} {paper.abstract or ''}"))
    return any(term and term <= own for term in unwanted)

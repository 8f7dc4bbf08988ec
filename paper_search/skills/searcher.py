"""Searches all sources of a strategy at once; one that fails is reported beside the others' papers."""

import asyncio
from collections.abc import Mapping, Sequence

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SearchStrategy
from paper_search.progress import ProgressReporter, SourceReport
from paper_search.skills.boolean import excluded_terms
from paper_search.skills.constraints import matches
from paper_search.sources.errors import SourceError
from paper_search.sources.interface import Source
from papercore import limits

# The weight of a match with a query other than the first, which is the question itself. Chosen on judged
# collections: more does harm.
OTHER_QUERY_WEIGHT = 0.25
# Where papers will be left out, this many times the wanted number are fetched.
SPARE = 3


class FoundPapers(list[RawPaper]):
    """The papers of all sources, with a report for each source."""

    def __init__(self, papers: Sequence[RawPaper], reports: Mapping[str, SourceReport]) -> None:
        super().__init__(papers)
        self.reports = dict(reports)


class SourceSearcher:
    def __init__(self, sources: Mapping[str, Source], progress_reporter: ProgressReporter | None = None) -> None:
        self.sources = dict(sources)
        self.progress_reporter = progress_reporter

    async def search(self, strategy: SearchStrategy) -> FoundPapers:
        names = list(dict.fromkeys(strategy.sources))
        answers = await asyncio.gather(*(self._search_source(name, strategy) for name in names))
        papers = [paper for found, _ in answers for paper in found]
        return FoundPapers(papers, {name: report for name, (_, report) in zip(names, answers, strict=True)})

    async def _search_source(self, name: str, strategy: SearchStrategy) -> tuple[list[RawPaper], SourceReport]:
        found: dict[str, RawPaper] = {}
        report = SourceReport()
        try:
            for number, query in enumerate(strategy.queries):
                for paper in await self._matches(name, query, strategy.filters):
                    found.setdefault(paper.id, paper if number == 0 else _discounted(paper))
        except SourceError as error:
            # What earlier queries to the same source found is kept.
            report.error = error.message
        report.count = len(found)
        if self.progress_reporter:
            self.progress_reporter.source_done(name, report)
        return list(found.values()), report

    async def _matches(self, name: str, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
        if name not in self.sources:
            raise SourceError(f"not configured; there are {', '.join(self.sources)}")
        wider = filters.model_copy(update={"max_results": _fetched(filters)})
        papers = await self.sources[name].search(query, wider)
        excluded = excluded_terms(query.boolean_query)
        return [paper for paper in papers if matches(paper, filters, excluded)]


def _fetched(filters: SearchConstraints) -> int:
    """How many papers to ask for, so that enough are left when those that do not match are gone."""
    narrowed = bool(filters.excluded or filters.excluded_kinds or filters.language)
    return min(limits.SEARCH_RESULTS, filters.max_results * (SPARE if narrowed else 1))


def _discounted(paper: RawPaper) -> RawPaper:
    """A match with another query than the question says less."""
    match = paper.raw_data.get("match")
    if isinstance(match, float):
        paper.raw_data["match"] = OTHER_QUERY_WEIGHT * match
    return paper

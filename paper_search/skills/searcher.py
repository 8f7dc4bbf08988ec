"""Searches all sources of a strategy at once; one that fails is reported beside the others' papers."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from paper_search.models import RawPaper, SearchConstraints, SearchQuery, SearchStrategy
from paper_search.progress import ProgressReporter, SourceReport
from paper_search.queries import excluded_terms, satisfies
from paper_search.skills.filters import matches
from paper_search.skills.relaxing import ENOUGH, looser_words, steps
from paper_search.skills.wordings import wordings
from paper_search.sources.errors import SourceError
from paper_search.sources.interface import Source
from paper_search.sources.known_sources import ALIASES
from papercore import limits

logger = logging.getLogger(__name__)
# The weight of a match with a query other than the first, which is the question itself. Chosen on judged
# collections: more does harm.
OTHER_QUERY_WEIGHT = 0.25
# Papers named where a library has no answer.
NEAREST = 3
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
        names = list(dict.fromkeys(ALIASES.get(name, name) for name in strategy.sources))
        answers = await asyncio.gather(*(self._search_source(name, strategy) for name in names))
        papers = [paper for found, _ in answers for paper in found]
        return FoundPapers(papers, {name: report for name, (_, report) in zip(names, answers, strict=True)})

    async def _search_source(self, name: str, strategy: SearchStrategy) -> tuple[list[RawPaper], SourceReport]:
        found: dict[str, RawPaper] = {}
        nearest: dict[str, RawPaper] = {}
        report = SourceReport()
        try:
            for number, query in enumerate(strategy.queries):
                for paper in await self._matches(name, query, strategy.filters, report):
                    papers = nearest if paper.raw_data.get("only_nearest") else found
                    papers.setdefault(paper.id, _weighted(paper, OTHER_QUERY_WEIGHT) if number else paper)
        except SourceError as error:
            # What earlier queries to the same source found is kept.
            report.error = error.message
        except Exception:
            # Whatever an adapter did not foresee, the papers of the other sources must come through.
            logger.exception("The source %s failed", name)
            report.error = "failed unexpectedly"
        report.count = len(found)
        report.nearest = {} if found else {paper.id: paper.title for paper in list(nearest.values())[:NEAREST]}
        report.ignored = _ignored(self.sources.get(name), strategy.filters)
        if self.progress_reporter:
            self.progress_reporter.source_done(name, report)
        return list(found.values()), report

    async def _matches(
        self, name: str, query: SearchQuery, filters: SearchConstraints, report: SourceReport
    ) -> list[RawPaper]:
        """What the source finds; one that takes operators is asked step by step more loosely until it is enough."""
        if name not in self.sources:
            raise SourceError(f"not configured; there are {', '.join(self.sources)}")
        source = self.sources[name]
        if getattr(source, "takes_synonyms", False):
            return await _search(source, query, query, filters)
        if not getattr(source, "takes_operators", False):
            return await self._in_all_words(source, query, filters, report)
        found: dict[str, RawPaper] = {}
        for step in steps(query):
            papers = await _search(source, step, query, filters)
            report.steps.append(f"{step.boolean_query}: {len(papers)}")
            for paper in papers:
                found.setdefault(paper.id, paper)
            if len(found) >= min(ENOUGH, filters.max_results):
                break
        return list(found.values())

    async def _in_all_words(
        self, source: Source, query: SearchQuery, filters: SearchConstraints, report: SourceReport
    ) -> list[RawPaper]:
        """What the source finds by the query's words and its synonyms, and by fewer words where that is too little."""
        found: dict[str, RawPaper] = {}
        asked, looser = wordings(query), looser_words(query)
        for text in (*asked, *looser):
            if text in looser and len(found) >= min(ENOUGH, filters.max_results):
                break
            step = query.model_copy(update={"keywords": [text]})
            papers = await _search(source, step, query, filters)
            report.steps.append(f"{text}: {len(papers)}")
            for paper in papers:
                found.setdefault(paper.id, paper)
        return list(found.values())


async def _search(source: Source, step: SearchQuery, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
    wider = filters.model_copy(update={"max_results": _fetched(filters)})
    return [paper for paper in await source.search(step, wider) if _fits(paper, query, filters)]


def _fits(paper: RawPaper, query: SearchQuery, filters: SearchConstraints) -> bool:
    if not matches(paper, filters, excluded_terms(query.boolean_query)):
        return False
    return not query.strict or satisfies(query.boolean_query, f"{paper.title} {paper.abstract or paper.snippet or ''}")


def _ignored(source: Source | None, filters: SearchConstraints) -> list[str]:
    """The filters in use that the source can neither express nor be checked for."""
    return [name for name in getattr(source, "cannot", ()) if getattr(filters, name)]


def _fetched(filters: SearchConstraints) -> int:
    """How many papers to ask for, so that enough are left when those that do not match are gone."""
    narrowed = bool(filters.excluded or filters.excluded_kinds or filters.language)
    wanted = filters.max_results * (SPARE if narrowed else 1) + len(filters.unlike_papers)
    return min(limits.SEARCH_RESULTS, wanted)


def _weighted(paper: RawPaper, weight: float) -> RawPaper:
    """A match with another query than the question says less."""
    match = paper.raw_data.get("match")
    if isinstance(match, float):
        paper.raw_data["match"] = weight * match
    return paper

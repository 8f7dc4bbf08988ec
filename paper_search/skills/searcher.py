"""Searches all sources of a strategy at once; one that fails is reported beside the others' papers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from paper_search.config import ALIASES
from paper_search.filters import appeared_at, matches
from paper_search.models import (
    Paper,
    ProgressReporter,
    RawPaper,
    SearchConstraints,
    SearchQuery,
    SearchStrategy,
    SourceReport,
)
from paper_search.queries import ENOUGH, excluded_terms, looser_queries, looser_words, satisfies, wordings
from paper_search.skills import FoundPapers
from paper_search.sources.interface import Source, SourceError
from paper_search.sources.links import FOLLOWED_PAPERS
from papercore import limits

logger = logging.getLogger(__name__)
# The weight of a match with a query other than the first, which is the question itself. Chosen on judged
# collections: more does harm.
OTHER_QUERY_WEIGHT = 0.25
# What is left of the match of a paper that lacks a concept of the plan.
WITHOUT_CONCEPT_SHARE = 0.7
# Papers named where a library has no answer.
NEAREST = 3
# The filters of a strategy that a source may have fields for, and what the plan calls them.
PLAN_FIELDS = {
    "year_from": "year_from",
    "year_to": "year_to",
    "language_codes": "languages",
    "authors": "authors",
    "venues": "venues",
    "kinds": "kinds",
    "excluded": "not",
    "excluded_authors": "not_authors",
    "excluded_kinds": "not_kinds",
}
# Where papers will be left out, this many times the wanted number are fetched.
SPARE = 3


class SourceSearcher:
    def __init__(self, sources: Mapping[str, Source], progress_reporter: ProgressReporter | None = None) -> None:
        self.sources = dict(sources)
        self.progress_reporter = progress_reporter

    async def search(self, strategy: SearchStrategy) -> FoundPapers:
        return await self._ask_all(strategy, partial(_search, strategy=strategy))

    async def follow(self, papers: Sequence[Paper], strategy: SearchStrategy) -> FoundPapers:
        """What the papers cite and what cites them, as far as it passes the filters of the strategy."""
        last = papers[-FOLLOWED_PAPERS:]
        return await self._ask_all(strategy, partial(_follow, papers=last, filters=strategy.filters))

    async def _ask_all(self, strategy: SearchStrategy, ask: "Ask") -> FoundPapers:
        names = list(dict.fromkeys(ALIASES.get(name, name) for name in strategy.sources))
        answers = await asyncio.gather(*(self._ask_source(name, strategy, ask) for name in names))
        papers = [paper for found, _ in answers for paper in found]
        reports = {name: report for name, (_, report) in zip(names, answers, strict=True)}
        return FoundPapers(papers, reports, await asyncio.to_thread(self._unknown_venues, names, strategy.filters))

    def _unknown_venues(self, names: Sequence[str], filters: SearchConstraints) -> list[str]:
        """Venues asked for by which a source that knows all of its own has nothing."""
        notices = []
        for name in names if filters.venues else ():
            source = self.sources.get(name)
            known = source.names("venue") if source else ()
            unknown = [asked for asked in filters.venues if not any(appeared_at(venue, asked) for venue in known)]
            if known and unknown:
                notices.append(f"{name} has no venue {', '.join(unknown)}: as a filter this finds nothing there.")
        return notices

    async def _ask_source(self, name: str, strategy: SearchStrategy, ask: "Ask") -> tuple[list[RawPaper], SourceReport]:
        found: dict[str, RawPaper] = {}
        nearest: dict[str, RawPaper] = {}
        report = SourceReport()
        source = self.sources.get(name)
        try:
            if source is None:
                raise SourceError(f"not configured; there are {', '.join(self.sources)}")
            await ask(source, report, found, nearest)
        except SourceError as error:
            # What earlier queries to the same source found is kept.
            report.error = error.message
        except Exception:
            # Whatever an adapter did not foresee, the papers of the other sources must come through.
            logger.exception("The source %s failed", name)
            report.error = "failed unexpectedly"
        report.count = len(found)
        report.nearest = {} if found else {paper.id: paper.title for paper in list(nearest.values())[:NEAREST]}
        if source:
            asked = [name for name in PLAN_FIELDS if getattr(strategy.filters, name)]
            missing = [name for name in asked if name not in source.own_filters]
            report.ignored = [PLAN_FIELDS[name] for name in missing if name in source.unsupported_filters]
            report.checked_here = [PLAN_FIELDS[name] for name in missing if name not in source.unsupported_filters]
        if self.progress_reporter:
            self.progress_reporter.source_done(name, report)
        return list(found.values()), report


# Asks a source; what it finds goes into the two tables, so that it is kept if a later request fails.
Ask = Callable[[Source, SourceReport, dict[str, RawPaper], dict[str, RawPaper]], Awaitable[None]]


async def _search(
    source: Source,
    report: SourceReport,
    found: dict[str, RawPaper],
    nearest: dict[str, RawPaper],
    strategy: SearchStrategy,
) -> None:
    for number, query in enumerate(strategy.queries):
        for paper in await _ask(source, query, strategy.filters, report):
            if number and paper.facts.match is not None:
                paper.facts.match *= OTHER_QUERY_WEIGHT
            (nearest if paper.facts.only_nearest else found).setdefault(paper.id, paper)


async def _follow(
    source: Source,
    report: SourceReport,
    found: dict[str, RawPaper],
    nearest: dict[str, RawPaper],
    papers: Sequence[Paper],
    filters: SearchConstraints,
) -> None:
    followed = {paper.id for paper in papers}
    linked_papers: dict[str, RawPaper] = {}
    for linked in await source.linked(papers):
        paper = linked.paper
        paper.facts.cites, paper.facts.cited_by = sorted(linked.cites), sorted(linked.cited_by)
        if paper.id not in followed:
            linked_papers.setdefault(paper.id, paper)
    report.steps.append(f"papers linked with {len(papers)} marked relevant: {len(linked_papers)}")
    found |= {paper_id: paper for paper_id, paper in linked_papers.items() if matches(paper, filters)}
    for name, shown in PLAN_FIELDS.items():
        alone = SearchConstraints.model_validate({name.replace("_codes", "s"): getattr(filters, name)})
        if left_out := sum(not matches(paper, alone) for paper in linked_papers.values()):
            report.steps.append(f"left out by {shown}: {left_out}")


async def _ask(source: Source, query: SearchQuery, filters: SearchConstraints, report: SourceReport) -> list[RawPaper]:
    """What the source finds; it is asked step by step more loosely while that is too little."""
    if source.takes == "synonyms":
        papers = await _matches(source, query, query, filters)
        return _with_concepts(papers, query, filters, report) if query.by_concepts and not query.strict else papers
    if source.takes == "operators":
        first, looser = looser_queries(query)[:1], looser_queries(query)[1:]
        texts = [step.boolean_query for step in (*first, *looser)]
    else:
        texts = [*wordings(query), *looser_words(query)]
        steps = [query.model_copy(update={"keywords": [text]}) for text in texts]
        first, looser = steps[: len(wordings(query))], steps[len(wordings(query)) :]
    found: dict[str, RawPaper] = {}
    for number, (step, text) in enumerate(zip((*first, *looser), texts, strict=True)):
        if number >= len(first) and len(found) >= min(ENOUGH, filters.max_results):
            break
        papers = await _matches(source, step, query, filters)
        report.steps.append(f"{text}: {len(papers)}")
        for paper in papers:
            found.setdefault(paper.id, paper)
    return list(found.values())


def _with_concepts(
    papers: Sequence[RawPaper], query: SearchQuery, filters: SearchConstraints, report: SourceReport
) -> list[RawPaper]:
    """The papers that have all concepts, then those without the last ones while that is too few.

    A paper without a concept counts less. Where none has even the first, which is the topic, none is an answer.
    """
    found: dict[str, RawPaper] = {}
    for number, step in enumerate(looser_queries(query)):
        having = [paper for paper in papers if satisfies(step.boolean_query, _text(paper))]
        report.steps.append(f"{step.boolean_query}: {len(having)}")
        for paper in having:
            if number and paper.id not in found and paper.facts.match is not None:
                paper.facts.match *= WITHOUT_CONCEPT_SHARE
            found.setdefault(paper.id, paper)
        if len(found) >= min(ENOUGH, filters.max_results):
            break
    for paper in papers if not found else ():
        paper.facts.only_nearest = True
    return list(found.values()) or list(papers)


def _text(paper: RawPaper) -> str:
    """What a paper says that a boolean query is about."""
    return " ".join((paper.title, paper.abstract or paper.snippet or "", *paper.keywords))


async def _matches(source: Source, step: SearchQuery, query: SearchQuery, filters: SearchConstraints) -> list[RawPaper]:
    """The papers that pass the filters; enough are fetched that enough are left when the others are gone."""
    left_out = ("excluded", "excluded_authors", "excluded_kinds", "language_codes", "authors", "venues")
    narrowed = any(getattr(filters, name) for name in left_out if name not in source.own_filters)
    wanted = filters.max_results * (SPARE if narrowed else 1) + len(filters.unlike_papers)
    wider = filters.model_copy(update={"max_results": min(limits.SEARCH_RESULTS, wanted)})
    excluded = excluded_terms(query.boolean_query)
    found = await source.search(step, wider)
    papers = [paper for paper in found if matches(paper, filters, excluded, source.own_filters)]
    if not query.strict:
        return papers
    return [paper for paper in papers if satisfies(query.boolean_query, _text(paper))]

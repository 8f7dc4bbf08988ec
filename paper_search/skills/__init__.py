"""The steps of a search in their order, and what the workflow expects of whoever does each.

Here they are done by rules that need no key and no network; a language model may refine them.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from paper_search.models import (
    Paper,
    PaperCollection,
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    ScoredPaper,
    SearchStrategy,
    SourceReport,
)


class FoundPapers(Struct, frozen=True):
    """The papers of all sources, a report for each source, and what whoever asked should know."""

    papers: list[RawPaper]
    reports: Mapping[str, SourceReport]
    notices: Sequence[str] = ()


class IntentParser(Protocol):
    async def parse(self, text: str, /) -> ParsedIntent: ...


class NoteReader(Protocol):
    """Changes an intent as a reviewer's note says."""

    async def revise(self, intent: ParsedIntent, note: str, /) -> ParsedIntent: ...


class QueryBuilder(Protocol):
    async def build(self, data: QueryBuilderInput, /) -> SearchStrategy: ...


class StrategySearcher(Protocol):
    """One that has no reports may give its papers alone."""

    async def search(self, strategy: SearchStrategy, /) -> FoundPapers | list[RawPaper]: ...


@runtime_checkable
class CitationFollower(Protocol):
    """What a searcher may do besides."""

    async def follow(self, papers: Sequence[Paper], strategy: SearchStrategy, /) -> FoundPapers: ...


class Deduplicator(Protocol):
    async def deduplicate(self, papers: list[RawPaper], /) -> list[RawPaper]: ...


class RelevanceScorer(Protocol):
    async def score(self, papers: list[RawPaper], intent: ParsedIntent, /) -> list[ScoredPaper]: ...


class ResultOrganizer(Protocol):
    async def organize(self, papers: list[ScoredPaper], strategy: SearchStrategy, query: str, /) -> PaperCollection: ...

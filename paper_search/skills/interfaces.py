"""What the workflow expects of each of its collaborators."""

from typing import Protocol

from paper_search.models import (
    PaperCollection,
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    ScoredPaper,
    SearchStrategy,
)


class IntentParser(Protocol):
    async def parse(self, text: str, /) -> ParsedIntent: ...


class QueryBuilder(Protocol):
    async def build(self, data: QueryBuilderInput, /) -> SearchStrategy: ...


class StrategySearcher(Protocol):
    async def search(self, strategy: SearchStrategy, /) -> list[RawPaper]: ...


class Deduplicator(Protocol):
    async def deduplicate(self, papers: list[RawPaper], /) -> list[RawPaper]: ...


class RelevanceScorer(Protocol):
    async def score(self, papers: list[RawPaper], intent: ParsedIntent, /) -> list[ScoredPaper]: ...


class ResultOrganizer(Protocol):
    async def organize(self, papers: list[ScoredPaper], strategy: SearchStrategy, query: str, /) -> PaperCollection: ...

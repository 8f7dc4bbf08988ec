"""Workflows with collaborators of our own, for tests: they count what they are asked."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from paper_search.config import AppConfig
from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    ScoredPaper,
    SearchStrategy,
    UserFeedback,
)
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.workflow.checkpoints import Checkpoint, CheckpointHandler, Decision, DecisionAction
from paper_search.workflow.engine import SearchWorkflow
from tests.paper_search.samples import strategy

APPROVE = Decision(action=DecisionAction.approve)


def decision(
    action: str, data: SearchStrategy | UserFeedback | dict[str, object] | None = None, note: str | None = None
) -> Decision:
    return Decision(action=DecisionAction(action), revised_data=data, note=note)


@dataclass
class Parser:
    asked: list[str] = field(default_factory=list)

    async def parse(self, text: str) -> ParsedIntent:
        self.asked.append(text)
        return ParsedIntent(topic=text, concepts=text.split())


@dataclass
class Builder:
    asked: list[QueryBuilderInput] = field(default_factory=list)

    async def build(self, data: QueryBuilderInput) -> SearchStrategy:
        self.asked.append(data)
        return strategy(data.intent.topic, f"attempt {len(self.asked)}")


@dataclass
class Finder:
    """Finds two papers in the first search, two others in the next, and so on."""

    asked: list[SearchStrategy] = field(default_factory=list)
    per_search: int = 2
    fail: Exception | None = None
    gate: asyncio.Event | None = None

    async def search(self, asked: SearchStrategy) -> list[RawPaper]:
        self.asked.append(asked)
        if self.gate:
            await self.gate.wait()
        if self.fail:
            raise self.fail
        number = len(self.asked)
        return [
            RawPaper(
                id=f"{number}{letter}", title=f"Paper {number}{letter} on {asked.queries[0].keywords[0]}", source="fake"
            )
            for letter in "abcdefgh"[: self.per_search]
        ]


class Scorer:
    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        return [ScoredPaper(paper=paper, relevance_score=0.9 - 0.1 * i) for i, paper in enumerate(papers)]


@dataclass
class Parts:
    parser: Parser = field(default_factory=Parser)
    builder: Builder = field(default_factory=Builder)
    finder: Finder = field(default_factory=Finder)

    def workflow(
        self,
        handler: CheckpointHandler | None = None,
        max_iterations: int = 5,
        enable_strategy_checkpoint: bool = True,
    ) -> SearchWorkflow:
        return SearchWorkflow(
            self.parser,
            self.builder,
            self.finder,
            RuleDeduplicator(),
            Scorer(),
            RuleResultOrganizer(),
            handler,
            max_iterations,
            enable_strategy_checkpoint,
        )


def maker(parts: Callable[[], Parts]) -> Callable[[AppConfig, CheckpointHandler], SearchWorkflow]:
    """A SessionManager's way to make workflows: each from parts of its own."""
    return lambda config, handler: parts().workflow(handler)


@dataclass
class Script:
    """Decides as it was told beforehand, then approves."""

    decisions: list[Decision] = field(default_factory=list)
    seen: list[Checkpoint] = field(default_factory=list)

    async def handle(self, checkpoint: Checkpoint) -> Decision:
        self.seen.append(checkpoint)
        return self.decisions.pop(0) if self.decisions else APPROVE

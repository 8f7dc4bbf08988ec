"""What a running search reports: steps and sources as they finish."""

from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

from paper_search.models import utc_now


class Phase(StrEnum):
    """A step of the workflow; `confirm` and `review` wait for a decision."""

    parse = "parse"
    build = "build"
    confirm = "confirm"
    search = "search"
    deduplicate = "deduplicate"
    score = "score"
    organize = "organize"
    review = "review"
    done = "done"


class SourceReport(BaseModel):
    """What one source gave in the latest search: how many papers, or why none."""

    count: int = 0
    error: str | None = None
    steps: list[str] = Field(
        default=[], description="The queries that were sent, from strict to loose, and their hits."
    )
    ignored: list[str] = Field(default=[], description="Filters of the strategy that the source cannot apply.")
    nearest: dict[str, str] = Field(default={}, description="If nothing answers: what is nearest, titles by id.")


class StepRecord(BaseModel):
    """A finished step, for people who watch."""

    phase: Phase
    iteration: int
    detail: str
    at: str = Field(default_factory=utc_now)


class ProgressReporter(Protocol):
    """Called in the middle of the work, so it must be quick and must not raise."""

    def step_done(self, record: StepRecord) -> None: ...

    def source_done(self, source: str, report: SourceReport) -> None: ...

"""What a search finds: papers as sources gave them, scored, and collected; and how far it is."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal, Protocol
from uuid import uuid4

from pydantic import BaseModel, Field

from paper_search.models.strategy import PaperTag, SearchStrategy, is_empty

Score = Annotated[float, Field(ge=0.0, le=1.0)]


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Author(BaseModel):
    name: str
    author_id: str | None = None


class SourceFacts(BaseModel):
    """What some sources say of a paper beyond the fields that every paper has."""

    match: float | None = Field(default=None, description="How well it fits the question, from 0 to 1.")
    only_nearest: bool = Field(default=False, description="It is no answer, but nothing in the library is nearer.")
    language: str | None = None
    retracted: bool = False
    arxiv_id: str | None = None
    partial_authors: bool = Field(default=False, description="The source lists only the first authors.")
    # Where exactly it was published, by the names of CSL.
    type: str | None = None
    volume: str | None = None
    issue: str | None = None
    page: str | None = None
    publisher: str | None = None
    cites: list[str] = Field(default=[], description="Where citations were followed: the papers of them it cites.")
    cited_by: list[str] = Field(default=[], description="And those that cite it; both by id.")


class RawPaper(BaseModel):
    """A paper as a source gave it; `raw_data` is for sources of others, which may keep there what they like."""

    id: str = Field(default_factory=lambda: str(uuid4()))
    doi: str | None = None
    title: str
    authors: list[Author] = []
    abstract: str | None = None
    snippet: str | None = None
    year: int | None = None
    venue: str | None = None
    source: str = ""
    citation_count: int = 0
    full_text_url: str | None = None
    bibtex: str | None = None
    keywords: list[str] = Field(default=[], exclude_if=is_empty)
    raw_data: dict[str, object] = {}
    # Stored with a search that is under way, but left out where nothing is known.
    facts: SourceFacts = Field(default_factory=SourceFacts, exclude_if=lambda facts: facts == SourceFacts())


class ScoredPaper(BaseModel):
    paper: RawPaper
    relevance_score: Score
    relevance_reason: str = ""
    tags: list[PaperTag] = []


class Paper(BaseModel):
    """A paper of the result; `source` names every source it came from, separated by commas."""

    id: str
    doi: str | None = None
    title: str
    authors: list[Author] = []
    abstract: str | None = None
    year: int | None = None
    venue: str | None = None
    source: str = ""
    citation_count: int = 0
    relevance_score: Score = 0.0
    relevance_reason: str = ""
    tags: list[PaperTag] = []
    full_text_url: str | None = None
    bibtex: str | None = None
    keywords: list[str] = Field(default=[], exclude_if=is_empty)


class Facets(BaseModel):
    by_year: dict[int, int] = {}
    by_venue: dict[str, int] = {}
    top_authors: list[str] = []
    key_themes: list[str] = []


class SearchMetadata(BaseModel):
    query: str
    search_strategy: SearchStrategy
    total_found: int = 0
    failed_sources: dict[str, str] = Field(default={}, description="Sources that gave nothing usable, and why.")
    timestamp: str = Field(default_factory=utc_now)
    selection: Literal["all_but_rejected", "marked_relevant"] = Field(
        default="all_but_rejected", description="Whether only papers that somebody marked relevant are in."
    )


class PaperCollection(BaseModel):
    metadata: SearchMetadata
    papers: list[Paper] = []
    facets: Facets = Field(default_factory=Facets)


class Phase(StrEnum):
    """A step of the workflow; `confirm` and `review` wait for a decision."""

    parse = "parse"
    build = "build"
    confirm = "confirm"
    search = "search"
    follow = "follow"
    deduplicate = "deduplicate"
    score = "score"
    organize = "organize"
    review = "review"
    done = "done"


class SourceReport(BaseModel):
    """What one source gave in the latest search: how many papers, or why none."""

    count: int = 0
    error: str | None = Field(default=None, exclude_if=is_empty)
    steps: list[str] = Field(
        default=[],
        description="The queries that were sent, from strict to loose, and their hits.",
    )
    ignored: list[str] = Field(default=[], description="Parts of the plan that nobody can check for this source.")
    checked_here: list[str] = Field(
        default=[],
        exclude_if=is_empty,
        description="Parts of the plan that it has no field for: its answers were checked for them here.",
    )
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

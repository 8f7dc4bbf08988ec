"""The data of a literature search: intent, strategy, papers and the collection it results in."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, Field

Score = Annotated[float, Field(ge=0.0, le=1.0)]


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class IntentType(StrEnum):
    """What kind of answer the question asks for."""

    survey = "survey"
    method = "method"
    dataset = "dataset"
    baseline = "baseline"


class PaperTag(StrEnum):
    """What kind of paper this is."""

    method = "method"
    review = "review"
    empirical = "empirical"
    theoretical = "theoretical"
    dataset = "dataset"


class SearchConstraints(BaseModel):
    year_from: int | None = None
    year_to: int | None = None
    language: str | None = None
    max_results: int = Field(default=100, gt=0)


class ParsedIntent(BaseModel):
    topic: str
    concepts: list[str] = []
    intent_type: IntentType = IntentType.survey
    constraints: SearchConstraints = Field(default_factory=SearchConstraints)


class SynonymMap(BaseModel):
    keyword: str
    synonyms: list[str] = []


class SearchQuery(BaseModel):
    keywords: list[str]
    synonym_map: list[SynonymMap] = []
    boolean_query: str


class SearchStrategy(BaseModel):
    queries: list[SearchQuery]
    sources: list[str]
    filters: SearchConstraints = Field(default_factory=SearchConstraints)


class UserFeedback(BaseModel):
    """What a reviewer says of the results; papers are named by their ids."""

    marked_relevant: list[str] = []
    marked_irrelevant: list[str] = []
    free_text_feedback: str | None = None


class QueryBuilderInput(BaseModel):
    intent: ParsedIntent
    previous_strategies: list[SearchStrategy] = []
    user_feedback: UserFeedback | None = None


class Author(BaseModel):
    name: str
    author_id: str | None = None


class RawPaper(BaseModel):
    """A paper as a source gave it; `raw_data` holds what only that source knows."""

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
    raw_data: dict[str, object] = {}


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


class Facets(BaseModel):
    by_year: dict[int, int] = {}
    by_venue: dict[str, int] = {}
    top_authors: list[str] = []
    key_themes: list[str] = []


class SearchMetadata(BaseModel):
    query: str
    search_strategy: SearchStrategy
    total_found: int = 0
    timestamp: str = Field(default_factory=utc_now)


class PaperCollection(BaseModel):
    metadata: SearchMetadata
    papers: list[Paper] = []
    facets: Facets = Field(default_factory=Facets)

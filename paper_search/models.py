"""The data of a literature search: intent, strategy, papers, the collection it results in, and its progress."""

from datetime import UTC, datetime
from enum import EnumType, StrEnum
from typing import Annotated, Any, Literal, Protocol
from uuid import uuid4

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator

from papercore import limits
from papercore.tool import CLEAN

Score = Annotated[float, Field(ge=0.0, le=1.0)]
# The bounds of whatever a caller may send or a session stores.
Year = Annotated[int, Field(ge=0, le=limits.LAST_YEAR)]
Keyword = Annotated[str, Field(max_length=limits.KEYWORD_CHARS), CLEAN]
Synonym = Annotated[str, Field(max_length=limits.SYNONYM_CHARS), CLEAN]
SourceName = Annotated[str, Field(max_length=limits.ID_CHARS), CLEAN]
Term = Annotated[str, Field(min_length=1, max_length=limits.SYNONYM_CHARS), CLEAN]
Terms = Annotated[list[Term], Field(max_length=limits.FILTER_TERMS)]
Note = Annotated[str, Field(max_length=limits.NOTE_CHARS), CLEAN]
Marks = Annotated[list[Annotated[str, Field(max_length=limits.MARK_CHARS), CLEAN]], Field(max_length=limits.MARKS)]
Language = Annotated[str, Field(max_length=limits.LANGUAGE_CHARS), CLEAN]
BooleanQuery = Annotated[str, Field(max_length=limits.BOOLEAN_CHARS), CLEAN]


def _is_empty(value: object) -> bool:
    """For fields that are left out where they say nothing."""
    return not value


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class EitherCase(EnumType):
    """Gives the members of an enum in capitals too, as the requirement writes them: `IntentType.SURVEY`."""

    def __getattr__(cls, name: str) -> Any:  # Any: a member of whichever enum it is
        if name.isupper() and name.lower() in cls.__members__:
            return cls.__members__[name.lower()]
        raise AttributeError(name)


class IntentType(StrEnum, metaclass=EitherCase):
    """What kind of answer the question asks for."""

    survey = "survey"
    method = "method"
    dataset = "dataset"
    baseline = "baseline"


class PaperTag(StrEnum, metaclass=EitherCase):
    """What kind of paper this is."""

    method = "method"
    review = "review"
    empirical = "empirical"
    theoretical = "theoretical"
    dataset = "dataset"
    thesis = "thesis"
    tutorial = "tutorial"
    shared_task = "shared_task"
    position = "position"
    replication = "replication"
    tool = "tool"


class SearchConstraints(BaseModel):
    """What papers must match; `kinds` are only preferred."""

    year_from: Year | None = None
    year_to: Year | None = None
    language: Language | None = Field(default=None, description="One of `languages`, for callers with one.")
    languages: list[Language] = Field(default=[], max_length=limits.FILTER_TERMS, exclude_if=_is_empty)
    max_results: int = Field(default=100, ge=1, le=limits.SEARCH_RESULTS)
    authors: Terms = Field(default=[], exclude_if=_is_empty, description="One of these people, by family or full name.")
    venues: Terms = Field(default=[], exclude_if=_is_empty, description="One of these conferences or journals.")
    kinds: list[PaperTag] = Field(
        default=[], max_length=limits.FILTER_TERMS, exclude_if=_is_empty, description="Ranked before others."
    )
    excluded: Terms = Field(default=[], exclude_if=_is_empty, description="No paper about one of these words.")
    excluded_authors: Terms = Field(default=[], exclude_if=_is_empty, description="No paper by one of these people.")
    excluded_kinds: list[PaperTag] = Field(default=[], max_length=limits.FILTER_TERMS, exclude_if=_is_empty)
    more_like: Terms = Field(default=[], exclude_if=_is_empty, description="Words that rank a paper higher.")
    less_like: Terms = Field(default=[], exclude_if=_is_empty, description="Words that rank a paper lower.")
    like_papers: Marks = Field(default=[], exclude_if=_is_empty, description="Ids: similar papers rank higher.")
    unlike_papers: Marks = Field(default=[], exclude_if=_is_empty, description="Ids: never shown again.")

    @property
    def language_codes(self) -> list[str]:
        """All languages asked for, in two letters and lower case."""
        named = (*self.languages, *([self.language] if self.language else []))
        return list(dict.fromkeys(code[:2].lower() for code in named if code))


class SynonymMap(BaseModel):
    keyword: Keyword
    synonyms: list[Synonym] = Field(default=[], max_length=limits.SYNONYMS)


class Reading(BaseModel):
    """What a text was taken to say, field by field; what of it was not understood stands there literally."""

    by: Literal["rules", "model", "plan"] = "rules"
    understood: dict[str, str | int | list[str]] = {}
    not_understood: list[str] = []


class ParsedIntent(BaseModel):
    """What a search looks for. `concepts` must all occur, the most telling first; `topic` only ranks."""

    topic: Keyword
    concepts: list[Keyword] = Field(default=[], max_length=limits.QUERY_KEYWORDS)
    intent_type: IntentType = IntentType.survey
    constraints: SearchConstraints = Field(default_factory=SearchConstraints)
    synonyms: list[SynonymMap] = Field(
        default=[],
        max_length=limits.QUERY_KEYWORDS,
        exclude_if=_is_empty,
        description="Other words for concepts, from whoever planned it.",
    )
    planned: bool = Field(
        default=False, exclude_if=_is_empty, description="Taken from a plan: no words are added to its concepts."
    )
    # Where a text was read; the workflow keeps it beside the intent.
    reading: Reading | None = Field(default=None, exclude=True)


class SearchQuery(BaseModel):
    keywords: list[Keyword] = Field(max_length=limits.QUERY_KEYWORDS)
    synonym_map: list[SynonymMap] = Field(default=[], max_length=limits.QUERY_KEYWORDS)
    boolean_query: BooleanQuery
    strict: bool = Field(default=False, description="Leave out papers that do not satisfy boolean_query.")
    by_concepts: bool = Field(
        default=False,
        exclude_if=_is_empty,
        description="Leave out papers without its concepts; the last are given up while too few papers have them all.",
    )


class SearchStrategy(BaseModel):
    queries: list[SearchQuery] = Field(max_length=limits.STRATEGY_QUERIES)
    sources: list[SourceName] = Field(max_length=limits.STRATEGY_SOURCES)
    filters: SearchConstraints = Field(default_factory=SearchConstraints)

    @model_validator(mode="after")
    def _check_size(self) -> "SearchStrategy":
        if len(self.model_dump_json(include={"queries"})) > limits.STRATEGY_CHARS:
            raise ValueError(f"the queries have more than {limits.STRATEGY_CHARS} characters in all")
        return self


class UserFeedback(BaseModel):
    """What a reviewer says of the results; papers are named by their ids."""

    marked_relevant: Marks = Field(default=[], validation_alias=AliasChoices("marked_relevant", "like"))
    marked_irrelevant: Marks = Field(default=[], validation_alias=AliasChoices("marked_irrelevant", "unlike"))
    marked_unsure: Marks = Field(default=[], validation_alias=AliasChoices("marked_unsure", "unsure"))
    prefer: Terms = Field(default=[], exclude_if=_is_empty, description="Words that rank a paper higher.")
    avoid: Terms = Field(default=[], exclude_if=_is_empty, description="Words that rank a paper lower.")
    drop: Terms = Field(default=[], exclude_if=_is_empty, description="Words that the next round must not use.")
    constraints: dict[str, object] | None = Field(
        default=None, exclude_if=_is_empty, description="Fields of the plan that change."
    )
    only_relevant: bool = Field(
        default=False, exclude_if=_is_empty, description="With approve: the result is the papers marked relevant alone."
    )
    follow_citations: bool = Field(
        default=False,
        exclude_if=_is_empty,
        description="Next come the papers that those marked relevant cite, and that cite them, instead of a search.",
    )
    free_text_feedback: Note | None = Field(
        default=None, validation_alias=AliasChoices("free_text_feedback", "note"), description="In words."
    )


class QueryBuilderInput(BaseModel):
    intent: ParsedIntent
    previous_strategies: list[SearchStrategy] = []
    user_feedback: UserFeedback | None = None


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
    keywords: list[str] = Field(default=[], exclude_if=_is_empty)
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
    keywords: list[str] = Field(default=[], exclude_if=_is_empty)


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
    error: str | None = Field(default=None, exclude_if=_is_empty)
    steps: list[str] = Field(
        default=[],
        description="The queries that were sent, from strict to loose, and their hits.",
    )
    ignored: list[str] = Field(default=[], description="Parts of the plan that nobody can check for this source.")
    checked_here: list[str] = Field(
        default=[],
        exclude_if=_is_empty,
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


def problems(error: ValidationError) -> str:
    """What pydantic found wrong, in one line that names the fields and repeats none of the values."""
    found = error.errors(include_url=False, include_input=False)[: limits.PROBLEMS]
    return "; ".join(f"{'.'.join(map(str, problem['loc']))[: limits.ID_CHARS]}: {problem['msg']}" for problem in found)

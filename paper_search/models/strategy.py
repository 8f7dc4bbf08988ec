"""What a search looks for: intent, constraints, queries and strategy, and what a reviewer says of its results."""

from enum import EnumType, StrEnum
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator

from papercore import limits
from papercore.tool import CLEAN

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


def is_empty(value: object) -> bool:
    """For fields that are left out where they say nothing."""
    return not value


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
    languages: list[Language] = Field(default=[], max_length=limits.FILTER_TERMS, exclude_if=is_empty)
    max_results: int = Field(default=100, ge=1, le=limits.SEARCH_RESULTS)
    authors: Terms = Field(default=[], exclude_if=is_empty, description="One of these people, by family or full name.")
    venues: Terms = Field(default=[], exclude_if=is_empty, description="One of these conferences or journals.")
    kinds: list[PaperTag] = Field(
        default=[], max_length=limits.FILTER_TERMS, exclude_if=is_empty, description="Ranked before others."
    )
    excluded: Terms = Field(default=[], exclude_if=is_empty, description="No paper about one of these words.")
    excluded_authors: Terms = Field(default=[], exclude_if=is_empty, description="No paper by one of these people.")
    excluded_kinds: list[PaperTag] = Field(default=[], max_length=limits.FILTER_TERMS, exclude_if=is_empty)
    more_like: Terms = Field(default=[], exclude_if=is_empty, description="Words that rank a paper higher.")
    less_like: Terms = Field(default=[], exclude_if=is_empty, description="Words that rank a paper lower.")
    like_papers: Marks = Field(default=[], exclude_if=is_empty, description="Ids: similar papers rank higher.")
    unlike_papers: Marks = Field(default=[], exclude_if=is_empty, description="Ids: never shown again.")

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
        exclude_if=is_empty,
        description="Other words for concepts, from whoever planned it.",
    )
    planned: bool = Field(
        default=False, exclude_if=is_empty, description="Taken from a plan: no words are added to its concepts."
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
        exclude_if=is_empty,
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
    prefer: Terms = Field(default=[], exclude_if=is_empty, description="Words that rank a paper higher.")
    avoid: Terms = Field(default=[], exclude_if=is_empty, description="Words that rank a paper lower.")
    drop: Terms = Field(default=[], exclude_if=is_empty, description="Words that the next round must not use.")
    constraints: dict[str, object] | None = Field(
        default=None, exclude_if=is_empty, description="Fields of the plan that change."
    )
    only_relevant: bool = Field(
        default=False, exclude_if=is_empty, description="With approve: the result is the papers marked relevant alone."
    )
    follow_citations: bool = Field(
        default=False,
        exclude_if=is_empty,
        description="Next come the papers that those marked relevant cite, and that cite them, instead of a search.",
    )
    free_text_feedback: Note | None = Field(
        default=None, validation_alias=AliasChoices("free_text_feedback", "note"), description="In words."
    )


class QueryBuilderInput(BaseModel):
    intent: ParsedIntent
    previous_strategies: list[SearchStrategy] = []
    user_feedback: UserFeedback | None = None


def problems(error: ValidationError) -> str:
    """What pydantic found wrong, in one line that names the fields and repeats none of the values."""
    found = error.errors(include_url=False, include_input=False)[: limits.PROBLEMS]
    return "; ".join(f"{'.'.join(map(str, problem['loc']))[: limits.ID_CHARS]}: {problem['msg']}" for problem in found)

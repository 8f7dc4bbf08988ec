"""The plan of a search: what whoever asks has thought out, field by field, instead of a text that must be guessed."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from paper_search.config import ALIASES, AppConfig
from paper_search.models import (
    IntentType,
    Keyword,
    Language,
    PaperTag,
    ParsedIntent,
    Reading,
    SearchConstraints,
    SourceName,
    SynonymMap,
    Term,
    Terms,
    Year,
    problems,
)
from papercore import limits
from papercore.errors import InvalidInput

# Other names of the kinds of papers.
KIND_NAMES = {
    "survey": PaperTag.review,
    "overview": PaperTag.review,
    "corpus": PaperTag.dataset,
    "benchmark": PaperTag.dataset,
    "dissertation": PaperTag.thesis,
    "comparison": PaperTag.empirical,
    "experiment": PaperTag.empirical,
    "theory": PaperTag.theoretical,
    "software": PaperTag.tool,
}


def kind_of(name: object) -> object:
    """The kind of paper that a name stands for, as in `surveys` or `position paper`; other values as they are."""
    if not isinstance(name, str):
        return name
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    plain = plain.removesuffix("_paper").removesuffix("_study")
    return KIND_NAMES.get(plain, KIND_NAMES.get(plain.removesuffix("s"), plain))


Kinds = Annotated[
    list[Annotated[PaperTag, BeforeValidator(kind_of)]],
    Field(max_length=limits.FILTER_TERMS),
]
Concept = Annotated[list[Term], Field(min_length=1, max_length=limits.SYNONYMS + 1)]
# The kind of answer by the kind of paper asked for; a bare topic asks for methods, the most common kind.
_INTENTS = {
    PaperTag.review: IntentType.survey,
    PaperTag.dataset: IntentType.dataset,
    PaperTag.empirical: IntentType.baseline,
}


class InvalidPlan(InvalidInput):
    code = "invalid_plan"


class SearchPlan(BaseModel):
    """What to look for: every concept must occur, by its term or a synonym, the most telling concept first."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    topic: Keyword = Field(default="", description="Words to rank by; by default the concepts'.")
    concepts: list[Concept] = Field(
        default=[],
        max_length=limits.QUERY_KEYWORDS,
        description="A term, then its synonyms; most telling concept first.",
    )
    not_: Terms = Field(default=[], alias="not", description="No paper about these.")
    authors: Terms = Field(default=[], description="By one of these.")
    not_authors: Terms = []
    venues: Terms = Field(default=[], description="At one of these.")
    kinds: Kinds = Field(default=[], description="Ranked first.")
    not_kinds: Kinds = []
    year_from: Year | None = None
    year_to: Year | None = None
    languages: list[Language] = Field(default=[], max_length=limits.FILTER_TERMS, description="Codes.")
    prefer: Terms = Field(default=[], description="Words that rank a paper higher.")
    avoid: Terms = Field(default=[], description="Words that rank a paper lower.")
    sources: list[SourceName] = Field(default=[], max_length=limits.STRATEGY_SOURCES, description="Default: all.")
    max_results: int | None = Field(default=None, ge=1, le=limits.SEARCH_RESULTS)

    @classmethod
    def of(cls, intent: ParsedIntent, sources: list[str]) -> "SearchPlan":
        """The plan that an intent amounts to."""
        known, filters = {item.keyword: item.synonyms for item in intent.synonyms}, intent.constraints
        return cls.model_construct(
            topic=intent.topic,
            concepts=[[concept, *known.get(concept, [])] for concept in intent.concepts],
            not_=filters.excluded,
            authors=filters.authors,
            not_authors=filters.excluded_authors,
            venues=filters.venues,
            kinds=filters.kinds,
            not_kinds=filters.excluded_kinds,
            year_from=filters.year_from,
            year_to=filters.year_to,
            languages=filters.language_codes,
            prefer=filters.more_like,
            avoid=filters.less_like,
            sources=list(sources),
            max_results=filters.max_results,
        )

    def intent(self, max_results: int = 100, before: SearchConstraints | None = None) -> ParsedIntent:
        """The intent that the plan states; marked papers stay as `before` has them."""
        kept = {name: getattr(before, name) for name in ("like_papers", "unlike_papers") if before}
        return ParsedIntent(
            topic=self.topic or " ".join(concept[0] for concept in self.concepts)[: limits.KEYWORD_CHARS],
            concepts=[concept[0] for concept in self.concepts],
            synonyms=[SynonymMap(keyword=first, synonyms=others) for first, *others in self.concepts if others],
            intent_type=intent_type(self.kinds),
            planned=bool(self.concepts),
            constraints=SearchConstraints(
                year_from=self.year_from,
                year_to=self.year_to,
                languages=self.languages,
                max_results=self.max_results or max_results,
                authors=self.authors,
                venues=self.venues,
                kinds=self.kinds,
                excluded=self.not_,
                excluded_authors=self.not_authors,
                excluded_kinds=self.not_kinds,
                more_like=self.prefer,
                less_like=self.avoid,
                **kept,
            ),
        )

    @property
    def says_something(self) -> bool:
        return bool(self.topic.strip() or self.concepts or self.authors or self.venues)

    def reading(self, by: str = "plan") -> Reading:
        return Reading.model_validate({"by": by, "understood": self.filled()})

    def filled(self) -> dict[str, Any]:  # Any: JSON
        """The fields that say something."""
        given = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        found = {name: value for name, value in given.items() if value}
        if "concepts" in found:
            found["concepts"] = [" OR ".join(concept) for concept in self.concepts]
        return found


def read_plan(given: object) -> SearchPlan:
    """A plan from what a caller sent; InvalidPlan names the fields that are wrong."""
    try:
        plan = SearchPlan.model_validate(given)
    except ValidationError as error:
        raise InvalidPlan(f"The plan cannot be used: {problems(error)}") from None
    if not plan.says_something:
        raise InvalidPlan("The plan is empty: give concepts, a topic, authors or venues.")
    if plan.year_from and plan.year_to and plan.year_from > plan.year_to:
        raise InvalidPlan("year_from: it is after year_to.")
    if both := preferred_and_avoided(plan.prefer, plan.avoid):
        raise InvalidPlan(both)
    return plan


def preferred_and_avoided(prefer: Sequence[str], avoid: Sequence[str]) -> str:
    """What to say of terms that shall rank a paper higher and lower at once; nothing if there is none."""
    avoided = {term.strip().lower() for term in avoid}
    both = [term for term in prefer if term.strip().lower() in avoided]
    return f"prefer and avoid: {', '.join(both)} cannot be in both; keep one." if both else ""


def plan_for(given: SearchPlan | Mapping[str, object], config: AppConfig) -> SearchPlan:
    """The plan of a search as it is configured, of its sources; a plan that says how many papers says fewer."""
    plan = read_plan(given.model_dump(by_alias=True) if isinstance(given, SearchPlan) else given)
    check_sources(plan, [source.name for source in config.enabled_sources()])
    max_results = config.default_max_results
    return plan.model_copy(update={"max_results": min(plan.max_results or max_results, max_results)})


def check_sources(plan: SearchPlan, offered: Sequence[str]) -> None:
    """InvalidPlan if it names a source that cannot be asked."""
    if unknown := [name for name in plan.sources if ALIASES.get(name, name) not in offered]:
        raise InvalidPlan(f"sources: {', '.join(unknown)} cannot be asked here; there are {', '.join(offered)}.")


def changed_plan(plan: SearchPlan, changes: Mapping[str, object]) -> SearchPlan:
    """The plan with the fields that were sent; the others stay."""
    return read_plan({**plan.model_dump(mode="json", by_alias=True), **changes})


def intent_type(kinds: list[PaperTag]) -> IntentType:
    return next((_INTENTS[kind] for kind in kinds if kind in _INTENTS), IntentType.method)

"""Skills that refine the rules they wrap by a language model, and fall back on them."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from paper_search.llm import LLM, usable_items
from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    Score,
    ScoredPaper,
    SearchQuery,
    SearchStrategy,
    SynonymMap,
)
from paper_search.plan import Concept, SearchPlan
from paper_search.queries import all_of
from paper_search.skills import IntentParser, QueryBuilder, RelevanceScorer

# The model reads the papers that the rules rank highest; the others keep their scores.
JUDGED_PAPERS = 20
ABSTRACT_CHARS = 800


class PlanAnswer(SearchPlan):
    """A plan as a model fills it: what cannot be used of it is left out."""

    model_config = ConfigDict(extra="ignore")

    concepts: Annotated[
        list[Concept],
        usable_items(Concept, 8),
        BeforeValidator(lambda given: [[item] if isinstance(item, str) else item for item in given]),
    ] = Field(default=[], max_length=8)


class QueryAnswer(BaseModel):
    """One query: concepts that must all occur, each with words for the same thing."""

    concepts: Annotated[list[SynonymMap], usable_items(SynonymMap, 6)] = Field(min_length=1, max_length=6)


class QueriesAnswer(BaseModel):
    queries: Annotated[list[QueryAnswer], usable_items(QueryAnswer, 4)] = Field(min_length=1, max_length=4)


class PaperJudgement(BaseModel):
    number: int
    # A score over 1 is meant as 1.
    score: Annotated[
        Score, BeforeValidator(lambda given: min(1.0, max(0.0, given)) if isinstance(given, int | float) else given)
    ]
    reason: Annotated[str, AfterValidator(lambda text: text[:300])] = ""


class JudgementsAnswer(BaseModel):
    judgements: Annotated[list[PaperJudgement], usable_items(PaperJudgement, JUDGED_PAPERS)]


class RefinedIntentParser:
    """The model fills the plan; the rules read the question where it fails."""

    def __init__(self, rules: IntentParser, llm: LLM, max_results: int = 100) -> None:
        self.rules = rules
        self.llm = llm
        self.max_results = max_results

    async def parse(self, text: str) -> ParsedIntent:
        prompt = (
            f"Fill a plan for this literature search; now is {datetime.now(UTC).year}. Leave empty what it does not "
            "say. Two to four concepts, the most telling first, each a term with synonyms; years, names, venues and "
            f"kinds in their own fields only.\n\n{text}"
        )
        by_rules, plan = await self.rules.parse(text), await self.llm.ask("Intent", prompt, PlanAnswer)
        if plan is None or not plan.says_something:
            return by_rules
        limited = min(plan.max_results or self.max_results, self.max_results)
        planned = plan.model_copy(update={"max_results": limited, "sources": []})
        if not plan.year_from and not plan.year_to:
            filters = by_rules.constraints
            planned = planned.model_copy(update={"year_from": filters.year_from, "year_to": filters.year_to})
        return planned.intent().model_copy(update={"reading": planned.reading("model")})


class RefinedQueryBuilder:
    def __init__(self, rules: QueryBuilder, llm: LLM) -> None:
        self.rules = rules
        self.llm = llm

    async def build(self, data: QueryBuilderInput) -> SearchStrategy:
        """The first query of the rules' strategy, then the model's."""
        strategy = await self.rules.build(data)
        prompt = "Write search queries for this literature search.\n\n" + data.model_dump_json(exclude_none=True)
        answer = await self.llm.ask("Queries", prompt, QueriesAnswer)
        if answer is None:
            return strategy
        added = [
            SearchQuery(
                keywords=[concept.keyword for concept in query.concepts],
                synonym_map=[concept for concept in query.concepts if concept.synonyms],
                boolean_query=all_of(
                    [[concept.keyword, *concept.synonyms] for concept in query.concepts], strategy.filters.excluded
                ),
            )
            for query in answer.queries
        ]
        return strategy.model_copy(update={"queries": [strategy.queries[0], *added]})


class RefinedRelevanceScorer:
    def __init__(self, rules: RelevanceScorer, llm: LLM) -> None:
        self.rules = rules
        self.llm = llm

    async def score(self, papers: list[RawPaper], intent: ParsedIntent) -> list[ScoredPaper]:
        """The model judges the best papers; its score and the rules' count half each."""
        scored = sorted(await self.rules.score(papers, intent), key=lambda item: -item.relevance_score)
        if not scored:
            return scored
        papers = [item.paper for item in scored[:JUDGED_PAPERS]]
        listed = (
            f"{number}. {paper.title} ({paper.year or 'n.d.'})\n{(paper.abstract or '')[:ABSTRACT_CHARS]}"
            for number, paper in enumerate(papers, 1)
        )
        prompt = (
            f"How well does each paper answer the question “{intent.topic}”? Score from 0 to 1, "
            "with a reason of one short sentence.\n\n" + "\n\n".join(listed)
        )
        answer = await self.llm.ask("Scores", prompt, JudgementsAnswer)
        for judgement in answer.judgements if answer else []:
            if 1 <= judgement.number <= min(JUDGED_PAPERS, len(scored)):
                item = scored[judgement.number - 1]
                item.relevance_score = round((item.relevance_score + judgement.score) / 2, 4)
                item.relevance_reason = judgement.reason or item.relevance_reason
        return scored

"""Skills that refine the rules they wrap by a language model, and fall back on them."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from paper_search.llm import LLM, usable_items
from paper_search.models import (
    IntentType,
    Keyword,
    ParsedIntent,
    QueryBuilderInput,
    RawPaper,
    Score,
    ScoredPaper,
    SearchQuery,
    SearchStrategy,
    SynonymMap,
)
from paper_search.queries import all_of
from paper_search.skills.interfaces import IntentParser, QueryBuilder, RelevanceScorer

# The model reads the papers that the rules rank highest; the others keep their scores.
JUDGED_PAPERS = 20
ABSTRACT_CHARS = 800


def _within_bounds(value: object) -> object:
    """A score over 1 is meant as 1."""
    return min(1.0, max(0.0, value)) if isinstance(value, int | float) else value


class IntentAnswer(BaseModel):
    topic: str = Field(min_length=1, max_length=500)
    concepts: Annotated[list[Keyword], usable_items(Keyword, 8)] = Field(min_length=1, max_length=8)
    intent_type: IntentType


class QueryAnswer(BaseModel):
    """One query: concepts that must all occur, each with words for the same thing."""

    concepts: Annotated[list[SynonymMap], usable_items(SynonymMap, 6)] = Field(min_length=1, max_length=6)


class QueriesAnswer(BaseModel):
    queries: Annotated[list[QueryAnswer], usable_items(QueryAnswer, 4)] = Field(min_length=1, max_length=4)


class Judgement(BaseModel):
    number: int
    score: Annotated[Score, BeforeValidator(_within_bounds)]
    reason: Annotated[str, AfterValidator(lambda text: text[:300])] = ""


class JudgementsAnswer(BaseModel):
    judgements: Annotated[list[Judgement], usable_items(Judgement, JUDGED_PAPERS)]


class RefinedIntentParser:
    def __init__(self, rules: IntentParser, llm: LLM) -> None:
        self.rules = rules
        self.llm = llm

    async def parse(self, text: str) -> ParsedIntent:
        """Topic, concepts and kind by the model; years and limits always by the rules."""
        intent = await self.rules.parse(text)
        prompt = f"What does this literature search ask for? Leave years out of topic and concepts.\n\n{text}"
        answer = await self.llm.ask("Intent", prompt, IntentAnswer)
        if answer is None:
            return intent
        return intent.model_copy(update=dict(answer))


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
        added = [_query(item, strategy.filters.excluded) for item in answer.queries]
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
        answer = await self.llm.ask("Scores", _judging_prompt(scored[:JUDGED_PAPERS], intent), JudgementsAnswer)
        for judgement in answer.judgements if answer else []:
            if 1 <= judgement.number <= min(JUDGED_PAPERS, len(scored)):
                item = scored[judgement.number - 1]
                item.relevance_score = round((item.relevance_score + judgement.score) / 2, 4)
                item.relevance_reason = judgement.reason or item.relevance_reason
        return scored


def _query(answer: QueryAnswer, excluded: list[str]) -> SearchQuery:
    groups = [[item.keyword, *item.synonyms] for item in answer.concepts]
    return SearchQuery(
        keywords=[item.keyword for item in answer.concepts],
        synonym_map=[item for item in answer.concepts if item.synonyms],
        boolean_query=all_of(groups, excluded),
    )


def _judging_prompt(scored: list[ScoredPaper], intent: ParsedIntent) -> str:
    papers = "\n\n".join(
        f"{number}. {item.paper.title} ({item.paper.year or 'n.d.'})\n{(item.paper.abstract or '')[:ABSTRACT_CHARS]}"
        for number, item in enumerate(scored, 1)
    )
    return (
        f"How well does each paper answer the question “{intent.topic}”? Score from 0 to 1, "
        f"with a reason of one short sentence.\n\n{papers}"
    )

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
from paper_search.skills import IntentParser, QueryBuilder, RelevanceScorer

# The model reads the papers that the rules rank highest; the others keep their scores.
JUDGED_PAPERS = 20
ABSTRACT_CHARS = 800


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
    # A score over 1 is meant as 1.
    score: Annotated[
        Score, BeforeValidator(lambda given: min(1.0, max(0.0, given)) if isinstance(given, int | float) else given)
    ]
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

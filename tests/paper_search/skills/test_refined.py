"""Skills that a language model refines."""

import asyncio

from paper_search.config import LLMConfig
from paper_search.domains import DOMAINS
from paper_search.llm import LLM
from paper_search.skills.refined import RefinedRelevanceScorer
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from tests.paper_search.http_server import Answer, serving
from tests.paper_search.samples import parse


def test_a_model_is_not_asked_to_judge_nothing() -> None:
    with serving(Answer()) as service:
        llm = LLM(LLMConfig(provider="openai", model="m", base_url=service.address), notices=[])
        scorer = RefinedRelevanceScorer(RuleRelevanceScorer(DOMAINS["general"], 2026), llm)
        assert asyncio.run(scorer.score([], parse("graphs"))) == []
    assert service.asked == []

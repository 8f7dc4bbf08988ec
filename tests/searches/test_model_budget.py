"""The day's ceiling of calls and tokens, in the default database."""

import asyncio

import pytest
from pydantic import BaseModel
from pytest_django import Settings

from paper_search.config import LLMConfig
from paper_search.llm import ModelFailed, ask_model
from searches.model_budget import DailyBudget
from searches.models import ModelUsage
from tests.paper_search.http_server import Answer, serving
from tests.paper_search.test_llm import anthropic

pytestmark = pytest.mark.usefixtures("database")


class Greeting(BaseModel):
    word: str


def test_calls_end_with_the_day_s_ceiling(settings: Settings) -> None:
    settings.MODEL_CALLS_A_DAY = 2
    DailyBudget().take(10)
    DailyBudget().take(10)
    with pytest.raises(ModelFailed, match="of the day are used up"):
        DailyBudget().take(10)
    assert ModelUsage.objects.get().calls == 2


def test_tokens_that_may_be_used_count_until_they_are_given_back(settings: Settings) -> None:
    settings.MODEL_TOKENS_A_DAY = 100
    budget = DailyBudget()
    budget.take(80)
    with pytest.raises(ModelFailed, match="of the day are used up"):
        DailyBudget().take(30)
    budget.give_back(70)
    DailyBudget().take(30)
    assert ModelUsage.objects.get().tokens == 40


def test_no_ceiling_is_zero(settings: Settings) -> None:
    settings.MODEL_CALLS_A_DAY = settings.MODEL_TOKENS_A_DAY = 0
    DailyBudget().take(10**9)


def test_an_answer_costs_what_the_model_says_and_is_bounded() -> None:
    with serving(anthropic({"word": "hello"})) as service:
        config = LLMConfig(provider="anthropic", model="m", base_url=service.address, max_tokens=77)
        asyncio.run(ask_model(config, "", "greet", Greeting, budget=DailyBudget()))
    assert '"max_tokens":77' in service.asked[0].body.replace(" ", "")
    assert (ModelUsage.objects.get().calls, ModelUsage.objects.get().tokens) == (1, 2)


def test_each_attempt_is_a_call(settings: Settings) -> None:
    settings.MODEL_CALLS_A_DAY = 3
    failed = Answer(status=503)
    with serving(failed, anthropic({"word": "hello"}), failed) as service:
        config = LLMConfig(provider="anthropic", model="m", base_url=service.address, max_tokens=77)
        asyncio.run(ask_model(config, "", "greet", Greeting, budget=DailyBudget()))
        assert ModelUsage.objects.get().calls == 2
        with pytest.raises(ModelFailed, match="of the day are used up"):
            asyncio.run(ask_model(config, "", "greet", Greeting, budget=DailyBudget()))
    assert (len(service.asked), ModelUsage.objects.get().calls) == (3, 3)

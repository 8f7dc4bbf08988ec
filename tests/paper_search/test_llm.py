"""A language model refines the rules; whatever it does wrong, the rules carry on and the session says so."""

import asyncio
import json
from pathlib import Path

import pytest

from paper_search.config import AppConfig, LLMConfig
from paper_search.models import PaperCollection
from paper_search.workflow import SearchWorkflow
from tests.paper_search.http_server import Answer, Service, serving

INTENT = {"topic": "attention in transformers", "concepts": ["attention", "transformer"], "intent_type": "survey"}
QUERIES = {"queries": [{"concepts": [{"keyword": "self-attention", "synonyms": ["transformer"]}]}]}
SCORES = {
    "judgements": [{"number": 1, "score": 1.0, "reason": "Exactly this."}, {"number": 99, "score": 1, "reason": ""}]
}


def openai(data: object) -> Answer:
    text = data if isinstance(data, str) else f"Here you are:\n```json\n{json.dumps(data)}\n```"
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return Answer({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})


def anthropic(data: object) -> Answer:
    content = [{"type": "text", "text": json.dumps(data)}]
    usage = {"input_tokens": 1, "output_tokens": 1}
    return Answer(
        {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": content, "usage": usage,
         "stop_reason": "end_turn", "stop_sequence": None}
    )  # fmt: skip


def search(service: Service, provider: str, library: Path, timeout: float = 5) -> tuple[PaperCollection, list[str]]:
    base = service.address + ("/v1" if provider == "openai" else "")
    llm = LLMConfig.model_validate(
        {"provider": provider, "model": "m", "api_key": "key", "base_url": base, "timeout": timeout}
    )
    workflow = SearchWorkflow.from_config(AppConfig(snapshot=library, llm=llm))
    result = asyncio.run(workflow.run("attention since 2015"))
    assert workflow.state is not None
    return result, workflow.state.notices


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_model_refines_intent_queries_and_scores(provider: str, library: Path) -> None:
    answer = openai if provider == "openai" else anthropic
    with serving(answer(INTENT), answer(QUERIES), answer(SCORES)) as service:
        result, notices = search(service, provider, library)
    assert notices == []
    strategy = result.metadata.search_strategy
    assert strategy.filters.year_from == 2015
    assert strategy.queries[1].boolean_query == "(self-attention OR transformer)"
    assert result.papers[0].relevance_reason == "Exactly this."
    assert [asked.path for asked in service.asked] == [service.asked[0].path] * 3
    assert "key" in service.asked[0].headers.get("authorization", "") + service.asked[0].headers.get("x-api-key", "")


def test_what_is_usable_of_an_answer_is_used(library: Path) -> None:
    intent = (
        f"<think>Is {{this}} a survey?</think>Sure: {json.dumps({**INTENT, 'concepts': list('abcdefghi')})} Bye {{}}"
    )
    scores = {"judgements": [{"number": 1, "score": 1.7, "reason": "x" * 400}, {"score": "high"}, None]}
    with serving(openai(intent), openai(QUERIES), openai(scores)) as service:
        result, notices = search(service, "openai", library)
    assert notices == [
        "Intent: parts of the language model's answer were left out (1).",
        "Scores: parts of the language model's answer were left out (2).",
    ]
    assert result.papers[0].relevance_reason == "x" * 300


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (openai("I am sorry."), "its answer was not usable"),
        (openai({"topic": 3}), "its answer was not usable"),
        (Answer({"error": {"message": "secret text"}}, 500), "it answered 500"),
        (Answer("<html>", 200), "its answer was not usable"),
        (Answer({"choices": []}), "its answer was not usable"),
        (Answer({"choices": [{}]}), "its answer was not usable"),
        (Answer("", 401), "it answered 401"),
    ],
)
def test_a_model_that_fails_leaves_the_work_to_the_rules(answer: Answer, why: str, library: Path) -> None:
    with serving(answer) as service:
        result, notices = search(service, "openai", library)
    assert result.papers[0].title == "Attention Is All You Need"
    assert [notice.partition(":")[0] for notice in notices] == ["Intent", "Queries", "Scores"]
    assert all(why in notice and "rules were" in notice for notice in notices)


def test_a_model_that_is_silent_times_out(library: Path) -> None:
    """The SDKs try again; the time is one for all attempts."""
    with serving(Answer(hang=True)) as service:
        result, notices = search(service, "anthropic", library, timeout=0.05)
    assert result.papers
    assert all("it timed out" in notice for notice in notices)

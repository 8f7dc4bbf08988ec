"""Which queries a question and its feedback become."""

import asyncio

from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    SearchQuery,
)
from paper_search.plan import SearchPlan
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.thesaurus import Thesaurus
from tests.paper_search.samples import parse, strategy

KEYWORDS = ["gnn", "graph neural network", "graph-neural-networks", "image segmentation", "support vector machine"]


def build_from(intent: ParsedIntent, attempts: int = 0) -> list[SearchQuery]:
    builder = RuleQueryBuilder(["snapshot"], Thesaurus(lambda: KEYWORDS, lambda *phrases: []))
    data = QueryBuilderInput(intent=intent, previous_strategies=[strategy()] * attempts)
    return asyncio.run(builder.build(data)).queries


def build(text: str, attempts: int = 0) -> list[str]:
    return [query.boolean_query for query in build_from(parse(text), attempts)]


def planned(*concepts: list[str]) -> ParsedIntent:
    return SearchPlan(concepts=list(concepts)).intent()


def test_words_of_a_question_are_wanted_but_none_is_required() -> None:
    assert build("graph neural networks for molecules") == ["(graph OR neural OR networks OR molecules)"]
    assert build("graph neural networks") == ["(graph OR neural OR networks OR gnn)"]


def test_a_quoted_phrase_is_required() -> None:
    assert build('"image segmentation" of cells') == ['"image segmentation"']


def test_a_plan_is_asked_for_as_it_stands() -> None:
    intent = planned(["graph neural networks", "message passing"], ["molecules"])
    (query,) = build_from(intent)
    assert query.boolean_query == '("graph neural networks" OR "message passing") AND molecules'


def test_learned_words_have_a_query_of_their_own() -> None:
    intent = planned(["batteries"], ["safety"])
    intent.constraints.more_like = ["anodes", "lithium"]
    assert [query.boolean_query for query in build_from(intent)] == [
        "batteries AND safety",
        "batteries AND (anodes OR lithium)",
    ]


def test_a_further_attempt_drops_the_last_concepts_down_to_the_topic() -> None:
    intent = planned(["alpha beta"], ["gamma"], ["delta"])
    assert build_from(intent, attempts=1)[-1].boolean_query == '"alpha beta" AND gamma'
    assert build_from(intent, attempts=4)[-1].boolean_query == '"alpha beta"'

"""Which queries a question and its feedback become."""

import asyncio

from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    SearchQuery,
)
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


def test_the_question_is_searched_with_synonyms() -> None:
    assert build("graph neural networks for molecules") == ['("graph neural networks" OR gnn) AND molecules']


def test_exclusions_and_learned_words_are_in_the_queries() -> None:
    intent = parse("batteries without sodium")
    intent.constraints.more_like = ["anodes", "lithium"]
    queries = [query.boolean_query for query in build_from(intent)]
    assert queries[0] == "batteries NOT sodium"
    assert queries[1] == "batteries AND (anodes OR lithium) NOT sodium"


def test_a_further_attempt_is_broader() -> None:
    assert build("alpha beta for gamma delta", attempts=1) == ['"alpha beta" AND "gamma delta"']
    assert build("alpha beta for gamma delta", attempts=2)[-1] == '"alpha beta"'


def test_the_question_itself_stays_first_where_a_broader_attempt_is_the_same() -> None:
    intent = parse("alpha beta for gamma delta")
    intent.constraints.more_like = ["epsilon"]
    queries = build_from(intent, attempts=1)
    assert [query.keywords for query in queries] == [[intent.topic], ["alpha beta", "gamma delta", "epsilon"]]

"""Which queries a question and its feedback become."""

import asyncio

from paper_search.models import (
    QueryBuilderInput,
    UserFeedback,
)
from paper_search.skills.query_builder import RuleQueryBuilder, read_feedback
from paper_search.skills.thesaurus import Thesaurus
from tests.paper_search.samples import parse, strategy

KEYWORDS = ["gnn", "graph neural network", "graph-neural-networks", "image segmentation", "support vector machine"]


def build(text: str, feedback: UserFeedback | None = None, attempts: int = 0) -> list[str]:
    builder = RuleQueryBuilder(["snapshot"], Thesaurus(lambda: KEYWORDS))
    data = QueryBuilderInput(intent=parse(text), previous_strategies=[strategy()] * attempts, user_feedback=feedback)
    return [query.boolean_query for query in asyncio.run(builder.build(data)).queries]


def test_the_question_is_searched_first_and_then_with_synonyms() -> None:
    queries = build("graph neural networks for molecules")
    assert queries[0] == '("graph neural networks" OR gnn) AND molecules'
    assert queries[1] == "gnn AND molecules"


def test_feedback_narrows_and_excludes() -> None:
    queries = build("batteries", UserFeedback(free_text_feedback="More on anodes, but no sodium or zinc please"))
    assert queries[0] == "batteries NOT sodium NOT zinc"
    assert queries[1] == "batteries AND anodes NOT sodium NOT zinc"
    assert read_feedback(None) == ([], [])


def test_a_further_attempt_is_broader() -> None:
    assert build("alpha beta for gamma delta", attempts=1)[-1] == '"alpha beta" AND "gamma delta"'
    assert build("alpha beta for gamma delta", attempts=2)[-1] == '"alpha beta"'

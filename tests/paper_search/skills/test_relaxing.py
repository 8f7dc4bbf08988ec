"""Looser forms of a query."""

from paper_search.models import SearchQuery
from paper_search.skills.relaxing import steps


def texts(boolean_query: str, strict: bool = False) -> list[str]:
    query = SearchQuery(keywords=["x"], boolean_query=boolean_query, strict=strict)
    return [step.boolean_query for step in steps(query)]


def test_each_step_asks_for_less() -> None:
    assert texts('("graph networks" OR gnn) AND molecules AND toxicity NOT sodium') == [
        '("graph networks" OR gnn) AND molecules AND toxicity NOT sodium',
        "((graph AND networks) OR gnn) AND molecules AND toxicity NOT sodium",
        "((graph AND networks) OR gnn) AND molecules NOT sodium",
        "(((graph AND networks) OR gnn) OR molecules OR toxicity) NOT sodium",
    ]


def test_a_single_word_has_one_step_and_an_edited_query_is_not_relaxed() -> None:
    assert texts("graphs NOT trees") == ["graphs NOT trees"]
    assert texts('"graph networks" AND molecules', strict=True) == ['"graph networks" AND molecules']


def test_odd_brackets_and_operators_do_no_harm() -> None:
    assert texts("AND") == ["AND"]
    assert texts(") AND ((")[0] == ") AND (("

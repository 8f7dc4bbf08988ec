"""What a question asks for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.models import (
    IntentType,
    PaperTag,
    SearchConstraints,
)
from tests.paper_search.samples import parse


def test_years_in_a_pasted_text_are_not_meant() -> None:
    assert parse("graphs of the past decade " + "and many other words " * 20).constraints == SearchConstraints()


def test_a_question_becomes_an_intent() -> None:
    intent = parse('perovskite solar cells and "tandem devices", 2015-2020, no surveys, excluding lead')
    assert intent.topic == 'perovskite solar cells and "tandem devices"'
    assert intent.concepts == ["tandem devices"]
    assert intent.constraints == SearchConstraints(
        year_from=2015, year_to=2020, excluded=["lead"], excluded_kinds=[PaperTag.review]
    )
    assert intent.reading is not None
    assert intent.reading.understood["not"] == ["lead"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a survey of graph networks", IntentType.survey),
        ("datasets for question answering", IntentType.dataset),
        ("comparisons of BERT and GPT", IntentType.baseline),
        ("graph networks", IntentType.method),
    ],
)
def test_the_kind_of_answer_is_read(text: str, kind: IntentType) -> None:
    assert parse(text).intent_type is kind


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_question(text: str) -> None:
    intent = parse(text)
    assert all(concept.strip() for concept in intent.concepts)


@pytest.mark.parametrize("start", ["without ", "by ", "-", "not ", "ohne "])
def test_absurdly_long_names_stay_within_the_limits(start: str) -> None:
    filters = parse(start + "X" + "a" * 499).constraints
    assert all(len(term) <= 100 for term in (*filters.excluded, *filters.authors))
    assert len(parse("excluding " + ", ".join(f"a{number}" for number in range(29))).constraints.excluded) <= 30

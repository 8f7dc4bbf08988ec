"""The plan as fields of a form, whichever form they were written into."""

import pytest

from paper_search.plan import SearchPlan
from paper_search.workflow.errors import InvalidDecision
from searches.forms import PlanForm, TypedPlan, plan_fields

PLANNED = SearchPlan.model_validate(
    {
        "topic": "ozone layer",
        "concepts": [["ozone", "O3"], ["layer"]],
        "not": ["smog"],
        "year_from": 1990,
        "languages": ["zh"],
        "sources": ["snapshot"],
        "max_results": 40,
    }
)


def test_the_form_holds_the_plan() -> None:
    form = PlanForm(PLANNED)
    assert (form.topic, form.concepts, form.language) == ("ozone layer", "ozone, O3\nlayer", "zh")
    assert {field.name: field.value for field in form.words}["not"] == "smog"
    assert [source.name for source in form.sources if source.chosen] == ["snapshot"]


def test_only_what_was_filled_in_is_sent() -> None:
    assert plan_fields(TypedPlan()) == {}
    typed = TypedPlan(concepts=" ozone ,O3\n\nstratosphere", year_to="2000", language="", words={"authors": "Molina, "})
    assert plan_fields(typed) == {
        "concepts": [["ozone", "O3"], ["stratosphere"]],
        "year_to": 2000,
        "languages": [],
        "authors": ["Molina"],
    }


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        (TypedPlan(sources=[]), "Sources"),
        (TypedPlan(year_from="soon"), "From year"),
        (TypedPlan(language="German"), "Language"),
        (TypedPlan(concepts=", ".join("abcdefghijkl")), "Concepts"),
    ],
)
def test_an_edit_that_cannot_be_used_names_its_field(typed: TypedPlan, field: str) -> None:
    with pytest.raises(InvalidDecision, match=field):
        plan_fields(typed)


def test_what_was_typed_is_shown_again() -> None:
    form = PlanForm(PLANNED, TypedPlan(concepts="x", sources=[], language="", words={"authors": "Molina"}))
    assert (form.concepts, form.language) == ("x", "")
    assert {field.name: field.value for field in form.words}["authors"] == "Molina"

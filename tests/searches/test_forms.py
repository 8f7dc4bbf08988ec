"""Edits of a strategy as plain data, whichever form they were written into."""

import pytest

from paper_search.models import SearchConstraints, SearchQuery, SearchStrategy, SynonymMap
from paper_search.workflow.errors import InvalidDecision
from searches.forms import StrategyForm, TypedStrategy, edited_strategy

PLANNED = SearchStrategy(
    queries=[
        SearchQuery(
            keywords=["ozone", "layer"],
            boolean_query='"ozone layer"',
            synonym_map=[SynonymMap(keyword="ozone", synonyms=["O3"])],
        )
    ],
    sources=["snapshot"],
    filters=SearchConstraints(year_from=1990, max_results=40, language="zh-TW", excluded=["smog"]),
)


def test_what_nobody_edited_stays_as_planned() -> None:
    form = StrategyForm(PLANNED)
    assert edited_strategy(PLANNED, TypedStrategy(form.terms, PLANNED.sources, year_from="1990")) == PLANNED


def test_edits_replace_what_they_name() -> None:
    edits = TypedStrategy(
        "ozone layer\nstratosphere",
        ["arxiv"],
        year_to="2020",
        language="DE",
        words={"excluded": "smog, , haze"},
        boolean_queries={1: " ozone  AND layer "},
        synonyms={1: "layer: shield"},
    )
    edited = edited_strategy(PLANNED, edits)
    assert edited.queries[0].boolean_query == "ozone AND layer"
    assert edited.queries[0].synonym_map == [SynonymMap(keyword="layer", synonyms=["shield"])]
    assert edited.queries[1].keywords == ["stratosphere"]
    filters = edited.filters
    assert (filters.year_from, filters.year_to, filters.language, filters.max_results) == (None, 2020, "de", 40)
    assert filters.excluded == ["smog", "haze"]


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        (TypedStrategy(sources=["arxiv"]), "Search terms"),
        (TypedStrategy("ozone"), "Sources"),
        (TypedStrategy("ozone", ["arxiv"], year_from="soon"), "From year"),
        (TypedStrategy("ozone", ["arxiv"], language="German"), "Language"),
        (TypedStrategy("ozone layer", ["arxiv"], synonyms={1: "no colon"}), "Synonyms"),
    ],
)
def test_an_edit_that_cannot_be_used_names_its_field(edits: TypedStrategy, field: str) -> None:
    with pytest.raises(InvalidDecision, match=f"^{field}: "):
        edited_strategy(PLANNED, edits)


def test_a_refused_form_is_shown_with_what_was_typed() -> None:
    form = StrategyForm(PLANNED, TypedStrategy(" ", [], language="", words={"authors": "Molina"}, synonyms={1: "x"}))
    assert (form.terms, form.language, form.queries[0].synonyms) == (" ", "", "x")
    assert form.queries[0].boolean == '"ozone layer"'
    assert [field.value for field in form.words] == ["Molina", "", "smog", "", ""]
    assert not any(source.chosen for source in form.sources)

"""Everything a reader asks of a list stands in the address, and comes back from it."""

import pytest
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from papercore.errors import InvalidInput
from papercore.tool import is_visible, visible_text
from papers.search.list_query import FACETS, ListQuery, read_list_query


def test_a_query_comes_back_from_its_address() -> None:
    query = ListQuery(
        q="a & b", venue=("x/y",), keyword=("k1", "k2"), has=("source",), year_from=1990, sort="title", page=3
    )
    assert read_list_query(QueryDict(query.query_string())) == query


@settings(max_examples=50, deadline=None)
@given(
    q=st.just("") | st.text(max_size=50).filter(is_visible),
    author=st.lists(st.text(max_size=20).filter(is_visible), max_size=3, unique_by=visible_text),
)
def test_any_words_and_names_come_back(q: str, author: list[str]) -> None:
    query = ListQuery(q=q, author=tuple(author))
    assert read_list_query(QueryDict(query.query_string())) == query


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("year_from=abc", "year_from"),
        ("page=0", "page"),
        ("page=9999", "page"),
        ("sort=best", "sort"),
        ("has=gold", "has"),
        ("q=" + "x" * 501, "q"),
    ],
)
def test_nonsense_names_the_parameter(query: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        read_list_query(QueryDict(query))


def test_blank_fields_of_a_form_ask_for_nothing() -> None:
    assert read_list_query(QueryDict("q=&year_from=&year_to=&venue=&sort=")) == ListQuery()


def test_a_changed_query_begins_at_its_first_page() -> None:
    assert ListQuery(q="x", page=4).toggled("venue", "acl").page == 1


def test_a_value_that_is_asked_for_twice_is_dropped_however_it_is_written() -> None:
    assert ListQuery(venue=("acl",)).toggled("venue", "acl") == ListQuery()
    assert ListQuery(venue=("ACL",)).toggled("venue", "acl") == ListQuery()


def test_a_range_of_years_upside_down_is_noticed_and_can_be_turned() -> None:
    query = ListQuery(year_from=2020, year_to=2010, page=2)
    assert query.is_upside_down
    assert query.with_years_swapped() == ListQuery(year_from=2010, year_to=2020, page=2)
    assert not ListQuery(year_from=2010, year_to=2010).is_upside_down
    assert not ListQuery(year_from=2010).is_upside_down


def test_addresses_of_many_values_are_those_of_each() -> None:
    query = ListQuery(q="a & b", venue=("Nature",), tag=("x",), year_from=2000, sort="title", page=3)
    values = ["nature", "x/y", "100 %", "é"]
    for facet in FACETS:
        assert query.toggle_urls(facet, values) == [query.toggled(facet, value).url for value in values]
    spans = [(1990, 1999), (2000, 2000)]
    assert query.year_urls(spans) == [query.changed(year_from=low, year_to=high).url for low, high in spans]

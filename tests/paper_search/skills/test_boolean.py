"""Boolean queries."""

from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.skills.boolean import all_of, excluded_terms


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=3), max_size=4), st.lists(st.text(max_size=8)))
def test_boolean_queries_are_balanced_whatever_the_words(groups: list[list[str]], excluded: list[str]) -> None:
    query = all_of(groups, excluded)
    assert query.count("(") == query.count(")")
    assert query.count('"') % 2 == 0
    assert len(excluded_terms(query)) <= len(excluded)

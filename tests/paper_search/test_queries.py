"""Boolean queries."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.models import SearchQuery, SynonymMap
from paper_search.queries import all_of, also, boolean_of, excluded_terms, positive_terms, satisfies
from papercore import limits


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=3), max_size=4), st.lists(st.text(max_size=8)))
def test_boolean_queries_are_balanced_whatever_the_words(groups: list[list[str]], excluded: list[str]) -> None:
    query = all_of(groups, excluded)
    assert query.count("(") == query.count(")")
    assert query.count('"') % 2 == 0
    assert len(excluded_terms(query)) <= len(excluded)


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("parsing", "Parsers parse", True),
        ("parsing AND arabic", "parsing Hebrew", False),
        ("parsing AND (arabic OR hebrew)", "parsing Hebrew", True),
        ('"dependency parsing" NOT tagging', "dependency parsing", True),
        ('"dependency parsing" NOT tagging', "dependency parsing and tagging", False),
        ("parsing NOT (tagging OR chunking)", "parsing, chunking", False),
        ("graphs) AND ((trees OR", "graphs", False),
        ("graphs) AND ((trees OR", "graphs, trees", True),
        ("(" * 5_000 + "graphs", "trees", False),
        ("", "anything", True),
    ],
)
def test_a_text_satisfies_a_query_or_not(query: str, text: str, expected: bool) -> None:
    assert satisfies(query, text) is expected


def test_the_terms_that_are_asked_for_are_listed() -> None:
    assert positive_terms('parsing AND ("sign language" OR hebrew) NOT tagging') == [
        "parsing",
        "sign language",
        "hebrew",
    ]


def test_a_boolean_query_follows_keywords_and_synonyms() -> None:
    query = SearchQuery(
        keywords=["parsing of Arabic"],
        synonym_map=[SynonymMap(keyword="parsing", synonyms=["syntactic analysis"])],
        boolean_query="tagging NOT hebrew",
    )
    assert boolean_of(query) == '(parsing OR "syntactic analysis") AND arabic NOT hebrew'


def test_what_is_wanted_as_well_is_required_beside_the_whole_query() -> None:
    assert also("a AND (b OR c) NOT d", ["e f"]) == 'a AND (b OR c) NOT d AND "e f"'
    assert also("a OR b", ["c", "d"]) == "(a OR b) AND c AND d"
    assert satisfies(also("a1 NOT b1", ["c1"]), "a1 c1")
    assert not satisfies(also("a1 NOT b1", ["c1"]), "a1")
    assert also("a" * limits.BOOLEAN_CHARS, ["b"]) == "a" * limits.BOOLEAN_CHARS

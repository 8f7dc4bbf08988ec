"""Queries: boolean ones, looser ones, and other wordings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paper_search.models import SearchQuery, SynonymMap
from paper_search.queries import (
    MAX_WORDINGS,
    all_of,
    excluded_terms,
    looser_queries,
    positive_terms,
    satisfies,
    wordings,
)


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


def texts(boolean_query: str, strict: bool = False) -> list[str]:
    query = SearchQuery(keywords=["x"], boolean_query=boolean_query, strict=strict)
    return [step.boolean_query for step in looser_queries(query)]


def test_each_step_drops_the_least_telling_concept_and_never_the_topic() -> None:
    assert texts('("graph networks" OR gnn) AND molecules AND toxicity NOT sodium') == [
        '("graph networks" OR gnn) AND molecules AND toxicity NOT sodium',
        "((graph AND networks) OR gnn) AND molecules AND toxicity NOT sodium",
        "((graph AND networks) OR gnn) AND molecules NOT sodium",
        "((graph AND networks) OR gnn) NOT sodium",
    ]


def test_a_single_word_has_one_step_and_an_edited_query_is_not_relaxed() -> None:
    assert texts("graphs NOT trees") == ["graphs NOT trees"]
    assert texts('"graph networks" AND molecules', strict=True) == ['"graph networks" AND molecules']


def test_odd_brackets_and_operators_do_no_harm() -> None:
    assert texts("AND") == ["AND"]
    assert texts(") AND ((")[0] == ") AND (("


def query(text: str, *, strict: bool = False, **synonyms: list[str]) -> SearchQuery:
    maps = [SynonymMap(keyword=keyword.replace("_", " "), synonyms=words) for keyword, words in synonyms.items()]
    return SearchQuery(keywords=[text], synonym_map=maps, boolean_query=text, strict=strict)


def test_a_synonym_takes_the_place_of_its_concept() -> None:
    found = wordings(query("WSD in  Medical texts", wsd=["word sense disambiguation"], medical_texts=["notes", "EHR"]))
    assert found == [
        "WSD in  Medical texts",
        "word sense disambiguation in  notes",
        "WSD in  EHR",
    ]


def test_a_synonym_of_what_is_not_in_the_words_stands_beside_them() -> None:
    assert wordings(query("parsing", grammars=[r"\1 (syntax"])) == ["parsing", r"parsing \1 (syntax"]
    assert wordings(query("wsdm", wsd=["sense"])) == ["wsdm", "wsdm sense"]


def test_there_are_few_wordings_and_none_beside_a_query_written_by_hand() -> None:
    assert len(wordings(query("a", a=[str(number) for number in range(9)]))) == MAX_WORDINGS
    assert wordings(query("a", strict=True, a=["b"])) == ["a"]
    assert wordings(query("a")) == ["a"]

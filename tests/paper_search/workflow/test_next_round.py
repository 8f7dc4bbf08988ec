"""What a review leaves for the next round."""

from paper_search.models import SearchQuery, SynonymMap
from paper_search.workflow.next_round import boolean_of


def test_a_boolean_query_follows_keywords_and_synonyms() -> None:
    query = SearchQuery(
        keywords=["parsing", "texts that people wrote in Arabic"],
        synonym_map=[SynonymMap(keyword="parsing", synonyms=["syntactic analysis"])],
        boolean_query="tagging NOT hebrew",
    )
    assert boolean_of(query) == '(parsing OR "syntactic analysis") AND (texts OR people OR wrote OR arabic) NOT hebrew'

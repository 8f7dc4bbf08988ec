"""What a review leaves for the next round."""

from paper_search.models import SearchQuery, SynonymMap
from paper_search.workflow.next_round import boolean_of, distinctive_words
from tests.paper_search.samples import paper

RELEVANT = [
    paper("Speech translation for Mboshi", id="a", abstract="We record the unwritten language Mboshi."),
    paper("Unwritten languages and speech", id="b", abstract="An unwritten language has no script; we translate it."),
]
OTHERS = [
    paper("Speech translation of English lectures", id="c", abstract="Lectures are translated."),
    paper("Lectures in German", id="d", abstract="Lectures, again."),
]


def test_words_of_the_relevant_papers_that_others_lack_are_learned() -> None:
    learned = distinctive_words(RELEVANT, OTHERS, "speech translation")
    assert "unwritten" in learned
    assert "speech" not in learned
    assert distinctive_words(OTHERS, RELEVANT, "speech translation")[0] == "lectures"


def test_stop_words_inside_hyphens_are_not_learned() -> None:
    papers = [paper("Cut-and-paste", id=name, abstract="cut-and-paste or point-and-click") for name in "ab"]
    assert "and" not in distinctive_words(papers, OTHERS, "speech")


def test_of_one_paper_its_title_speaks() -> None:
    assert distinctive_words(RELEVANT[:1], OTHERS, "speech translation") == ["mboshi"]


def test_nothing_is_learned_from_nothing() -> None:
    assert distinctive_words([], OTHERS, "speech") == []


def test_a_boolean_query_follows_keywords_and_synonyms() -> None:
    query = SearchQuery(
        keywords=["parsing", "texts that people wrote in Arabic"],
        synonym_map=[SynonymMap(keyword="parsing", synonyms=["syntactic analysis"])],
        boolean_query="tagging NOT hebrew",
    )
    assert boolean_of(query) == '(parsing OR "syntactic analysis") AND (texts OR people OR wrote OR arabic) NOT hebrew'

"""Words that distinguish marked papers."""

from paper_search.skills.learning import distinctive_words
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

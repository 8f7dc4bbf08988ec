"""What marked papers are about."""

import pytest

from paper_search.topics import topics
from tests.paper_search.samples import paper

RELEVANT = [
    paper("Speech translation for Mboshi", id="a", abstract="We record the unwritten language Mboshi."),
    paper("Unwritten languages and speech", id="b", abstract="An unwritten language has no script; we translate it."),
]
OTHERS = [
    paper("Speech translation of English lectures", id="c", abstract="Lectures are translated."),
    paper("Lectures in German", id="d", abstract="Lectures, again."),
]


def test_noun_phrases_of_the_marked_papers_that_others_lack_are_learned() -> None:
    learned = topics(RELEVANT, OTHERS, "speech translation")
    assert learned[0] in ("unwritten language", "unwritten languages")
    assert "mboshi" in learned
    assert "speech" not in learned
    assert topics(OTHERS, RELEVANT, "speech translation")[0] == "lectures"


@pytest.mark.parametrize("verb", ["affects", "created", "translates", "improved", "shows"])
def test_verbs_numerals_and_words_of_every_field_are_no_topics(verb: str) -> None:
    text = f"This paper {verb} the five results. Noise {verb} a parser quickly in several cases."
    papers = [paper(f"How noise {verb} five parsers", id=name, abstract=text) for name in "ab"]
    learned = " ".join(topics(papers, OTHERS, "speech")).split()
    assert not {verb, "five", "several", "cases", "results", "quickly", "how"} & set(learned)
    assert "parsers" in learned


def test_keywords_and_coined_names_are_learned_as_they_are_written() -> None:
    marked = paper(
        "GloVe for Black-Box models", id="a", abstract="BERT and BERT. In II parts.", keywords=["Word vectors"]
    )
    learned = topics([marked], OTHERS, "speech")
    assert {"GloVe", "BERT", "word vectors"} <= set(learned)
    assert not {"II", "Black-Box"} & set(learned)


def test_a_title_in_capitals_coins_nothing() -> None:
    assert not any(term.isupper() for term in topics([paper("WING FLUTTER AT SPEED", id="a")], OTHERS, "speech"))


def test_stop_words_inside_hyphens_are_not_learned() -> None:
    papers = [paper("Cut-and-paste", id=name, abstract="cut-and-paste or point-and-click") for name in "ab"]
    assert "and" not in topics(papers, OTHERS, "speech")


def test_of_one_paper_its_title_speaks() -> None:
    assert topics(RELEVANT[:1], OTHERS, "speech translation") == ["mboshi"]


def test_nothing_is_learned_from_nothing() -> None:
    assert topics([], OTHERS, "speech") == []

"""The best passage of a text for a question, and how well texts match one."""

from paper_search.text import best_passage, match_scores
from tests.growth import grows_too_fast

ABSTRACT = (
    "Parsing is an old problem. Grammars have been written by hand for decades. Few of them cover all sentences. "
    "We train a neural parser for languages with rich morphology. It reads characters, not words. "
    "It needs no tagger. Experiments on nine treebanks show gains. The code is public. A demo is online."
)


def test_the_sentences_with_the_words_of_the_question_are_picked() -> None:
    assert "rich morphology" in best_passage(ABSTRACT, "how to parse morphologically rich languages?")
    assert best_passage(ABSTRACT, "nine treebanks").startswith("Experiments on nine treebanks")


def test_without_a_match_it_is_the_beginning() -> None:
    assert best_passage(ABSTRACT, "solar cells").startswith("Parsing is an old problem.")
    assert best_passage("", "solar cells") == ""


def test_it_takes_time_in_proportion_to_the_text() -> None:
    assert not grows_too_fast(lambda text: best_passage(text, "parse"), lambda size: "A parser parses. " * size, 200)


def test_nothing_to_score_gives_no_scores() -> None:
    assert match_scores("graphs", []) == []

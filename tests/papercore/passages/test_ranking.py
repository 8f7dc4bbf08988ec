"""Which passages answer a question, and that none may."""

from pathlib import Path

import pytest

from papercore.passages.ranking import READ, Candidate, rank, rank_by_meaning, rank_by_words
from papercore.retrieval import PassageReader, SentenceModel
from tests.papercore.retrieval.tiny_model import write_model


def test_a_question_of_which_only_a_common_word_occurs_has_no_evidence() -> None:
    candidates = [
        Candidate("Two quantities describe the result.", "Small-world networks", 1.0),
        Candidate("The results are shown in a table.", "Results", 0.5),
        Candidate("Clustering is high and paths are short.", "Small-world networks", 0.9),
    ] * 5
    assert rank("football cup final results", candidates) == []
    assert rank("clustering in small-world networks", candidates) != []


def test_a_passage_below_the_right_title_counts_although_it_has_none_of_the_words() -> None:
    candidates = [
        Candidate("Units are switched off at random during training.", "Dropout: preventing overfitting", 0.8),
        Candidate("Paths are short.", "Small-world networks", 0.1),
        Candidate("That is not overfitting.", "Residual learning", 1.0),
    ]
    assert [item.candidate for item in rank("what reduces overfitting", candidates)] == [2, 0]


def test_of_a_long_sentence_a_passage_with_a_few_words_is_evidence() -> None:
    sentence = "Recent systems reach human judges by training teachers, students, parsers, taggers and large encoders"
    candidates = [
        Candidate("Smaller students are trained by their teachers.", "Distillation", 1.0),
        *(Candidate(f"Paths are short in network {number}.", "Small worlds", 0.5) for number in range(30)),
    ]
    assert [item.candidate for item in rank_by_words(sentence, candidates)] == [0]


def test_a_word_that_all_passages_of_one_paper_have_counts_as_one_that_few_papers_have() -> None:
    passages = ("take up calcium", "release calcium when they are damaged", "exchange calcium for sodium")
    candidates = [Candidate(f"Mitochondria of the heart {each}.", "Organelles", 1.0) for each in passages]
    found = rank_by_words("Mitochondria of the heart play no role in calcium homeostasis", candidates)
    assert len(found) == len(candidates)


@pytest.fixture
def model(tmp_path: Path) -> SentenceModel:
    return SentenceModel.load(write_model(tmp_path / "tiny"))


def reader(model: SentenceModel, question: str) -> PassageReader:
    return PassageReader(model, model.vector(question))


def test_a_sentence_model_orders_the_best_passages_and_no_others(model: SentenceModel) -> None:
    """The tiny model knows `broth` and `soup` as one."""
    candidates = [
        *(Candidate(f"Hot car number {number}", "Kitchens", 1.0) for number in range(READ - 1)),
        Candidate("Hot broth", "Kitchens", 1.0),
        Candidate("Hot broth, too", "Kitchens", 0.1),
    ]
    words = [item.candidate for item in rank_by_words("hot soup", candidates)]
    read = rank_by_words("hot soup", candidates, reader(model, "hot soup"))
    assert words == list(range(READ + 1))
    assert [item.candidate for item in read] == [READ - 1, *range(READ - 1), READ]
    assert [item.score for item in read] == sorted((item.score for item in read), reverse=True)
    assert all(0 <= item.score <= 1 for item in read)


def test_of_a_long_question_in_another_language_names_are_not_enough(tmp_path: Path) -> None:
    question = "Welche Verfahren bewerten Übersetzungen ohne Referenzen besser als BLEU, COMET und chrF"
    candidates = [Candidate("BLEU, chrF and COMET", "Metrics", 1.0)]
    assert rank_by_words(question, candidates) != []
    folder = write_model(tmp_path / "for other languages")
    (folder / "model.json").write_text('{"for_other_languages": true}')
    assert rank_by_words(question, candidates, reader(SentenceModel.load(folder), question)) == []


def test_what_is_found_by_meaning_counts_as_far_as_it_is_near(model: SentenceModel) -> None:
    candidates = [Candidate("car", "Automobiles", 1.0), Candidate("car and soup and broth", "Traffic", 0.9)]
    near, farther = rank_by_meaning("Automobiles", candidates, reader(model, "Automobiles"))
    assert (near.candidate, farther.candidate) == (0, 1)
    assert 1 >= near.covered > farther.covered > 0


def test_by_meaning_a_sentence_model_finds_what_has_none_of_the_words(model: SentenceModel) -> None:
    candidates = [Candidate("Automobiles", "Automobiles", 0.5), Candidate("Soup", "Soup", 1.0)]
    found = rank_by_meaning("car", candidates, reader(model, "car"))
    assert [item.candidate for item in found] == [0]
    assert rank_by_meaning("unheard", candidates, reader(model, "unheard")) == []
    assert rank_by_meaning("car", [], reader(model, "car")) == []

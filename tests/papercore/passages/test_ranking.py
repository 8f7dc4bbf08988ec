"""Which passages answer a question, and that none may."""

from papercore.passages.ranking import Candidate, rank


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

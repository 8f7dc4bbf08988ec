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

"""Names in a question: persons as bibliographies write them, acronyms and words with digits, but nothing else."""

import pytest

from papercore.retrieval.ranking.judge import terms_of_names

NAMES = [
    ("papers by Dijkstra, E. or Hoare, C.A.R.", {"dijkstra", "hoar"}),
    ("all articles on EL1 and ECL (EL1 may be given as EL/1)", {"el1", "ecl", "el"}),
    ("word2vec against BERT", {"word2vec", "bert"}),
    ("who won in 1985", set()),
    ("Wie wird das Wetter in Berlin?", set()),
    ("FOOTBALL WORLD CUP", set()),
    ("Smith, however, disagrees", set()),
    ("smith, j. about rivers", set()),
    ("plan B", set()),
    ("深度学习 BERT模型", {"bert"}),
]


@pytest.mark.parametrize(("text", "terms"), NAMES)
def test_names_are_told_from_other_words(text: str, terms: set[str]) -> None:
    assert terms_of_names(text.split()) == terms

"""Synonyms from the keywords and papers of a library."""

from paper_search.skills.thesaurus import MAX_LOOKUPS, Thesaurus
from paper_search.sources.interface import PaperText

KEYWORDS = ["gnn", "graph neural network", "graph-neural-networks", "image segmentation", "support vector machine"]
PAPERS = [
    PaperText("Word sense disambiguation (WSD) at last", "", ("word senses", "lexicons")),
    PaperText("WSD again", "", ("word senses", "medicine")),
    PaperText("Spoken dialog systems", "We build dialog systems."),
    PaperText("Evaluating dialog systems"),
    PaperText("Real news and dialogue systems"),
]


def no_papers(*phrases: str) -> list[PaperText]:
    return []


def papers(*phrases: str) -> list[PaperText]:
    return [paper for paper in PAPERS if all(phrase in f"{paper.title} {paper.abstract}".lower() for phrase in phrases)]


def test_synonyms_come_from_the_librarys_keywords() -> None:
    thesaurus = Thesaurus(lambda: KEYWORDS, no_papers)
    assert "gnn" in thesaurus.synonyms("graph neural networks")
    assert "support vector machine" in thesaurus.synonyms("SVM")
    assert "support vector machine ensembles" in thesaurus.synonyms("SVM ensembles")
    assert thesaurus.synonyms("quantum gravity") == []
    assert Thesaurus(list, no_papers).synonyms("graphs") == []


def test_abbreviations_come_from_the_papers_that_introduce_them() -> None:
    thesaurus = Thesaurus(list, papers)
    assert thesaurus.synonyms("wsd")[0] == "word sense disambiguation"
    assert thesaurus.synonyms("word sense disambiguation")[0] == "WSD"


def test_an_abbreviation_that_papers_introduce_is_not_guessed_from_initials() -> None:
    assert "wonderful small dogs" not in Thesaurus(lambda: ["wonderful small dogs"], papers).synonyms("wsd")


def test_another_spelling_of_a_word_is_found_where_papers_have_it_in_the_same_place() -> None:
    assert Thesaurus(list, papers).synonyms("dialogue systems") == ["dialog systems"]
    assert Thesaurus(list, papers).synonyms("fake news") == []


def test_keywords_that_occur_together_with_a_concept_are_synonyms_if_they_are_near_in_meaning() -> None:
    found = Thesaurus(list, lambda *phrases: PAPERS[:2]).synonyms("word sense")
    assert "word senses" not in found, "the same words"
    assert "medicine" not in found
    together = [PaperText("Speech", "", ("speech recogniser", "speech recognition system"))] * 2
    assert "speech recognition system" in Thesaurus(list, lambda *phrases: together).synonyms("speech recognition")


def test_a_search_looks_up_a_bounded_number_of_phrases_each_once() -> None:
    asked: list[tuple[str, ...]] = []

    def counted(*phrases: str) -> list[PaperText]:
        asked.append(phrases)
        return []

    thesaurus = Thesaurus(list, counted)
    for number in range(MAX_LOOKUPS):
        thesaurus.synonyms(f"alpha{number} beta gamma")
    assert len(asked) == len(set(asked)) == MAX_LOOKUPS

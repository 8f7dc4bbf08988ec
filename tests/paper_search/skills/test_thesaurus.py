"""Synonyms that a library knows: abbreviations as its papers introduce them, and other words."""

import pytest

from paper_search.skills.thesaurus import MAX_LOOKUPS, Abbreviation, Thesaurus, abbreviated, introduced, written_out
from paper_search.sources.interface import PaperText
from paper_search.text import words
from tests.growth import grows_too_fast

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


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We study word sense disambiguation (WSD) in Basque.", "WSD", "word sense disambiguation"),
        ("WSD (word sense disambiguation) is hard", "WSD", "word sense disambiguation"),
        ("Part-of-speech (POS) tags", "POS", "part-of-speech"),
        ("fine-tuned large language models (LLMs)", "LLM", "large language models"),
        ("Reinforcement Learning from Human Feedback (RLHF)", "RLHF", "reinforcement learning from human feedback"),
        ("low-rank adaptation (LoRA; Hu et al.)", "LoRA", "low-rank adaptation"),
        ("We parse. Tree adjoining grammars (TAGs, for short)", "TAG", "tree adjoining grammars"),
    ],
)
def test_an_abbreviation_is_read_where_it_is_introduced(text: str, short: str, long: str) -> None:
    assert list(introduced(text)) == [Abbreviation(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "in three languages (English, French and German)",
        "as shown before (Smith et al., 2019)",
        "accuracy (95 %) and speed",
        "Arabic (AR) texts",
        "the parser (see Section 3)",
        "(WSD)",
        "()",
        "a b c (XYZ)",
        "BERT (BERT) and BERT",
    ],
)
def test_other_brackets_introduce_nothing(text: str) -> None:
    assert list(introduced(text)) == []


class Papers:
    """Texts, and those of them that have all of some phrases."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def __call__(self, *phrases: str) -> list[str]:
        return [text for text in self.texts if all(set(words(phrase)) <= set(words(text)) for phrase in phrases)]


LIBRARY = Papers(
    "Word sense disambiguation (WSD) with dictionaries",
    "A survey of WSD",
    *["Machine translation of novels"] * 30,
    *["Machine translation (MT) of poems"] * 3,
    *["A star is born"] * 20,
    "Spectral truncation and rescale (STAR)",
    *["Data augmentation (DA) for all"] * 5,
    *["Dialogue acts (DA) in meetings"] * 4,
)


def test_abbreviations_are_known_both_ways() -> None:
    assert written_out("wsd", LIBRARY) == ["word sense disambiguation"]
    assert abbreviated("word sense disambiguation", LIBRARY) == ["WSD"]
    assert written_out("unsupervised wsd", LIBRARY) == ["unsupervised word sense disambiguation"]
    assert abbreviated("unsupervised word sense disambiguation", LIBRARY) == ["unsupervised WSD"]


def test_a_phrase_that_is_mostly_used_in_full_has_its_abbreviation_too() -> None:
    assert abbreviated("machine translation", LIBRARY) == ["MT"]


def test_two_readings_are_both_named_and_a_slip_is_none() -> None:
    assert written_out("da", LIBRARY) == ["data augmentation", "dialogue acts"]
    assert written_out("star", LIBRARY) == []
    assert abbreviated("novels", LIBRARY) == []


@pytest.mark.parametrize("part", ["(", "a (", "a b (AB) ", "(AB", "AB (a b", "A" * 10 + " (", "a-b-c (ABC) "])
def test_abbreviations_are_read_in_linear_time(part: str) -> None:
    assert not grows_too_fast(lambda text: list(introduced(text)), lambda n: part * n, 3_000)

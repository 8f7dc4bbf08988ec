"""Abbreviations, as texts introduce them and as a library's papers mean them."""

import pytest

from paper_search.skills.abbreviations import Abbreviation, abbreviated, introduced, written_out
from paper_search.text import words
from tests.growth import grows_too_fast


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

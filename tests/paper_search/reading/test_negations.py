"""How far a negation reaches: nothing of it is searched for, and nothing of it vanishes."""

import pytest

from paper_search.reading.free_text import read_note, read_question
from paper_search.reading.negations import Negation, split_negations
from tests.paper_search.reading.library import KNOWN


@pytest.mark.parametrize(
    ("text", "topic", "told"),
    [
        (
            "sequence models without recurrent layers or attention",
            "sequence models",
            "without recurrent layers or attention",
        ),
        ("translation without data and without attention", "translation", "without data and without attention"),
        (
            "translation without attention, recurrence or memory",
            "translation",
            "without attention, recurrence or memory",
        ),
        ("translation without access to parallel data", "translation", "without access to parallel data"),
        ("parsing without labels in French or German", "parsing", "without labels in French or German"),
        ("what came after word2vec and before BERT for tagging", "what came tagging", "after word2vec and before BERT"),
        ("language models that don't use BERT", "language models", "that don't use BERT"),
        ("Which language models don't use BERT", "language models", "don't use BERT"),
        ("parsing when treebanks are not available", "parsing", "when treebanks are not available"),
        ("languages for which there is no treebank", "languages", "for which there is no treebank"),
        ("summarization unlike extraction", "summarization", "unlike extraction"),
        ("neither BERT nor GPT, sentence embeddings", "sentence embeddings", "neither BERT nor GPT"),
        ("language models -BERT", "language models", "-BERT"),
        ("questions, no CoQA, QuAC", "questions", "no CoQA, QuAC"),
        ("paraphrases, avoiding back-translation", "paraphrases", "avoiding back-translation"),
        ("Parsing ohne Baumbanken", "Parsing", "ohne Baumbanken"),
    ],
)
def test_a_negation_that_no_rule_follows_is_told_as_far_as_it_reaches(text: str, topic: str, told: str) -> None:
    read = read_question(text, KNOWN, 2026)
    assert (read.plan.filled(), read.not_understood) == ({"topic": topic}, [told])


@pytest.mark.parametrize(
    ("text", "topic", "excluded"),
    [
        ("image recognition (not generative models)", "image recognition", ["generative models"]),
        ("entity linking (excluding biomedical)", "entity linking", ["biomedical"]),
        ("language models - no BERT", "language models", ["BERT"]),
        ("entity linking [not biology], 2 datasets", "entity linking 2 datasets", ["biology"]),
        ("parsers that are not neural", "parsers", ["neural"]),
        ("tweets, nothing on the US", "tweets", ["US"]),
        ("dialogue, could you leave out speech and robots", "dialogue", ["speech", "robots"]),
        ("dialogue, speech excluded", "dialogue", ["speech"]),
        ("dialogue, no speech and no robots", "dialogue", ["speech", "robots"]),
        ("dialogue, nothing on speech, vision, or robots", "dialogue", ["speech", "vision", "robots"]),
    ],
)
def test_what_is_plainly_left_out_is_left_out_wherever_it_stands(text: str, topic: str, excluded: list[str]) -> None:
    read = read_question(text, KNOWN, 2026)
    assert (read.plan.filled(), read.not_understood) == ({"topic": topic, "not": excluded}, [])


@pytest.mark.parametrize(
    "note",
    [
        "nothing about pre-training, except BERT",
        "nothing about pre-training except BERT",
        "drop everything but surveys",
        "nothing on parsing without treebanks",
        "no surveys, parsing and tagging",
        "exclude nothing",
        "drop the year limit",
        "fewer results please",
        "remove duplicates",
        "exclude conference papers",
        "no preference",
        "remove low-quality results",
        "exclude arXiv preprints",
    ],
)
def test_a_note_that_leaves_out_nothing_plainly_changes_nothing(note: str) -> None:
    read = read_note(note, KNOWN, 2026)
    assert (read.plan.filled(), read.not_understood) == ({}, [note])


def test_an_exception_to_a_year_is_told() -> None:
    read = read_note("remove everything older than 2015 except the classics", KNOWN, 2026)
    assert (read.plan.filled(), read.not_understood) == ({"year_from": 2015}, ["except the classics"])


@pytest.mark.parametrize(
    "text",
    ["why is attention not explanation", "who says that attention is not explanation", "transformers skip connections"],
)
def test_a_statement_and_a_name_are_searched_for_as_they_are(text: str) -> None:
    read = read_question(text, KNOWN, 2026)
    assert (read.plan.filled(), read.not_understood) == ({"topic": text}, [])


def test_a_verb_may_begin_the_name_of_a_thing() -> None:
    assert read_question("transformers, skip connections", KNOWN).plan.not_ == []
    assert read_question("transformers, skip surveys", KNOWN).plan.not_kinds


def test_a_method_whose_name_has_a_negation_is_searched_for_as_it_is() -> None:
    read = read_question("learning without forgetting", KNOWN)
    assert (read.plan.topic, read.not_understood) == ("learning without forgetting", ["learning without forgetting"])


def test_nothing_inside_quotation_marks_is_read() -> None:
    read = read_question('"learning without forgetting since 2018" in dialogue', KNOWN)
    assert read.plan.concepts == [["learning without forgetting since 2018"]]
    assert (read.plan.year_from, read.not_understood) == (None, [])


def test_a_list_belongs_to_its_negation_only_where_it_is_plain() -> None:
    text = "no surveys, theses or tools, and no English, parsing or tagging"
    rest, found = split_negations(text, lambda text: False, lambda phrases: "surveys" in phrases)
    assert rest == ""
    assert found == [
        Negation("no surveys, theses or tools", "surveys or theses or tools"),
        Negation("and no English, parsing or tagging"),
    ]

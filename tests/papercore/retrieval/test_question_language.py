"""Whether a question is in another language than the documents, and what of it is searched."""

from pathlib import Path

import pytest

from papercore.retrieval import Request
from papercore.retrieval.ranking.sentence_scores import is_foreign
from papercore.text import is_english
from tests.papercore.retrieval.collection import build, paper


@pytest.mark.parametrize(
    "text",
    [
        "what is the effect of drag on a wing",
        "die casting of aluminium alloys in the automotive industry",
        "BERT",
        "neural machine translation",
        "",
        "le chatelier principle and how it is taught",
    ],
)
def test_english_questions_and_bare_terms_are_taken_for_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Warum kann man das Wetter nicht vorhersagen?",
        "Comment mesurer la qualité d'une traduction ?",
        "¿Cómo surgen las manchas en la piel?",
        "宇宙的膨胀是在加速吗",
        "Почему небо голубое",
        "量子力学は隠れた変数で説明できるか",
    ],
)
def test_questions_in_other_languages_are_recognised(text: str) -> None:
    assert not is_english(text)


def test_a_question_whose_words_all_occur_is_in_a_language_of_the_documents() -> None:
    assert not is_foreign("Warum kann man das Wetter nicht vorhersagen?", [3, 5, 1])
    assert is_foreign("Warum kann man das Wetter nicht vorhersagen?", [3, 5, 0])
    assert not is_foreign("how to forecast wether", [3, 9, 0])
    assert is_foreign("how to forecast weather", [3, 0, 0])
    assert is_foreign("何", [])


def test_function_words_of_a_question_find_no_text_in_its_language(tmp_path: Path) -> None:
    german = paper("german", "Zur Elektrodynamik bewegter Körper", "Was ist ein Inertialsystem? Dies ist ein Postulat.")
    index = build(tmp_path, [german, paper("asked", "The Transformer")])
    assert [hit.id for hit in index.search(Request("was ist ein Transformer")).hits] == ["asked"]
    assert [hit.id for hit in index.search(Request("ist ein")).hits] == ["german"]


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Wie entsteht Krebs durch Rauchen?", "unsure"),
        ("機械翻訳", "unsure"),
        ("how does smoking cause cancer", "nothing"),
        ("was ist ein Transformer", "answered"),
    ],
)
def test_nothing_is_not_said_in_a_language_that_is_not_read(tmp_path: Path, question: str, verdict: str) -> None:
    found = build(tmp_path, [paper("asked", "The Transformer")]).search(Request(question))
    assert found.verdict == verdict
    assert bool(found.hits) == (verdict == "answered")

"""Snippets: the densest stretch, marked, cut at words, with nothing that could pass for a mark."""

from paper_search.retrieval import query, snippets
from paper_search.retrieval.snippets import Sought


def sought(text: str) -> Sought:
    return Sought.of(query.parse(text, ("title", "author")))


def test_the_stretch_with_most_of_the_words_is_shown() -> None:
    text = f"A network. {'Filler words follow here. ' * 40}The neural network translates. {'More filler. ' * 40}"
    shown = snippets.in_context(text, sought("neural network translation"))
    assert "[[[neural]]] [[[network]]] [[[translates]]]" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) < snippets.WIDTH + 60


def test_a_short_text_is_shown_whole() -> None:
    assert snippets.in_context("Soups are\n\n good.", sought("soup")) == "[[[Soups]]] are good."


def test_no_match_gives_nothing() -> None:
    assert snippets.in_context("Soup.", sought("car")) == ""


def test_marks_in_the_text_itself_are_broken_up() -> None:
    assert snippets.in_context("a [[[b]]] soup", sought("soup")) == "a [ [ [b] ] ] [[[soup]]]"


def test_accents_and_prefixes_are_marked() -> None:
    assert snippets.in_context("by Jürgen S.", sought("jurgen")) == "by [[[Jürgen]]] S."
    assert snippets.in_context("transformers", sought("trans*")) == "[[[transformers]]]"


def test_latin_words_in_chinese_text_are_marked_alone() -> None:
    assert snippets.in_context("使用BERT模型", sought("bert")) == "使用[[[BERT]]]模型"
    assert snippets.in_context("使用BERT模型", sought("模型")) == "使用BERT[[[模型]]]"


def test_sentences_end_in_any_script() -> None:
    assert snippets.sentences("One. Two! 三。四？ Five") == ["One.", "Two!", "三。", "四？", "Five"]

"""Snippets: the densest stretch, marked, cut at words, with nothing that could pass for a mark."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papercore.retrieval.basics import analysis, query
from papercore.retrieval.ranking import snippets
from papercore.retrieval.ranking.snippets import QueryTerms


def sought(text: str) -> QueryTerms:
    return QueryTerms.of(query.parse(text, ("title", "author")))


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


WORDS = ["Modelle", "modèles", "İmodel", "modeling", "remodel", "naïve", "Naive", "模型", "x_model", "Müller", "muller"]


@given(st.lists(st.sampled_from([*WORDS, " ", ". ", "-", "_"]), max_size=30).map("".join))
def test_the_words_marked_are_those_that_analysis_finds(text: str) -> None:
    sought = QueryTerms.of_words(["modelling", "naive", "muller"])
    words = re.finditer(r"[^\W_\u4e00-\u9fff]+", text)
    expected = [(word.start(), word.end()) for word in words if analysis.term(word[0]) in sought.terms]
    assert [(mark.start, mark.end) for mark in sought.marks(text)] == expected


FORMULAS = [
    "$E = mc^2$",
    "$$\\sum_{i=1}^{n} x_i + y_i$$",
    r"$\alpha \$ \beta$",
    "$ a + b",
    "5$ and 6$",
    "soup",
    "deep soup",
]
prose = st.lists(st.sampled_from([*FORMULAS, "plain words here", "the end.\n\n"]), min_size=1, max_size=60)


@given(prose, st.integers(0, 200))
def test_no_formula_is_cut(parts: list[str], filler: int) -> None:
    """Signs that open a formula and signs that close one are as many in a snippet as in whole formulas."""
    whole = FORMULAS[:3]
    kept = [part for part in parts if "$" not in part or part in whole]
    text = " ".join(["word " * filler, *kept])
    for shown in (snippets.in_context(text, sought("soup")), snippets.opening(text)):
        rest = shown
        for formula in whole:
            rest = rest.replace(formula, "")
        assert "$" not in rest


@pytest.mark.parametrize("formula", ["$a + b = c$", "$$a + b = c$$", "$" + "x+" * 100 + "y$"])
def test_a_formula_at_the_edge_is_whole_or_left_out(formula: str) -> None:
    for before in range(150, 260):
        text = f"soup {'x' * before} {formula} {'More words. ' * 40}"
        assert snippets.in_context(text, sought("soup")).count("$") in {0, formula.count("$")}


def test_a_snippet_from_a_text_with_a_lone_sign_still_shows_the_word() -> None:
    text = f"It costs 5$ a plate. {'Filler words. ' * 40} The soup was $ 3. {'More filler. ' * 40}"
    assert "[[[soup]]]" in snippets.in_context(text, sought("soup"))


def test_a_formula_longer_than_any_snippet_is_left_out() -> None:
    giant = f"$${'soup + ' * 200}$$"
    assert snippets.in_context(f"Before {giant} after.", sought("soup")) == "Before …"
    assert snippets.in_context(f"{giant} after.", sought("soup")) == ""


@pytest.mark.parametrize("text", ["plain words", "Größe", "语言模型"])
def test_without_words_nothing_is_marked(text: str) -> None:
    assert list(QueryTerms().marks(text)) == []
    assert snippets.in_context(text, QueryTerms()) == ""

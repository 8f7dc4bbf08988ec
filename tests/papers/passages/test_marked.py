"""Passages as pages show them."""

import pytest

from papercore.passages.ranking import sought_in
from papers.passages.marked import MarkedPassage, in_sentences, marked_passage, marked_words, plain_passage


def test_the_sentence_with_most_of_the_words_is_set_apart() -> None:
    marked = marked_passage("Owls sleep. Owls hunt by *ear* at night. Nobody knows more.", sought_in("do owls hunt?"))
    assert marked == MarkedPassage("[[[Owls]]] sleep.", "[[[Owls]]] [[[hunt]]] by ear at night.", "Nobody knows more.")


@pytest.mark.parametrize("quote", ["- Owls hunt.", "> Owls hunt.", "12. Owls hunt.", "Owls hunt."])
def test_the_sign_of_a_list_or_a_quotation_is_left_out(quote: str) -> None:
    assert marked_passage(quote, sought_in("owls")) == MarkedPassage("[[[Owls]]] hunt.")
    assert plain_passage(quote) == "Owls hunt."


def test_a_table_is_shown_by_rows() -> None:
    table = "| bird | hunts |\n|:-----|------:|\n| owl  | by *ear* |"
    assert marked_passage(table, sought_in("owl")).rows == [["bird", "hunts"], ["[[[owl]]]", "by ear"]]


def test_the_s_of_a_possessive_is_no_word_and_a_formula_stays_whole() -> None:
    marked = marked_passage("The owl’s weight is $s + owl$ kilos.", sought_in("an owl's weight"))
    assert marked.before == "The [[[owl]]]’s [[[weight]]] is $s + owl$ kilos."


def test_in_one_line_a_table_is_its_cells() -> None:
    table = "| bird | hunts |\n|---|:---|\n| owl | by ear |\n| | |"
    assert marked_words(table, sought_in("owl")) == "bird · hunts · [[[owl]]] · by ear"


def test_a_snippet_keeps_the_sentences_in_the_script_of_the_question() -> None:
    mixed = "Cats weigh four kilos. 猫重四公斤。 | cat | kilos | 4 |"
    assert in_sentences(mixed, cjk=False) == "Cats weigh four kilos."
    assert in_sentences(mixed, cjk=True) == "猫重四公斤。"
    assert in_sentences("Cats purr.", cjk=True) == "Cats purr."

"""A quote is found whatever its spaces, hyphens, quotation marks and case; anything else must be as in the text."""

import pytest

from papercore.passages import Quotable
from tests.growth import grows_too_fast

TEXT = """\
The *self-attention* layer — as in [Bahdanau](https://example.org/a_b) — "attends" to all
positions. GPT-2 scored −5 points, i.e. 10–20 % less than `BERT_base`. Straße und ﬁne trans-
former. 注意力机制 与深度学习。
"""


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("self-attention layer", "self-attention* layer"),
        ("SELF ATTENTION   layer as in Bahdanau", "self-attention* layer — as in [Bahdanau"),
        ("“attends” to all positions.", 'attends" to all\npositions.'),
        ("GPT2 scored -5 points", "GPT-2 scored −5 points"),
        ("10-20 % less than BERT_base", "10–20 % less than `BERT_base"),
        ("fine transformer", "ﬁne trans-\nformer"),
        ("注意力机制与深度学习", "注意力机制 与深度学习"),
    ],
)
def test_a_quote_is_found_where_it_is(quote: str, found: str) -> None:
    place = Quotable(TEXT).find(quote)
    assert place is not None
    assert TEXT[slice(*place)] == found


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("İİİİab", "ab", "ab"),
        ("groß, größer", "GRÖSSER", "größer"),
        ("aß", "ss", "ß"),
        ("oﬃce hours", "hours", "hours"),
    ],
)
def test_letters_that_are_compared_as_two_do_not_move_a_quote(text: str, quote: str, found: str) -> None:
    place = Quotable(text).find(quote)
    assert place is not None
    assert text[slice(*place)] == found


@pytest.mark.parametrize(
    "quote",
    [
        "GPT-2 scored 5 points",
        "1020 % less",
        "attends to most positions",
        "attends to all positions, GPT",
        "the layer attends",
        "attends ... positions",
        "",
        "---",
    ],
)
def test_anything_else_is_not_found(quote: str) -> None:
    assert Quotable(TEXT).find(quote) is None


def test_a_repeated_quote_is_found_from_a_place_on_or_else_before_it() -> None:
    text = Quotable("It is so. Or not. It is so.")
    assert text.find("it is so", 10) == (18, 26)
    assert text.find("or not", 18) == (10, 16)
    assert text.find("it is so", 10**6) == (0, 8)


@pytest.mark.parametrize("part", ["-", "- 1", "*a ", "[a](", "_ ", "![", "a", "\\", " "])
def test_quotes_are_looked_for_in_linear_time(part: str) -> None:
    assert not grows_too_fast(lambda text: Quotable(text).find("nowhere"), lambda size: part * size, 3_000)


def test_marks_of_notes_and_citations_are_no_words_of_a_quote() -> None:
    text = Quotable(r"Owls[^1] hunt \citep[p.~3]{ames} by *ear*.")
    assert text.find("Owls hunt by ear.")
    assert text.find("Owls hunt by eye.") is None

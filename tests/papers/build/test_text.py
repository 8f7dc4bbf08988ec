"""Texts, dates and names on their way into a snapshot."""

import pytest

from papers.build.author_names import natural_name, surname
from papers.build.dates import date_text, parse_date
from papers.build.text import clean_line, clean_text, plain_text, preview, spaced_cjk


def test_plain_text_keeps_words_and_drops_markup_tables_and_code() -> None:
    markdown = (
        "# Title\n\nThe **Transformer**, a\nmodel with `softmax` and [links](https://example.org).\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```mermaid\ngraph LR\n```\n\n- $x^2$ item <b>bold</b>\n\n![figure](f.png)\n"
    )
    assert plain_text(markdown) == ("Title The Transformer, a model with softmax and links. $x^2$ item bold figure")


def test_a_preview_is_at_most_320_characters() -> None:
    assert preview("x" * 320) == "x" * 320
    assert preview("word " * 100).endswith("…")
    assert len(preview("x" * 321)) == 320


def test_cjk_characters_get_blanks_between_them_and_other_words_do_not() -> None:
    assert spaced_cjk("深度学习 with BERT模型") == "深 度 学 习 with BERT模 型"


def test_what_no_text_should_hold_is_removed() -> None:
    assert clean_text("a\x00b\r\nc\ud800\x1b[31m\x9b") == "ab\nc[31m"
    assert clean_line(" a \u2003 b\n\tc ") == "a b c"


@pytest.mark.parametrize(
    ("text", "year", "month"),
    [
        ("2017-06-12", "2017", "06"),
        ("2021-13", "2021", "unknown"),
        ("June 2017", "2017", "06"),
        ("Sept. 1999", "1999", "09"),
        ("Decision of 2001", "2001", "unknown"),
        ("1865", "1865", "unknown"),
        ("in press", "unknown", "unknown"),
        ("20170612", "2017", "unknown"),
    ],
)
def test_dates_are_understood_as_far_as_they_go(text: str, year: str, month: str) -> None:
    date = parse_date(text)
    assert (date.year, date.month) == (year, month)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("2020", "5", "7"), "2020-05-07"),
        (("2020", "Aug 23–Aug 27"), "2020-08"),
        (("2020", "13"), "2020"),
        (("2020", "spring"), "2020"),
        (("to appear", "5"), "to appear"),
    ],
)
def test_separate_parts_make_one_date(parts: tuple[str, ...], expected: str) -> None:
    assert date_text(*parts) == expected


@pytest.mark.parametrize(
    ("name", "natural", "last"),
    [
        ("Knuth, Donald E.", "Donald E. Knuth", "knuth"),
        ("King, Jr., Martin Luther", "Martin Luther King Jr.", "king"),
        ("King, Martin Luther, Jr.", "Martin Luther King Jr.", "king"),
        ("Jürgen Schmidhuber", "Jürgen Schmidhuber", "schmidhuber"),
        ("Veličković, Petar", "Petar Veličković", "velickovic"),
        ("李明", "李明", "李明"),
        (" , ", "", ""),
    ],
)
def test_names_read_forwards_and_compare_by_surname(name: str, natural: str, last: str) -> None:
    assert natural_name(name) == natural
    assert surname(name) == last

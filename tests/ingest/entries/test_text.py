"""Texts as they go into a snapshot."""

import pytest

from ingest.entries.text import natural_name, plain_text, preview, spaced_cjk, surname
from papercore.text import clean_text, one_line


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


def test_control_characters_are_removed() -> None:
    assert clean_text("a\x00b\r\nc\ud800\x1b[31m\x9b") == "ab\nc[31m"
    assert one_line(" a \u2003 b\n\tc ") == "a b c"


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
def test_given_names_come_first_and_names_compare_by_surname(name: str, natural: str, last: str) -> None:
    assert natural_name(name) == natural
    assert surname(name) == last

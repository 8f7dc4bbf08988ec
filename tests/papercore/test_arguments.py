"""Texts that callers pass: cleaned of control characters, and refused when nothing is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from papercore.tool import is_visible, visible_text
from papers.catalogue.schemas import Query, Value

# U+0000, a bell, an escape, a zero-width space, a byte order mark, a wide blank, half a surrogate pair.
INVISIBLE = ["\0", "\0\0", "\a", "\x1b", "\u200b", "\ufeff", "\u3000", "\ud800", " \0 "]


@pytest.mark.parametrize("text", INVISIBLE)
def test_a_text_without_anything_to_see_is_refused_even_where_a_blank_one_asks_for_everything(text: str) -> None:
    for kind in (Value, Query):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python(text)


def test_a_blank_query_stays_a_query_for_everything() -> None:
    assert [TypeAdapter(Query).validate_python(text) for text in ("", "  ", "\n")] == ["", "  ", "\n"]


def test_control_characters_within_a_text_become_blanks() -> None:
    assert visible_text("deep\0learning\x07\n2\ud800") == "deep learning \n2 "


@given(st.text(st.characters(), max_size=20))
def test_what_passes_has_something_to_see_and_no_control_character(text: str) -> None:
    if is_visible(text):
        cleaned = visible_text(text)
        assert "\0" not in cleaned
        assert cleaned.strip()
        assert cleaned.encode()

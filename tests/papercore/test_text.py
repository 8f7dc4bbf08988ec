"""Letters and words that every package shares."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from papercore import text


@pytest.mark.parametrize(
    ("ranges", "inside", "outside"),
    [
        (text.CJK, "漢かカ한豈", "々〇，ﾃ a"),
        (text.CJK_AND_SIGNS, "漢かカ한豈々〇", "，ﾃ a"),
        (text.CJK_INDEXED, "漢かカ한豈々𠀀", "〇・，ﾃ a"),
        (text.CJK_BLOCKS, "漢かカ한豈々〇ﾃ。", "，Ａ a"),
        (text.CJK_BLOCKS_AND_FORMS, "漢かカ한豈々〇ﾃ。，Ａ", " a"),
    ],
)
def test_each_range_has_its_characters(ranges: str, inside: str, outside: str) -> None:
    assert re.findall(f"[{ranges}]", inside + outside) == list(inside)


def test_stems_are_the_same_in_every_thread() -> None:
    words = ["searching", "libraries", "papers"] * 50
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(text.stem, words)) == ["search", "librari", "paper"] * 50


def test_accents_are_removed_and_letters_stay() -> None:
    assert text.without_accents("Jürgen Ǻ ø") == "Jurgen A ø"


def test_words_that_name_a_method_stay_in_a_request() -> None:
    assert {"one", "few"} <= text.STOP_WORDS - text.REQUEST_STOP_WORDS


def test_a_text_that_is_too_long_says_how_much_is_left() -> None:
    assert text.truncate("abcde", 5) == "abcde"
    assert text.truncate("abcdefg", 5) == "abcde\n\n[truncated: 2 more characters]"

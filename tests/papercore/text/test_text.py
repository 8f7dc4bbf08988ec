"""Letters and words that every package shares."""

import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer

from papercore import text
from papercore.text import cjk_language


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


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads interrupt each other after every few instructions, and no stem is remembered from before."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    text.stem.cache_clear()
    yield
    sys.setswitchinterval(interval)
    text.stem.cache_clear()


@pytest.mark.usefixtures("eager_threads")
def test_stems_are_right_while_other_threads_stem_other_words() -> None:
    roots = ["search", "librari", "represent", "connect"]
    words = [f"x{number}{root}{end}" for number in range(150) for root in roots for end in ("ing", "ations", "fulness")]
    stemmer = snowballstemmer.stemmer("english")
    expected = [stemmer.stemWord(word) for word in words]
    parts = [range(start, len(words), 4) for start in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda part: [text.stem(words[place]) for place in part], parts))
    assert found == [[expected[place] for place in part] for part in parts]


def test_accents_are_removed_and_letters_stay() -> None:
    assert text.without_accents("Jürgen Ǻ ø") == "Jurgen A ø"


def test_words_that_name_a_method_stay_in_a_request() -> None:
    assert {"one", "few"} <= text.STOP_WORDS - text.REQUEST_STOP_WORDS


def test_a_text_that_is_too_long_says_how_much_is_left() -> None:
    assert text.truncate("abcde", 5) == "abcde"
    assert text.truncate("abcdefg", 5) == "abcde\n\n[truncated: 2 more characters]"


@pytest.mark.parametrize(("text", "tag"), [("めざまし時計", "ja"), ("알람 시계", "ko"), ("闹钟", "zh"), ("clock", "")])
def test_the_script_of_a_text_decides_its_language(text: str, tag: str) -> None:
    assert cjk_language(text) == tag


def test_sentences_end_in_any_script() -> None:
    assert text.sentences("One. Two! 三。四？ Five") == ["One.", "Two!", "三。", "四？", "Five"]


def test_a_sentence_goes_on_after_an_abbreviation_and_ends_with_its_paragraph() -> None:
    assert text.sentences("As Vaswani et al. Show in Fig. 2\n\nNext. ") == ["As Vaswani et al. Show in Fig. 2", "Next."]


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (text.words_of, ["fooBar", "Über", "state", "of", "the", "art", "漢字"]),
        (text.folded_words, ["foobar", "uber", "state", "of", "the", "art漢字"]),
        (text.hyphenated_words, ["foobar", "über", "state-of-the-art漢字"]),
    ],
)
def test_each_purpose_splits_words_in_its_way(split: Callable[[str], list[str]], words: list[str]) -> None:
    assert split("fooBar, Über state-of-the-art漢字") == words


def test_identifiers_are_made_of_words_and_runs_of_characters_of_pairs() -> None:
    assert text.identifier_parts("HTTPServer_utf8") == ["HTTP", "Server", "utf", "8"]
    assert text.cjk_pairs("漢字語") == ["漢字", "字語"]
    assert text.cjk_pairs("漢") == ["漢"]


def test_rare_words_count_more_and_long_texts_less() -> None:
    texts = [{"common": 1.0, "rare": 1.0}, {"common": 1.0}, {"common": 1.0, "other": 9.0}]
    weights = {term: text.rarity(sum(term in words for words in texts), len(texts)) for term in ("common", "rare")}
    with_both, short, long = text.bm25_scores(texts, weights)
    assert with_both > short > long > 0
    assert text.bm25_scores([], weights) == []

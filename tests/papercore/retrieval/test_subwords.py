"""Words are split as the package tokenizers splits them."""

import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from papercore.retrieval.basics import analysis
from papercore.retrieval.vectors.subwords import Subwords
from papercore.retrieval.vectors.word_vectors import WordVectors

DEMO = Path(__file__).parents[3] / "papers" / "demo"
LETTERS = (
    "abcdefghijklmnopqrstuvwxyz",
    "éäøßñçžđłő",
    "абвгд",
    "αβγδ",
    "深度学习网络",
    "ひらカタ",
    "한국어",
    "0123456789",
    "😂🏣",
)


@pytest.fixture(scope="module")
def subwords() -> Subwords:
    return Subwords.read(WordVectors.load().tokenizer_file)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(WordVectors.load().tokenizer_file))


def made_words(chance: random.Random) -> list[str]:
    """Words of one script, mostly, and of several."""
    scripts = [chance.choices(LETTERS, k=chance.choice([1, 1, 3])) for _ in range(5_000)]
    return ["".join(chance.choice(chance.choice(own)) for _ in range(chance.randint(1, 20))) for own in scripts]


def expected(tokenizer: Tokenizer, words: list[str]) -> list[list[int]]:
    return [item.ids for item in tokenizer.encode_batch(words, add_special_tokens=False)]


def test_the_words_of_texts(subwords: Subwords, tokenizer: Tokenizer) -> None:
    texts = [path.read_text(encoding="utf-8") for path in DEMO.rglob("*.md")]
    words = sorted({word for text in texts for word in analysis.words(text)})
    assert len(words) > 5_000
    assert [subwords.of(word) for word in words] == expected(tokenizer, words)


def test_words_in_any_script(subwords: Subwords, tokenizer: Tokenizer) -> None:
    words = made_words(random.Random(1))
    assert [subwords.of(word) for word in words] == expected(tokenizer, words)


def test_the_whole_vocabulary(subwords: Subwords, tokenizer: Tokenizer) -> None:
    words = [word for word in subwords.numbers if word.isalnum()]
    assert len(words) > 10_000
    assert [subwords.of(word) for word in words] == expected(tokenizer, words)


@pytest.mark.parametrize("word", ["", " ", "two words", "\0", "\U0010ffff", "tttt", "a" * 500])
def test_odd_words(subwords: Subwords, tokenizer: Tokenizer, word: str) -> None:
    assert [subwords.of(word)] == expected(tokenizer, [word])

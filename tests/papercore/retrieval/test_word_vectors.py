"""Word vectors: loaded from the installed package, offline, and additive over subwords."""

import numpy as np

from papercore.retrieval.vectors.word_vectors import WordVectors


def cosine(one: str, other: str) -> float:
    vectors = WordVectors.load()
    left, right = vectors.word(one), vectors.word(other)
    return float(left @ right / (np.linalg.norm(left) * np.linalg.norm(right)))


def test_loading_twice_gives_the_same_table() -> None:
    assert WordVectors.load() is WordVectors.load()
    assert WordVectors.load().model_id.startswith("wordllama-")


def test_a_word_is_the_sum_of_its_subword_rows() -> None:
    vectors = WordVectors.load()
    rows = vectors.tokenizer.encode("retransformed", add_special_tokens=False).ids
    assert len(rows) > 1
    np.testing.assert_allclose(
        vectors.word("retransformed"), vectors.table[rows].sum(axis=0, dtype=np.float32), rtol=1e-5
    )
    assert vectors.word("retransformed").dtype == np.float32
    assert vectors.word("retransformed").shape == (vectors.dimensions,)


def test_many_words_at_once_are_the_same_as_one_by_one() -> None:
    vectors = WordVectors.load()
    words = ["paper", "", "Jürgen", "深度学习", "paper", "x" * 9_999]
    np.testing.assert_allclose(vectors.words(words), np.stack([vectors.word(word) for word in words]), atol=1e-5)
    assert not vectors.words([""]).any()
    assert vectors.words([]).shape == (0, vectors.dimensions)


def test_words_of_like_meaning_are_nearer_than_others() -> None:
    assert cosine("car", "automobile") > cosine("car", "theorem")

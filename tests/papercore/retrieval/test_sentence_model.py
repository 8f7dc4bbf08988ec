"""An ONNX sentence model in a folder: loaded, used for the candidates, tied to the index."""

from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval import Document, IndexFolder, Matrix, Request, SentenceModel, Vector, build_index
from papercore.retrieval.ranking.sentence_scores import SentenceScores
from papercore.retrieval.vectors.arrays import Rows
from papercore.retrieval.vectors.meaning import NO_ROWS, ScoredRows
from papercore.retrieval.vectors.sentence_model import _pooled
from tests.papercore.retrieval.collection import FACETS, PAPERS, build_filled, found, opened
from tests.papercore.retrieval.tiny_model import write_model


@pytest.fixture
def model(tmp_path: Path) -> SentenceModel:
    return SentenceModel.load(write_model(tmp_path / "tiny"))


def test_texts_become_rows_of_length_one(model: SentenceModel) -> None:
    vectors = model.encode(["soup", "broth and more", "car"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert vectors[0] @ vectors[1] > 0.9 > 0.1 > vectors[0] @ vectors[2]


def test_many_texts_of_any_length_keep_their_order(model: SentenceModel) -> None:
    texts = [("soup " if number % 3 else "car ") * (number * 7 % 40 + 1) for number in range(50)]
    np.testing.assert_allclose(model.encode(texts), np.stack([model.vector(text) for text in texts]), rtol=1e-5)


def test_the_model_orders_the_candidates(tmp_path: Path, model: SentenceModel) -> None:
    build_filled(tmp_path / "index", PAPERS, model, build_id="one")
    index = opened(tmp_path / "index", model=model)
    assert found(index, "car")[0] == "cars"
    assert found(index, "vegetable soup or broth")[0] == "soup"


def test_by_meaning_alone_the_model_ranks(tmp_path: Path, model: SentenceModel) -> None:
    """By the word vectors each paper is nearest to its own words; the tiny model knows only two senses."""
    build_filled(tmp_path / "index", PAPERS, model, build_id="one")
    index = opened(tmp_path / "index", model=model)
    text = "car deep residual learning for pictures, image recognition and vegetable cooking"
    assert found(index, text, mode="meaning")[0] == "cars"
    build_index(tmp_path / "plain", PAPERS, facets=FACETS, build_id="one")
    assert found(opened(tmp_path / "plain"), text, mode="meaning")[0] == "resnet"


def test_an_index_of_another_model_is_searched_as_without_one_until_it_is_built_again(
    tmp_path: Path, model: SentenceModel
) -> None:
    build_index(tmp_path / "plain", PAPERS, facets=FACETS, build_id="one")
    plain = opened(tmp_path / "plain").search(Request("a soup of vegetables"))
    build_filled(tmp_path / "index", PAPERS, model, build_id="one")
    other = SentenceModel.load(write_model(tmp_path / "other", scale=2.0))
    for another in (other, None):
        index = IndexFolder(tmp_path / "index", another).open("one")
        assert index is not None
        assert index.has_meaning
        assert index.generation.sentences is None
        assert index.search(Request("a soup of vegetables")) == plain


def test_unchanged_documents_keep_their_sentence_vectors(tmp_path: Path, model: SentenceModel) -> None:
    path = tmp_path / "index"
    build_filled(path, PAPERS, model, build_id="one")
    build_filled(path, PAPERS[::-1], model, build_id="two")
    one, two = opened(path, "one", model).generation, opened(path, "two", model).generation
    assert one.sentences is not None
    assert two.sentences is not None
    rows = np.arange(len(PAPERS))
    np.testing.assert_array_equal(one.sentences.of(rows), two.sentences.of(rows)[::-1])


def test_the_model_finds_what_neither_words_nor_word_vectors_find(tmp_path: Path, model: SentenceModel) -> None:
    """The tiny model knows `broth` and `Soup` as one; the two words have nothing else in common with the paper."""
    papers = [Document("soup", "Soup", "Soup"), *(Document(str(number), f"car {number}") for number in range(30))]
    build_filled(tmp_path / "index", papers, model, facets=(), build_id="one")
    index = opened(tmp_path / "index", model=model)
    assert index.generation.sentences is not None
    assert index.generation.sentences.nearest(model.vector("broth"), 3).rows[0] == 0
    scores = SentenceScores.of(index.generation, "broth")
    assert scores is not None
    assert scores.nearest(share=0.6).tolist() == [0]


def test_a_model_for_other_languages_leaves_known_words_alone(tmp_path: Path, model: SentenceModel) -> None:
    folder = write_model(tmp_path / "foreign")
    (folder / "model.json").write_text('{"for_other_languages": true}')
    foreign = SentenceModel.load(folder)
    build_filled(tmp_path / "index", PAPERS, foreign, build_id="one")
    build_index(tmp_path / "plain", PAPERS, facets=FACETS, build_id="one")
    index, plain = opened(tmp_path / "index", model=foreign), opened(tmp_path / "plain")
    assert SentenceScores.of(index.generation, "image recognition") is None
    assert found(index, "image recognition") == found(plain, "image recognition")
    asked = SentenceScores.of(index.generation, "broth zzz qqq vvv")
    assert asked is not None
    assert asked.across_languages
    assert found(index, "broth zzz qqq vvv")[0] == "soup"


def test_a_model_of_english_is_not_asked_what_it_cannot_read(tmp_path: Path, model: SentenceModel) -> None:
    build_filled(tmp_path / "index", PAPERS, model, build_id="one")
    generation = opened(tmp_path / "index", model=model).generation
    assert model.reads("soup")
    assert not model.reads("蔬菜汤 soup")
    assert SentenceScores.of(generation, "蔬菜汤 soup") is None
    french = SentenceScores.of(generation, "la soupe et le car dans une maison")
    assert french is not None
    assert not french.understands


def test_a_model_with_a_chinese_vocabulary_reads_chinese(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "chinese")
    path = folder / "tokenizer.json"
    path.write_text(path.read_text(encoding="utf-8").replace("broth", "汤"), encoding="utf-8")
    assert SentenceModel.load(folder).reads("蔬菜汤")


class HalfFilled:
    """Every second document has a vector."""

    def __init__(self, cosines: list[float]) -> None:
        self.rows = np.array([[cosine, 0] if row % 2 else [np.nan] * 2 for row, cosine in enumerate(cosines)])

    def of(self, rows: Rows) -> Matrix:
        return np.asarray(self.rows[rows], dtype=np.float32)

    def nearest(self, vector: Vector, count: int) -> ScoredRows:
        return NO_ROWS


def test_documents_without_a_vector_yet_neither_gain_nor_lose(model: SentenceModel) -> None:
    """By words half of the documents are as good as the other half; the model agrees, more or less."""
    otherwise = np.repeat(np.linspace(0, 1, 50, dtype=np.float32), 2)
    cosines = [0.6 + 0.2 * float(score) + (0.05 if row % 4 > 1 else -0.05) for row, score in enumerate(otherwise)]
    scores = SentenceScores(model, HalfFilled(cosines), np.array([1, 0], dtype=np.float32), across_languages=False)
    rows = np.arange(100)
    found_scores = scores.of_candidates(rows, otherwise)
    assert found_scores is not None
    with_vector, without = found_scores[1::2], found_scores[0::2]
    assert abs(with_vector.mean() - without.mean()) < 0.01
    best = np.argsort(-(otherwise + found_scores))[:20]
    assert 5 <= (best % 2).sum() <= 15
    assert scores.of_candidates(rows[:18], otherwise[:18]) is None
    assert not scores.knows_nearest


def test_a_folder_without_a_model_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="tokenizer"):
        SentenceModel.load(tmp_path)


def test_a_model_may_give_one_vector_a_sentence() -> None:
    output = np.ones((2, 3), dtype=np.float32)
    assert _pooled(output, np.ones((2, 5), dtype=np.int64)) is output

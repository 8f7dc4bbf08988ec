"""An ONNX sentence model in a folder: loaded, used for the candidates, tied to the index."""

from pathlib import Path

import numpy as np
import pytest

from papercore.retrieval import IndexFolder, Request, SentenceModel, build_index
from papercore.retrieval.sentence_model import _pooled
from tests.papercore.retrieval.collection import FACETS, PAPERS, found, opened
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
    build_index(tmp_path / "index", PAPERS, facets=FACETS, build_id="one", model=model)
    index = opened(tmp_path / "index", model=model)
    assert found(index, "car")[0] == "cars"
    assert found(index, "broth")[0] == "soup"


def test_by_meaning_alone_the_model_ranks(tmp_path: Path, model: SentenceModel) -> None:
    """By the word vectors each paper is nearest to its own words; the tiny model knows only two senses."""
    build_index(tmp_path / "index", PAPERS, facets=FACETS, build_id="one", model=model)
    index = opened(tmp_path / "index", model=model)
    text = "car deep residual learning for pictures, image recognition and vegetable cooking"
    assert found(index, text, mode="meaning")[0] == "cars"
    build_index(tmp_path / "plain", PAPERS, facets=FACETS, build_id="one")
    assert found(opened(tmp_path / "plain"), text, mode="meaning")[0] == "resnet"


def test_an_index_of_another_model_serves_words_until_it_is_built_again(tmp_path: Path, model: SentenceModel) -> None:
    build_index(tmp_path / "index", PAPERS, facets=FACETS, build_id="one", model=model)
    other = SentenceModel.load(write_model(tmp_path / "other", scale=2.0))
    for another in (other, None):
        index = IndexFolder(tmp_path / "index", another).open("one")
        assert index is not None
        assert not index.has_meaning
        assert index.search(Request("soup")).mode == "words"
        assert found(index, "soup") == ["soup"]


def test_unchanged_documents_keep_their_sentence_vectors(tmp_path: Path, model: SentenceModel) -> None:
    path = tmp_path / "index"
    build_index(path, PAPERS, facets=FACETS, build_id="one", model=model)
    build_index(path, PAPERS[::-1], facets=FACETS, build_id="two", model=model)
    one, two = opened(path, "one", model).generation, opened(path, "two", model).generation
    assert one.sentences is not None
    assert two.sentences is not None
    rows = np.arange(len(PAPERS))
    np.testing.assert_array_equal(one.sentences.of(rows), two.sentences.of(rows)[::-1])


def test_a_folder_without_a_model_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="tokenizer"):
        SentenceModel.load(tmp_path)


def test_a_model_may_give_one_vector_a_sentence() -> None:
    output = np.ones((2, 3), dtype=np.float32)
    assert _pooled(output, np.ones((2, 5), dtype=np.int64)) is output

"""An ONNX sentence model in a folder: loaded, used for the candidates, tied to the index."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from papercore.retrieval import IndexFolder, Request, SentenceModel, build_index
from tests.papercore.retrieval.collection import FACETS, PAPERS, found, opened

VOCABULARY = {"[UNK]": 0, "soup": 1, "broth": 2, "Soup": 3, "car": 4, "Automobiles": 5}
SENSES = [0, 1, 1, 1, 2, 2]


def write_model(folder: Path, scale: float = 1.0) -> Path:
    """A model that looks up one vector per token: words of one sense have the same."""
    folder.mkdir()
    table = np.eye(3, dtype=np.float32)[SENSES] * scale
    table[0] *= 0.01
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    hidden = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 3])
    lookup = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph([lookup], "tiny", [ids], [hidden], [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "model.onnx")
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


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
    np.testing.assert_array_equal(one.sentences, two.sentences[::-1])


def test_a_folder_without_a_model_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="tokenizer"):
        SentenceModel.load(tmp_path)

"""A sentence model of six words in a folder, for tests."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

VOCABULARY = {"[UNK]": 0, "soup": 1, "broth": 2, "Soup": 3, "car": 4, "Automobiles": 5}
SENSES = [0, 1, 1, 1, 2, 2]


def write_model(folder: Path, scale: float = 1.0) -> Path:
    """A model that looks up one vector per token: words of one sense have the same."""
    folder.mkdir()
    table = np.eye(3, dtype=np.float32)[SENSES] * scale
    table[0] = 0
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

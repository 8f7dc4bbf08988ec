"""Writes the network of a model pack as an ONNX file with 32-bit arithmetic: onnxruntime's 8 bits cost much quality."""

from pathlib import Path

import numpy as np

from papercore.sentence_models.model_pack import ModelPack
from papercore.sentence_models.onnx_file import Network

# Added to the attention paid to padding, which leaves none.
MASKED = -1e9


def write_onnx(pack: ModelPack, path: Path) -> None:
    """Write a network from token numbers to one vector a text."""
    _Transformer(pack).write(path)


class _Transformer:
    """An encoder of the RoBERTa family."""

    def __init__(self, pack: ModelPack) -> None:
        self.sizes = pack.architecture
        self.tensors = pack.tensors
        self.network = Network("sentence_model")

    def write(self, path: Path) -> None:
        add, sizes = self.network.add, self.sizes
        mask = self._mask()
        states = self._embedded()
        for layer in range(sizes.layers - 1):
            states = self._rest(layer, self._attention(layer, states, mask), states)
        # A text's vector is that of its first token: the others are not needed after the last attention.
        last = sizes.layers - 1
        attended = self._first_token(self._attention(last, states, mask))
        states = self._rest(last, attended, self._first_token(states))
        vector = add("Reshape", states, self.network.numbers(-1, sizes.hidden))
        inputs = {"input_ids": ("texts", "tokens"), "attention_mask": ("texts", "tokens")}
        self.network.write(path, inputs, vector, ("texts", sizes.hidden))

    def _mask(self) -> str:
        add = self.network.add
        absent = add("Sub", self.network.number(1.0), add("Cast", "attention_mask", to=1))
        return add("Unsqueeze", add("Mul", absent, self.network.number(MASKED)), self.network.numbers(1, 2))

    def _embedded(self) -> str:
        """The tokens' vectors with those of their positions, which count from an offset."""
        add, numbers = self.network.add, self.network.numbers
        offset = numbers(self.sizes.position_offset)
        length = add("Gather", add("Shape", "input_ids"), numbers(1))
        positions = self.network.constant(self.tensors["pos_emb"] + self.tensors["type_emb"][0])
        used = add("Slice", positions, offset, add("Add", length, offset), numbers(0))
        tokens = add("Gather", self.network.constant(self.tensors["word_emb"]), "input_ids")
        return self._normalised("emb_ln", add("Add", tokens, used))

    def _attention(self, layer: int, states: str, mask: str) -> str:
        add, numbers, sizes = self.network.add, self.network.numbers, self.sizes
        width = sizes.hidden // sizes.heads
        joined = self._linear(f"l{layer}.qkv", states)
        parts = self.network.add_many("Split", [joined], 3, {"axis": 2})
        by_head = [add("Reshape", part, numbers(0, 0, sizes.heads, width)) for part in parts]
        queries, values = (add("Transpose", by_head[number], perm=(0, 2, 1, 3)) for number in (0, 2))
        keys = add("Transpose", by_head[1], perm=(0, 2, 3, 1))
        scores = add("Mul", add("MatMul", queries, keys), self.network.number(width**-0.5))
        shares = add("Softmax", add("Add", scores, mask), axis=-1)
        mixed = add("Transpose", add("MatMul", shares, values), perm=(0, 2, 1, 3))
        return add("Reshape", mixed, numbers(0, 0, sizes.hidden))

    def _rest(self, layer: int, attended: str, states: str) -> str:
        """What follows the attention in a layer."""
        add = self.network.add
        states = self._normalised(f"l{layer}.aln", add("Add", self._linear(f"l{layer}.ao", attended), states))
        inner = self._linear(f"l{layer}.f1", states)
        # GELU: x / 2 * (1 + erf(x / sqrt(2))).
        share = add("Add", add("Erf", add("Div", inner, self.network.number(2**0.5))), self.network.number(1.0))
        active = add("Mul", add("Mul", inner, share), self.network.number(0.5))
        return self._normalised(f"l{layer}.fln", add("Add", self._linear(f"l{layer}.f2", active), states))

    def _first_token(self, states: str) -> str:
        numbers = self.network.numbers
        return self.network.add("Slice", states, numbers(0), numbers(1), numbers(1))

    def _linear(self, name: str, inputs: str) -> str:
        weights = self.network.constant(np.ascontiguousarray(self.tensors[f"{name}.w"].T))
        product = self.network.add("MatMul", inputs, weights)
        return self.network.add("Add", product, self.network.constant(self.tensors[f"{name}.b"]))

    def _normalised(self, name: str, inputs: str) -> str:
        scale, shift = (self.network.constant(self.tensors[f"{name}.{part}"]) for part in ("w", "b"))
        return self.network.add("LayerNormalization", inputs, scale, shift, axis=-1, epsilon=self.sizes.layer_norm_eps)

"""Writes a network as an ONNX file. The format is a protocol buffer, and the few messages it takes are written here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from struct import pack

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32] | NDArray[np.int64] | NDArray[np.uint8]
# The first with LayerNormalization, and the version of the format that has it.
_OPERATORS, _FORMAT = 17, 8
_FLOAT, _BYTE, _INT64 = 1, 2, 7
_TYPES = {np.dtype(np.float32): _FLOAT, np.dtype(np.uint8): _BYTE, np.dtype(np.int64): _INT64}
# Types of attributes.
_FLOAT_VALUE, _INT_VALUE, _INT_LIST = 1, 2, 7


@dataclass
class Network:
    """A network in the making: constants and operations, each of which is known by the name of its result."""

    name: str
    _nodes: list[bytes] = field(default_factory=list)
    _constants: list[tuple[str, Tensor]] = field(default_factory=list)

    def constant(self, value: Tensor) -> str:
        name = f"constant{len(self._constants)}"
        self._constants.append((name, value))
        return name

    def numbers(self, *values: int) -> str:
        """A list of whole numbers, such as a shape."""
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def add(self, operation: str, *inputs: str, **attributes: float | Sequence[int]) -> str:
        """An operation with one result."""
        return self.add_many(operation, inputs, 1, attributes)[0]

    def add_many(
        self, operation: str, inputs: Sequence[str], results: int, attributes: Mapping[str, float | Sequence[int]]
    ) -> list[str]:
        names = [f"{operation}{len(self._nodes)}.{number}" for number in range(results)]
        parts = [*(_text(1, name) for name in inputs), *(_text(2, name) for name in names), _text(4, operation)]
        parts += [_field(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join(parts))
        return names

    def write(self, path: Path, inputs: Mapping[str, Sequence[str]], output: str, shape: Sequence[str | int]) -> None:
        """Write the file: inputs are whole numbers, given with the names of their dimensions; the output is floats."""
        graph = [_field(1, node) for node in self._nodes]
        graph.append(_text(2, self.name))
        graph += [part for name, value in self._constants for part in _constant(name, value)]
        graph += [_field(11, _value(name, _INT64, dimensions)) for name, dimensions in inputs.items()]
        graph.append(_field(12, _value(output, _FLOAT, shape)))
        size = sum(map(len, graph))
        head = _number(1, _FORMAT) + _field(8, _number(2, _OPERATORS)) + _tag(7, 2) + _varint(size)
        with path.open("wb") as file:
            file.writelines([head, *graph])


def _constant(name: str, value: Tensor) -> Iterator[bytes]:
    """In parts: the data is large, and joining it would copy it."""
    dimensions = b"".join(_number(1, size) for size in value.shape)
    head = dimensions + _number(2, _TYPES[value.dtype]) + _text(8, name)
    data = value.astype(value.dtype.newbyteorder("<")).tobytes()
    head += _tag(9, 2) + _varint(len(data))
    yield _tag(5, 2) + _varint(len(head) + len(data)) + head
    yield data


def _attribute(name: str, value: float | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _INT_VALUE)
    if isinstance(value, float):
        return _text(1, name) + _tag(2, 5) + pack("<f", value) + _number(20, _FLOAT_VALUE)
    return _text(1, name) + b"".join(_number(8, item) for item in value) + _number(20, _INT_LIST)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    dimensions = [_number(1, size) if isinstance(size, int) else _text(2, size) for size in shape]
    described = _number(1, kind) + _field(2, b"".join(_field(1, dimension) for dimension in dimensions))
    return _text(1, name) + _field(2, _field(1, described))


def _text(number: int, text: str) -> bytes:
    return _field(number, text.encode())


def _field(number: int, content: bytes) -> bytes:
    return _tag(number, 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    # Negative numbers are written as the 64 bits they have.
    return _tag(number, 0) + _varint(value % 2**64)


def _tag(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)

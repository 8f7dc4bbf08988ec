"""Reads arrays from .npy files in any number of threads at once."""

import re
from pathlib import Path
from typing import Any, BinaryIO  # an array of whatever type the file holds

import numpy as np
from numpy.typing import NDArray

# As numpy.save writes it for arrays of plain numbers and bytes.
_HEADER = re.compile(r"\{'descr': '([^'\n]{1,16})', 'fortran_order': (False|True), 'shape': \(([\d, ]{0,64})\), \} *\n")
_MAGIC = b"\x93NUMPY\x01\x00"
# A map keeps its file open, and an index has dozens of arrays: only those are mapped that workers gain by sharing.
_MAPPED_BYTES = 65_536


def read_array(file: BinaryIO) -> NDArray[Any]:
    """The array that a file holds; ValueError if it is damaged."""
    dtype, shape, order = _read_header(file)
    content = file.read()
    return np.frombuffer(content, dtype).reshape(shape, order=order)


def map_array(path: Path) -> NDArray[Any]:
    """The array in a file, a large one read as it is used; ValueError if the file is damaged."""
    with path.open("rb") as file:
        if path.stat().st_size < _MAPPED_BYTES:
            return read_array(file)
        dtype, shape, order = _read_header(file)
        return np.memmap(file, dtype, "r", file.tell(), shape, order).view(np.ndarray)


def _read_header(file: BinaryIO) -> tuple[np.dtype[Any], tuple[int, ...], Any]:
    """Type, shape and order of the array.

    numpy.load reads the same with ast.literal_eval, which in CPython 3.11 fails with SystemError when two threads
    are in it at once.
    """
    magic, length = file.read(len(_MAGIC)), int.from_bytes(file.read(2), "little")
    header = _HEADER.fullmatch(file.read(length).decode("latin-1"))
    if magic != _MAGIC or header is None:
        raise ValueError("This is not an array file as numpy.save writes it.")
    kind, fortran, numbers = header.groups()
    try:
        dtype = np.dtype(kind)
    except TypeError as error:
        raise ValueError("The array file names an unknown type.") from error
    shape = tuple(int(number) for number in numbers.split(",") if number.strip())
    return dtype, shape, "F" if fortran == "True" else "C"

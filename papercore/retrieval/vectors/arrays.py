"""The arrays of a search: vectors, matrices of them and rows of documents, and how they are read from files."""

from pathlib import Path
from threading import Lock
from tokenize import TokenError
from typing import Any, BinaryIO  # an array of whatever type the file holds

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]
# Documents of one build are known by their rows, from 0 in the order in which they were given.
Rows = NDArray[np.int64]
# A map keeps its file open, and an index has dozens of arrays: only those are mapped that workers gain by sharing.
_MAPPED_BYTES = 65_536
# numpy.load parses a header with ast.literal_eval, which in CPython 3.11 fails with SystemError when two threads are in
# it at once.
_one_at_a_time = Lock()


def map_array(path: Path) -> NDArray[Any]:
    """The array in a file, a large one read as it is used; ValueError if the file is damaged."""
    return read_array(path, mapped=path.stat().st_size >= _MAPPED_BYTES).view(np.ndarray)


def read_array(source: BinaryIO | Path, *, mapped: bool = False) -> NDArray[Any]:
    """The array in a file; ValueError if it is damaged. Any number of threads may read."""
    try:
        with _one_at_a_time:
            array: NDArray[Any] = np.load(source, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (EOFError, SyntaxError, TokenError) as error:  # a file that is empty, or has a damaged header
        raise ValueError("This is not an array file as numpy.save writes it.") from error
    return array

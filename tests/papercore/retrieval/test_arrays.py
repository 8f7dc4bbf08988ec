"""Array files: as numpy writes them, damaged ones refused, in many threads at once."""

import io
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papercore.retrieval.vectors.arrays import map_array, read_array

ARRAYS: list[NDArray[Any]] = [
    np.arange(12, dtype=np.float32).reshape(3, 4),
    np.asfortranarray(np.arange(12, dtype=np.int64).reshape(3, 4)),
    np.array([b"0123456789abcdef"], dtype="V16"),
    np.zeros((0, 2), dtype=np.int32),
    np.zeros(0, dtype=np.uint64),
    np.array(5, dtype=np.uint8),
    np.arange(20_000, dtype=np.int64).reshape(100, 200),
]


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Threads take turns as often as Python allows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("array", ARRAYS)
def test_what_numpy_saves_is_read(array: NDArray[Any], tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, array)
    for read in (map_array(path), read_array(io.BytesIO(path.read_bytes()))):
        assert (read.dtype, read.shape) == (array.dtype, array.shape)
        assert read.tobytes() == array.tobytes()


@pytest.mark.parametrize("array", [ARRAYS[0], ARRAYS[-1]])
def test_every_changed_byte_of_a_header_is_an_error_or_harmless(array: NDArray[Any], tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, array)
    content = path.read_bytes()
    refused = 0
    for place in range(128):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            map_array(path)
        except ValueError:
            refused += 1
    assert refused == 128


@pytest.mark.parametrize("kept", [0, 5, 9, 60, 128])
def test_a_cut_file_is_an_error(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, ARRAYS[0])
    content = path.read_bytes()[:kept]
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"."):
        map_array(path)
    with pytest.raises(ValueError, match=r"."):
        read_array(io.BytesIO(content))


@pytest.mark.usefixtures("many_switches")
def test_many_threads_read_headers_at_once(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, ARRAYS[0])
    errors: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(300):
                map_array(path)
        except (SystemError, ValueError) as error:
            errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []

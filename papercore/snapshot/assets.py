"""What an asset store is, and the one in a folder. Keys go in, bytes come out; nothing else is reachable."""

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from papercore import limits
from papercore.errors import Unavailable
from papercore.processes.files import open_below
from papercore.snapshot.asset_stream import PIECE_BYTES, AssetStream, RangeNotSatisfiable, requested_range

# Letters of any script, digits, `_`, `-` and inner dots; names that start with a dot are never ours.
KEY = re.compile(r"[\w-][\w.:-]*(/[\w-][\w.:-]*){0,3}")


class AssetFetchFailed(Unavailable):
    code = "asset_fetch_failed"


class AssetMissing(AssetFetchFailed):
    """The store answers, and has no such asset. Callers get the same code: for them the text is out of reach."""


class AssetStore(Protocol):
    def read(self, key: str) -> bytes:
        """The whole asset, or AssetFetchFailed."""

    def open(self, key: str, range_header: str = "") -> AssetStream:
        """An asset of any size, or the range that is asked for; AssetFetchFailed or RangeNotSatisfiable."""


class FolderStore:
    """Assets in a folder. Every step of a key is opened below the last, so no link leads out of it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def read(self, key: str) -> bytes:
        with self._open_file(key) as file:
            size = os.fstat(file.fileno()).st_size
            if size > limits.ASSET_BYTES:
                raise too_large()
            return file.read(size)

    def open(self, key: str, range_header: str = "") -> AssetStream:
        file = self._open_file(key)
        try:
            size = os.fstat(file.fileno()).st_size
            byte_range = requested_range(range_header, size)
            first, length = (byte_range.first, byte_range.length) if byte_range else (0, size)
            file.seek(first)
        except (OSError, RangeNotSatisfiable):
            file.close()
            raise
        return AssetStream(_pieces(file, length), length, byte_range, file.close)

    def _open_file(self, key: str) -> BinaryIO:
        try:
            return os.fdopen(open_below(self.root, checked(key).split("/")), "rb")
        except OSError:
            raise missing() from None


def _pieces(file: BinaryIO, length: int) -> Iterator[bytes]:
    while length > 0 and (piece := file.read(min(PIECE_BYTES, length))):
        length -= len(piece)
        yield piece
    if length > 0:
        raise AssetFetchFailed("The asset could not be fetched: its file was cut while it was read.")


def checked(key: str) -> str:
    if not KEY.fullmatch(key):
        raise missing()
    return key


def missing() -> AssetMissing:
    return AssetMissing("The asset could not be fetched: the store has no such file.")


def no_answer() -> AssetFetchFailed:
    return AssetFetchFailed("The asset could not be fetched: its store does not answer.")


def too_large() -> AssetFetchFailed:
    return AssetFetchFailed(f"The asset could not be fetched: it is larger than {limits.ASSET_BYTES:,} bytes.")

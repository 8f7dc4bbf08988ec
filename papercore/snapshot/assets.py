"""A paper's assets by their keys; stores that give their bytes, whole or as a stream; and the store in a folder."""

import os
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

from msgspec import Struct, field

from papercore import limits
from papercore.errors import ToolError, Unavailable
from papercore.processes.files import open_below

# Letters of any script, digits, `_`, `-` and inner dots; names that start with a dot are never ours.
KEY = re.compile(r"[\w-][\w.:-]*(/[\w-][\w.:-]*){0,3}")
# What the text of a paper begins with that was read from pictures of its pages.
OCR_MARK = "<!-- read by OCR -->"
IMAGE_EXTENSIONS = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"})
PIECE_BYTES = 65536
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)


def preferred_summary_key(paper_id: str) -> str:
    """Every paper has this one; without any summary it holds the bare metadata."""
    return f"summary/{paper_id}.json"


def summary_key(paper_id: str, template: str) -> str:
    return f"summary/{paper_id}/{template}.json"


def manifest_key(paper_id: str) -> str:
    return f"manifest/{paper_id}.json"


def source_key(sha256: str) -> str:
    return f"md/{sha256}.md"


def translation_key(lang: str, sha256: str) -> str:
    return f"md_translate/{lang}/{sha256}.md"


def pdf_key(sha256: str) -> str:
    return f"pdf/{sha256}.pdf"


def image_key(name: str) -> str:
    """An image's name is the hash of its content with the file's extension."""
    return f"images/{name}"


class RangeNotSatisfiable(ToolError):
    """The range begins after the end of the asset."""

    code = "range_not_satisfiable"


class ByteRange(Struct, frozen=True):
    """The bytes from `first` to `last`, both included, of so many in all."""

    first: int
    last: int
    total: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"bytes {self.first}-{self.last}/{self.total}"


class AssetStream(Struct, frozen=True):
    """Iterate over it once, and close it in any case. `length` is None where a remote store does not say it."""

    pieces: Iterator[bytes]
    length: int | None
    byte_range: ByteRange | None = None
    close: Callable[[], None] = field(default=lambda: None)

    def __iter__(self) -> Iterator[bytes]:
        return self.pieces


def is_range(header: str) -> bool:
    """Whether a Range header asks for one range of bytes; any other may be ignored, and is."""
    match = _RANGE.fullmatch(header)
    if match is None or not any(match.groups()):
        return False
    return not all(match.groups()) or int(match[1]) <= int(match[2])


def requested_range(header: str, total: int) -> ByteRange | None:
    """The range that a Range header asks for; None for the whole asset."""
    if not is_range(header):
        return None
    first, last = header.removeprefix("bytes=").split("-")
    if first:
        found = ByteRange(int(first), min(int(last or total), total - 1), total)
    else:  # the last so many bytes
        found = ByteRange(max(0, total - int(last)), total - 1, total)
    if found.length < 1:
        raise range_not_satisfiable(f"bytes */{total}")
    return found


def range_not_satisfiable(content_range: str) -> RangeNotSatisfiable:
    """`content_range` is the Content-Range header that says how long the asset is."""
    return RangeNotSatisfiable("The range begins after the end of the file.", content_range=content_range)


def sent_range(header: str) -> ByteRange | None:
    """The range in the Content-Range header of a remote store."""
    match = _CONTENT_RANGE.fullmatch(header)
    return ByteRange(*map(int, match.groups())) if match else None


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

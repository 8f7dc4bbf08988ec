"""An asset of any size, or a range of its bytes, piece by piece."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from papercore.errors import ToolError

PIECE_BYTES = 65536

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)


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

"""Lines of an input file with their numbers, plain or gzipped, none of them larger than memory allows."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

# One paper with its text; anything longer is a broken file or an attack.
LINE_BYTES = 50_000_000
GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)


@dataclass(frozen=True)
class NumberedLine:
    """A line that cannot be used says why in `problem`; its text is then what could be made of it."""

    number: int
    text: str
    problem: str = ""


def read_lines(path: Path) -> Iterator[NumberedLine]:
    """Every line, without its end. Raises OSError or one of GZIP_ERRORS where the file ends too early."""
    with _open(path) as stream:
        number = 0
        while raw := stream.readline(LINE_BYTES + 1):
            number += 1
            if len(raw) > LINE_BYTES:
                _pass_over_rest(stream)
                yield NumberedLine(number, "", f"longer than {LINE_BYTES:,} bytes")
            else:
                yield _decoded(number, raw)


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def _pass_over_rest(stream: BinaryIO) -> None:
    while (raw := stream.readline(LINE_BYTES)) and not raw.endswith(b"\n"):
        pass


def _decoded(number: int, raw: bytes) -> NumberedLine:
    encoding = "utf-8-sig" if number == 1 else "utf-8"
    try:
        return NumberedLine(number, raw.decode(encoding).rstrip("\r\n"))
    except UnicodeDecodeError:
        return NumberedLine(number, raw.decode(encoding, "replace").rstrip("\r\n"), "not UTF-8")

"""Reads the lines of an input, plain or gzipped, with their numbers and a limit on their length."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

# Enough for a paper with its text; a longer line is a broken file or an attack.
LINE_BYTES = 50_000_000
GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)


@dataclass(frozen=True)
class NumberedLine:
    """`problem` says why a line cannot be used; its text is then what could be decoded of it."""

    number: int
    text: str
    problem: str = ""


def read_lines(path: Path) -> Iterator[NumberedLine]:
    """Every line, without its end. Raises OSError or one of GZIP_ERRORS if the file is broken."""
    with _open(path) as stream:
        number = 0
        while raw := stream.readline(LINE_BYTES + 1):
            number += 1
            if len(raw) > LINE_BYTES:
                _skip_rest(stream)
                yield NumberedLine(number, "", f"longer than {LINE_BYTES:,} bytes")
            else:
                yield _decoded(number, raw)


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def _skip_rest(stream: BinaryIO) -> None:
    while (raw := stream.readline(LINE_BYTES)) and not raw.endswith(b"\n"):
        pass


def _decoded(number: int, raw: bytes) -> NumberedLine:
    encoding = "utf-8-sig" if number == 1 else "utf-8"
    try:
        return NumberedLine(number, raw.decode(encoding).rstrip("\r\n"))
    except UnicodeDecodeError:
        return NumberedLine(number, raw.decode(encoding, "replace").rstrip("\r\n"), "not UTF-8")

"""Reads the lines of an input, plain or gzipped, with their numbers, their encoding and a limit on their length."""

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

from ingest.reading.encodings import UNKNOWN_ENCODING, decode_line, utf16_variant

# Enough for a paper with its text; a longer line is a broken file or an attack.
LINE_BYTES = 50_000_000
GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)
_SNIFFED_BYTES = 1024


class NumberedLine(Struct, frozen=True):
    """`encoding` is empty for UTF-8. `problem` says why a line cannot be used; its text is then what could be read."""

    number: int
    text: str
    problem: str = ""
    encoding: str = ""


def read_lines(path: Path) -> Iterator[NumberedLine]:
    """Every line, without its end. Raises OSError or one of GZIP_ERRORS if the file is broken."""
    with _open(path) as stream:
        variant = utf16_variant(stream.read(_SNIFFED_BYTES))
        stream.seek(0)
        yield from _wide_lines(stream, variant) if variant else _byte_lines(stream)


def encoding_warnings(lines: Sequence[NumberedLine]) -> tuple[str, ...]:
    """What to say of an entry that is not in UTF-8."""
    return tuple(f"read as {encoding}" for encoding in dict.fromkeys(line.encoding for line in lines) if encoding)


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def _byte_lines(stream: BinaryIO) -> Iterator[NumberedLine]:
    number = 0
    while raw := stream.readline(LINE_BYTES + 1):
        number += 1
        if len(raw) > LINE_BYTES:
            while not raw.endswith(b"\n") and (raw := stream.readline(LINE_BYTES)):
                pass
            yield NumberedLine(number, "", f"longer than {LINE_BYTES:,} bytes")
            continue
        text, encoding = decode_line(raw, first=number == 1)
        problem = UNKNOWN_ENCODING if encoding is None else ""
        yield NumberedLine(number, text.rstrip("\r\n"), problem, encoding or "")


def _wide_lines(stream: BinaryIO, variant: str) -> Iterator[NumberedLine]:
    """The lines of a UTF-16 file, whose line ends are two bytes."""
    number = 0
    with io.TextIOWrapper(stream, encoding=variant, newline="\n") as texts:
        try:
            while text := texts.readline(LINE_BYTES):
                number += 1
                yield NumberedLine(number, text.rstrip("\r\n").removeprefix("\ufeff"), encoding="UTF-16")
        except UnicodeDecodeError:
            yield NumberedLine(number + 1, "", "broken UTF-16")

"""Reads the lines of an input, plain or gzipped, with their numbers, their encoding and a limit on their length."""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

# Enough for a paper with its text; a longer line is a broken file or an attack.
LINE_BYTES = 50_000_000
GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)
WINDOWS_1252 = "Windows-1252"
UNKNOWN_ENCODING = "neither UTF-8, UTF-16 nor Windows-1252: save the file as UTF-8"

_SNIFFED_BYTES = 1024
_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# In European texts accented letters stand between plain ones; Chinese or Cyrillic in an encoding of its own does not.
_ANOTHER_ALPHABET = re.compile(rb"[\x80-\xff]{4}")


class NumberedLine(Struct, frozen=True):
    """`encoding` is empty for UTF-8. `problem` says why a line cannot be used; its text is then what could be read."""

    number: int
    text: str
    problem: str = ""
    encoding: str = ""


def read_lines(path: Path) -> Iterator[NumberedLine]:
    """Every line, without its end. Raises OSError or one of GZIP_ERRORS if the file is broken."""
    with cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
        variant = _utf16_variant(stream.read(_SNIFFED_BYTES))
        stream.seek(0)
        yield from _utf16_lines(stream, variant) if variant else _byte_lines(stream)


def _byte_lines(stream: BinaryIO) -> Iterator[NumberedLine]:
    number = 0
    while raw := stream.readline(LINE_BYTES + 1):
        number += 1
        if len(raw) > LINE_BYTES:
            while not raw.endswith(b"\n") and (raw := stream.readline(LINE_BYTES)):
                pass
            yield NumberedLine(number, "", f"longer than {LINE_BYTES:,} bytes")
            continue
        text, encoding = _decode(raw, is_start=number == 1)
        problem = UNKNOWN_ENCODING if encoding is None else ""
        yield NumberedLine(number, text.rstrip("\r\n"), problem, encoding or "")


def _utf16_lines(stream: BinaryIO, variant: str) -> Iterator[NumberedLine]:
    """The lines of a UTF-16 file, whose line ends are two bytes."""
    number = 0
    with io.TextIOWrapper(stream, encoding=variant, newline="\n") as texts:
        try:
            while text := texts.readline(LINE_BYTES):
                number += 1
                yield NumberedLine(number, text.rstrip("\r\n").removeprefix("\ufeff"), encoding="UTF-16")
        except UnicodeDecodeError:
            yield NumberedLine(number + 1, "", "broken UTF-16")


def decode_file(content: bytes) -> tuple[str, str | None]:
    """The text of a whole file, and its encoding: empty for UTF-8, None if it is none that we know."""
    variant = _utf16_variant(content)
    if not variant:
        return _decode(content, is_start=True)
    try:
        return content.decode(variant).removeprefix("\ufeff"), "UTF-16"
    except UnicodeDecodeError:
        return content.decode(variant, "replace"), None


def encoding_warnings(lines: Sequence[NumberedLine]) -> tuple[str, ...]:
    """What to say of an entry that is not in UTF-8."""
    return tuple(f"read as {encoding}" for encoding in dict.fromkeys(line.encoding for line in lines) if encoding)


def _utf16_variant(head: bytes) -> str:
    """`utf-16-le` or `utf-16-be` if a file that starts like this is UTF-16, else an empty string."""
    if head[:2] in _BOMS:
        return _BOMS[head[:2]]
    # The first line of every input is mostly ASCII, every other byte of which is then zero.
    start = head[:64]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even + odd <= len(start) // 4:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _decode(raw: bytes, is_start: bool) -> tuple[str, str | None]:
    """The text and its encoding, of UTF-8 or (with it Latin-1) Windows-1252.

    Line by line: files that were put together from others have more than one encoding.
    """
    try:
        return raw.decode("utf-8-sig" if is_start else "utf-8"), ""
    except UnicodeDecodeError:
        pass
    if not _ANOTHER_ALPHABET.search(raw):
        try:
            return raw.decode("cp1252"), WINDOWS_1252
        except UnicodeDecodeError:
            pass
    return raw.decode("utf-8", "replace"), None

"""Recognises the encoding of an input: UTF-8, UTF-16 with or without its mark, or Windows-1252 (with it Latin-1)."""

import codecs
import re

WINDOWS_1252 = "Windows-1252"
UNKNOWN_ENCODING = "neither UTF-8, UTF-16 nor Windows-1252: save the file as UTF-8"

_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# In European texts accented letters stand between plain ones; Chinese or Cyrillic in an encoding of its own does not.
_ANOTHER_ALPHABET = re.compile(rb"[\x80-\xff]{4}")


def utf16_variant(head: bytes) -> str:
    """`utf-16-le` or `utf-16-be` if a file that starts like this is UTF-16, else an empty string."""
    if head[:2] in _BOMS:
        return _BOMS[head[:2]]
    # The first line of every input is mostly ASCII, every other byte of which is then zero.
    start = head[:64]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even + odd <= len(start) // 4:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def decode_line(raw: bytes, first: bool = False) -> tuple[str, str | None]:
    """The text, and its encoding: empty for UTF-8, None if it is none that we know.

    Line by line: files that were put together from others have more than one encoding.
    """
    try:
        return raw.decode("utf-8-sig" if first else "utf-8"), ""
    except UnicodeDecodeError:
        pass
    if not _ANOTHER_ALPHABET.search(raw):
        try:
            return raw.decode("cp1252"), WINDOWS_1252
        except UnicodeDecodeError:
            pass
    return raw.decode("utf-8", "replace"), None


def decode_file(content: bytes) -> tuple[str, str | None]:
    """The text of a whole file and its encoding, as for a line."""
    variant = utf16_variant(content)
    if not variant:
        return decode_line(content, first=True)
    try:
        return content.decode(variant).removeprefix("\ufeff"), "UTF-16"
    except UnicodeDecodeError:
        return content.decode(variant, "replace"), None

"""Texts as they are stored, compared and shown: without control characters, accents or the end of long ones."""

import re
import unicodedata

# Control characters other than tab and line feed, and lone surrogates, which no database accepts.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNWANTED_IN_LINE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")


class _WithoutMarks(dict[int, int | None]):
    """What each character becomes, filled as they are met: combining marks nothing, the others themselves."""

    def __missing__(self, code: int) -> int | None:
        kept = None if unicodedata.combining(chr(code)) else code
        self[code] = kept
        return kept


_WITHOUT_MARKS = _WithoutMarks()


def without_accents(text: str) -> str:
    """The text in compatibility form, its combining marks removed."""
    return unicodedata.normalize("NFKD", text).translate(_WITHOUT_MARKS)


def clean_text(text: str) -> str:
    """Text of several lines, with uniform line ends and without control characters."""
    if text.isprintable():
        return text.strip()
    return _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def one_line(text: str) -> str:
    """Collapse all white space, and drop control characters and lone surrogates."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", _UNWANTED_IN_LINE.sub("", text)).strip()


def truncate(text: str, max_chars: int) -> str:
    """The text, or its first characters and a marker that says how much is left."""
    left = len(text) - max_chars
    return text if left <= 0 else f"{text[:max_chars]}\n\n[truncated: {left:,} more characters]"

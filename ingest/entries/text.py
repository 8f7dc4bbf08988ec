"""Prepares texts for a snapshot: without markup, shortened, spaced for the full-text index."""

import re
import unicodedata

from markdown_it import MarkdownIt
from markdown_it.token import Token

from papercore.text import CJK, one_line, without_accents

PREVIEW_CHARS = 320

_BLANKS = re.compile(r"\s+")
_NO_ASCII_WORD_BYTES = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_NO_ASCII_WORD = re.compile(r"[^a-z0-9]+")
_TAG = re.compile(r"<[^<>]+>")
_BETWEEN_CJK = re.compile(f"(?<=[{CJK}])(?=[{CJK}])")
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def facet_value(text: str) -> str:
    """A value as the facet tables spell it."""
    return one_line(text).lower()


def spaced_cjk(text: str) -> str:
    """A space between neighbouring CJK characters, so that the index sees each as a word."""
    if text.isascii():
        return text
    return _BETWEEN_CJK.sub(" ", text)


def plain_text(markdown: str) -> str:
    """The words of a markdown text on one line; tables, code blocks and markup are left out."""
    blocks: list[str] = []
    in_table = False
    for token in _MARKDOWN.parse(markdown):
        if token.type in ("table_open", "table_close"):
            in_table = token.type == "table_open"
        elif token.type == "inline" and not in_table:
            blocks.append(_inline_text(token.children or []))
    return one_line(_TAG.sub(" ", " ".join(blocks)))


def _inline_text(tokens: list[Token]) -> str:
    # Line breaks have no content of their own, but they separate words.
    return "".join(" " if token.type.endswith("break") else token.content for token in tokens)


def preview(plain: str) -> str:
    if len(plain) <= PREVIEW_CHARS:
        return plain
    return plain[: PREVIEW_CHARS - 1].rstrip() + "…"


class _WithoutPunctuation(dict[int, int]):
    """What each character becomes, filled as they are met: punctuation and symbols a blank, the others themselves."""

    def __missing__(self, code: int) -> int:
        kept = ord(" ") if unicodedata.category(chr(code))[0] in "PS" else code
        self[code] = kept
        return kept


_WITHOUT_PUNCTUATION = _WithoutPunctuation()


def words_of(text: str) -> str:
    """Lower-case words without punctuation: the format's normal form of a title."""
    if text.isascii():
        return _NO_ASCII_WORD.sub(" ", text.lower()).strip()
    lowered = unicodedata.normalize("NFKC", text).lower()
    return _BLANKS.sub(" ", lowered.translate(_WITHOUT_PUNCTUATION)).strip()


def folded(text: str) -> str:
    """Words without accents and spaces: equal for two spellings of one title or name."""
    if text.isascii():
        return text.lower().encode().translate(None, _NO_ASCII_WORD_BYTES).decode()
    return without_accents(words_of(text)).replace(" ", "")

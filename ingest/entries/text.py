"""Texts and names in the forms that a snapshot stores, indexes and compares."""

import re
import unicodedata

from markdown_it import MarkdownIt

from papercore.text import CJK, one_line, without_accents

PREVIEW_CHARS = 320

_BLANKS = re.compile(r"\s+")
_NO_ASCII_WORD = re.compile(r"[^a-z0-9]+")
_TAG = re.compile(r"<[^<>]+>")
_BETWEEN_CJK = re.compile(f"(?<=[{CJK}])(?=[{CJK}])")
_GENERATIONS = {"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"}
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


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
            # Line breaks have no content of their own, but they separate words.
            parts = (" " if child.type.endswith("break") else child.content for child in token.children or [])
            blocks.append("".join(parts))
    return one_line(_TAG.sub(" ", " ".join(blocks)))


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


def normal_title(text: str) -> str:
    """Lower-case words without punctuation: the format's normal form of a title."""
    if text.isascii():
        return _NO_ASCII_WORD.sub(" ", text.lower()).strip()
    lowered = unicodedata.normalize("NFKC", text).lower()
    return _BLANKS.sub(" ", lowered.translate(_WITHOUT_PUNCTUATION)).strip()


def folded(text: str) -> str:
    """Words without accents and spaces: equal for two spellings of one title or name."""
    return without_accents(normal_title(text)).replace(" ", "")


def natural_name(name: str) -> str:
    """`Knuth, Donald E.` or `King, Jr., Martin Luther` or `King, Martin Luther, Jr.` with the given names first."""
    parts = [part for part in (one_line(part) for part in name.split(",")) if part]
    if len(parts) < 2:
        return parts[0] if parts else ""
    generation = [part for part in parts[1:] if part.lower() in _GENERATIONS]
    given = [part for part in parts[1:] if part.lower() not in _GENERATIONS]
    return one_line(" ".join([*given, parts[0], *generation]))


def surname(name: str) -> str:
    """The folded last name, in whichever order the name is written."""
    if "," in name:
        return folded(name.split(",")[0])
    words = [word for word in name.split() if word.lower() not in _GENERATIONS]
    return folded(words[-1]) if words else ""

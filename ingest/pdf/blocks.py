"""Headings and paragraphs out of a document's lines, and their markdown with a mark at each page."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ingest.pdf.lines import Line
from papercore.text import clean_text

# Characters of a whole text: what a thick book has, with room to spare.
PDF_TEXT_CHARS = 10_000_000
# How the mark at the beginning of a page begins.
PAGE_MARK = "<!-- page "
# What markdown takes for markup. Brackets stay: a backslash before one begins a formula.
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_<>#|$"})
_LINK = re.compile(r"(?<=\])(?=[(:])")
_NUMBERED = re.compile(r"(?:appendix )?(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?P<deeper>(?:\.\d{1,2})*)\.?\s+(?=[^\W\d])", re.I)
_KNOWN = re.compile(
    r"(?:\d+\.?\s+)?(?:abstract|introduction|background|related work|methods?|results|discussion|conclusions?"
    r"|acknowledge?ments?|references|bibliography|literature cited|works cited|appendix|zusammenfassung|literatur"
    r"|résumé|références)\.?",
    re.I,
)
_REFERENCES = re.compile(
    r"(?:\d+\.?\s+)?(?:references|bibliography|literature cited|works cited|literatur|références)", re.I
)
_REFERENCE_START = re.compile(r"\[\w{1,12}\]|\d{1,3}\.\s")
_CAPTION = re.compile(r"(?:figure|fig\.?|table|algorithm|listing)\s*\d+(?:\s*[:.]|\s+\w)", re.I)
_LIST_ITEM = re.compile(r"(?:[•▪◦–]|\(?\d{1,2}[.)])\s")
_ENDS_SENTENCE = re.compile(r"[.!?:][\"')\]”’]?$")
_HEADING_WORDS = 14
# What formulas, code and lists have and headings do not; a line that ends in such a word goes on.
_NO_HEADING = re.compile(
    r"[=<>≤≥≈∈∑∏∫√∪∩⊂⊆→←↦∀∃⊢|\\{}^_•▪◦@]|;$|\(\)|\w\(\w|[^\w\s]{3}|[,;(–-]$|\.\s+[^\W\d_]\w+\s"
    r"|\b(?:a|an|the|of|and|or|in|on|to|by|for|with|is|are|that|which|we|from|as|where|let)$",
    re.I,
)
_LEAST_LETTERS = 0.65
# More of a document in bold type than this, and bold type tells nothing.
_BOLD_SHARE = 0.3
_LARGER = 1.08
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class PdfBlock(Struct, frozen=True):
    """A heading or a paragraph, and the page on which it begins. `level` is a heading's."""

    kind: Literal["heading", "paragraph"]
    text: str
    page: int
    level: int = 0


def blocks_of(columns: Sequence[Sequence[Line]]) -> list[PdfBlock]:
    """The blocks of a document whose columns are in reading order."""
    lines = [line for column in columns for line in column]
    if not lines:
        return []
    style = _Style.of(lines)
    hyphens = Hyphens(lines)
    blocks: list[PdfBlock] = []
    in_references = False
    for column in columns:
        for group in _groups(column, style, in_references):
            level = style.heading_level(group)
            text = hyphens.joined(line.text for line in group)
            if level:
                in_references = _begins_references(group)
                blocks.append(PdfBlock("heading", text, group[0].page, level))
            elif _goes_on(blocks, group, style, in_references):
                before = blocks.pop()
                blocks.append(PdfBlock("paragraph", hyphens.joined((before.text, text)), before.page))
            else:
                blocks.append(PdfBlock("paragraph", text, group[0].page))
    return _with_title(blocks)


def _with_title(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """The first heading is the title. What looks like one between it and the first section is authors and the like."""
    title = next((place for place, block in enumerate(blocks[:6]) if block.kind == "heading" and block.page == 1), None)
    if title is None or _KNOWN.fullmatch(blocks[title].text) or _NUMBERED.match(blocks[title].text):
        return blocks
    first = next(
        (
            place
            for place, block in enumerate(blocks[:20])
            if block.kind == "heading" and (_KNOWN.fullmatch(block.text) or _NUMBERED.match(block.text))
        ),
        title + 1,
    )
    front = [replace(block, kind="paragraph", level=0) for block in blocks[title + 1 : first]]
    return [*blocks[:title], replace(blocks[title], level=1), *front, *blocks[first:]]


class _Style(Struct, frozen=True):
    """How the text itself is set, which headings differ from."""

    size: float
    leading: float
    bold_tells: bool = True

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "_Style":
        weights: Counter[float] = Counter()
        for line in lines:
            weights[round(line.size, 1)] += len(line.text)
        size = weights.most_common(1)[0][0]
        steps = [
            after.top - before.top
            for before, after in pairwise(lines)
            if 0.8 * size < after.top - before.top < 2.5 * size and abs(after.size - size) < 0.6
        ]
        chars = sum(len(line.text) for line in lines)
        bold_tells = sum(len(line.text) for line in lines if line.bold) < _BOLD_SHARE * chars
        return cls(size, median(steps) if steps else 1.2 * size, bold_tells)

    def heading_level(self, group: Sequence[Line]) -> int:
        """1 to 3 for a heading, 0 for a paragraph."""
        text = " ".join(line.text for line in group).strip()
        letters = [char for char in text if char.isalpha()]
        if not letters or len(text.split()) > _HEADING_WORDS or _CAPTION.match(text):
            return 0
        if _KNOWN.fullmatch(text):
            return 2
        numbered = _NUMBERED.match(text)
        title = text[numbered.end() :] if numbered else text
        if _NO_HEADING.search(title) or not _has_words(title):
            return 0
        larger = group[0].size > _LARGER * self.size
        is_capitals = len(letters) > 5 and all(char.isupper() for char in letters)
        stands_out = larger or (group[0].bold and self.bold_tells) or is_capitals
        if numbered and (stands_out or group[0].bold):
            return min(2 + numbered["deeper"].count("."), 3)
        if stands_out and not _ENDS_SENTENCE.search(text) and not numbered and (larger or len(text.split()) > 1):
            return 2 if larger else 3
        return 0


def _has_words(title: str) -> bool:
    """Whether it is of words, and begins like a heading: with a capital, or as a word of its own."""
    plain = title.replace(" ", "")
    words = [word for word in _WORD.findall(title) if len(word) > 2]
    begins = not title[:1].islower() or len(title.split()) < 3
    return bool(words) and begins and sum(map(str.isalpha, plain)) >= _LEAST_LETTERS * len(plain)


def _groups(column: Sequence[Line], style: _Style, in_references: bool) -> Iterator[list[Line]]:
    """The lines of a column that belong together, by their distance, size, indent and length."""
    group: list[Line] = []
    left = min(line.left for line in column)
    right = max(line.right for line in column)
    for line in column:
        if group and _starts_new(group, line, style, left, right, in_references):
            if style.heading_level(group):
                in_references = _begins_references(group)
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _starts_new(
    group: Sequence[Line], line: Line, style: _Style, left: float, right: float, in_references: bool
) -> bool:
    before = group[-1]
    if line.top - before.top > 1.45 * max(style.leading, line.size) or line.top < before.top - line.size:
        return True
    if abs(line.size - before.size) > 0.12 * style.size and line.size >= 0.8 * before.size:
        return True
    if line.bold != before.bold and (_NUMBERED.match(before.text) or style.heading_level([before])):
        return True
    if _KNOWN.fullmatch(before.text.strip()) or _KNOWN.fullmatch(line.text.strip()):
        return True
    if _CAPTION.match(line.text) or _LIST_ITEM.match(line.text):
        return True
    if in_references:
        if _REFERENCE_START.match(line.text):
            return True
        # Hanging indents: a reference starts further left than its other lines.
        return len(group) > 1 and line.left < group[-1].left - 3 and line.left <= group[0].left + 1
    ended_short = before.right < right - 0.12 * (right - left) and _ENDS_SENTENCE.search(before.text) is not None
    indented = line.left > left + 0.6 * style.size and before.left <= left + 0.3 * style.size
    return ended_short or (indented and _ENDS_SENTENCE.search(before.text) is not None)


def _begins_references(heading: Sequence[Line]) -> bool:
    return _REFERENCES.fullmatch(" ".join(line.text for line in heading).strip(" .:")) is not None


def _goes_on(blocks: Sequence[PdfBlock], group: Sequence[Line], style: _Style, in_references: bool) -> bool:
    """Whether a paragraph continues the one before it, in the column or on the page before."""
    if not blocks or blocks[-1].kind == "heading" or _CAPTION.match(blocks[-1].text) or _CAPTION.match(group[0].text):
        return False
    if in_references and _REFERENCE_START.match(group[0].text):
        return False
    first = group[0].text.lstrip("(“\"'")[:1]
    ends_open = not _ENDS_SENTENCE.search(blocks[-1].text)
    return ends_open and (first.islower() or blocks[-1].text.endswith("-")) and abs(group[0].size - style.size) < 0.6


class Hyphens:
    """Joins lines. A hyphen at a line's end goes unless the document writes the word with it elsewhere."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._known = {word.lower() for line in lines for word in _WORD.findall(line.text[:-1])}

    def joined(self, texts: Iterable[str]) -> str:
        parts: list[str] = []
        for text in texts:
            if not parts:
                parts.append(text.strip())
            elif parts[-1].endswith("-") and text[:1].islower():
                parts[-1] = parts[-1] if self._keeps_hyphen(parts[-1], text) else parts[-1][:-1]
                parts.append(text.strip())
            elif parts[-1].endswith("-") and parts[-1][-2:-1].isalnum():
                parts.append(text.strip())
            else:
                parts.append(" " + text.strip())
        return "".join(parts).strip()

    def _keeps_hyphen(self, before: str, after: str) -> bool:
        start, end = before[:-1].split()[-1:], _WORD.match(after)
        if not start or not end:
            return True
        first, second = start[0].lower().lstrip("(“\"'["), end[0].lower()
        if f"{first}{second}" in self._known:
            return False
        return f"{first}-{second}" in self._known or "-" in first


def markdown_of(blocks: Sequence[PdfBlock]) -> str:
    """The blocks as markdown. `<!-- page 7 -->` stands before the first block that begins on a page."""
    parts: list[str] = []
    page = 0
    for block in blocks:
        if block.page != page:
            page = block.page
            parts.append(f"{PAGE_MARK}{page} -->")
        text = escape_markdown(clean_text(block.text))
        parts.append(f"{'#' * block.level} {text}" if block.kind == "heading" else text)
    return "\n\n".join(parts)[:PDF_TEXT_CHARS]


def escape_markdown(text: str) -> str:
    """A line of plain text that markdown shows as it is."""
    escaped = _LINK.sub(" ", text.translate(_ESCAPED))
    return f"\\{escaped}" if escaped.startswith(("-", "+", "=", "~")) else escaped

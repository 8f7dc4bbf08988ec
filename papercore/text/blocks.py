"""The blocks of a markdown text: headings, paragraphs, list items, tables, code and formulas, each with its place."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

BlockKind = Literal["heading", "text", "item", "table", "code", "formula"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t\r\n]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:>[ \t]?)*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TABLE = re.compile(r"[ \t]*(?:\||<(?:html|table|div)\b)", re.IGNORECASE)
_PAGE = re.compile(r"\s*<!--\s*page\s*(?:[:=]\s*)?(\d{1,6})\s*-->\s*$", re.IGNORECASE)
_COMMENT = re.compile(r"\s*<!--.*-->\s*$")
# A caption stays whole, however many sentences it has.
_CAPTION = re.compile(r"\W{0,4}(?:figure|fig\.|table|图|表|圖|図)\s*\d", re.IGNORECASE)


class Block(Struct, frozen=True):
    """A piece of a text. `level` is that of a heading; `page` the page it begins on, where the text says so."""

    kind: BlockKind
    start: int
    end: int
    line: int
    level: int = 0
    page: int | None = None
    whole: bool = False


def blocks(text: str) -> Iterator[Block]:
    """The blocks in order; blank lines, rules and comments are none."""
    return _Scanner(text).run()


class _Scanner:
    """Reads a text line by line, each line once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [match.span() for match in _LINE.finditer(text) if match.end() > match.start()]
        self.lines = [text[start:end].rstrip("\r\n") for start, end in self.spans]
        self.page: int | None = None
        self._closings: dict[str, list[int]] = {}

    def run(self) -> Iterator[Block]:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if "\f" in line:
                self.page = (self.page or 1) + line.count("\f")
            if page := _PAGE.match(line):
                self.page = int(page[1])
            if not line.strip() or page or _COMMENT.match(line) or _RULE.match(line):
                at += 1
                continue
            if heading := _HEADING.match(line):
                after, block = at + 1, self._block("heading", at, at + 1, len(heading[1]))
            elif fence := _FENCE.match(line):
                after = self._fence_end(at, fence[1])
                block = self._block("code", at, after)
            elif end := self._formula_end(at, line.strip()):
                after, block = end, self._block("formula", at, end)
            else:
                after, block = self._run_of_lines(at)
            yield block
            at = after

    def _run_of_lines(self, at: int) -> tuple[int, Block]:
        """A paragraph, a list item or a table: it ends at a blank line, or where another block begins."""
        kind: BlockKind = "item" if _ITEM.match(self.lines[at]) else "table" if _TABLE.match(self.lines[at]) else "text"
        end = at + 1
        while end < len(self.lines):
            line = self.lines[end]
            if kind == "text" and (underline := _UNDERLINE.match(line)):
                return end + 1, self._block("heading", at, end, 1 if underline[1][0] == "=" else 2)
            begins = any(pattern.match(line) for pattern in (_HEADING, _FENCE, _ITEM, _PAGE))
            begins = begins or line.lstrip().startswith(("$$", "|"))
            if not line.strip() or (kind != "table" and begins):
                break
            end += 1
        return end, self._block(kind, at, end)

    def _fence_end(self, at: int, fence: str) -> int:
        """The line after the closing fence; without one the code goes on to the end of the text."""
        for closing in self._closing_lines(fence[0] * 3, at):
            line = self.lines[closing].strip()
            if len(line) >= len(fence) and not line.strip(fence[0]):
                return closing + 1
        return len(self.lines)

    def _formula_end(self, at: int, line: str) -> int | None:
        for opening, closing in (("$$", "$$"), ("\\[", "\\]")):
            if line.startswith(opening):
                if line.endswith(closing) and len(line) >= 4:
                    return at + 1
                return next((end + 1 for end in self._closing_lines(closing, at)), None)
        return None

    def _closing_lines(self, mark: str, after: int) -> Iterator[int]:
        """The lines after this one that end with the mark; found once for a text, so that openings cost no more."""
        if mark not in self._closings:
            self._closings[mark] = [n for n, line in enumerate(self.lines) if line.rstrip().endswith(mark)]
        closings = self._closings[mark]
        return (closings[place] for place in range(bisect_left(closings, after + 1), len(closings)))

    def _block(self, kind: BlockKind, first: int, after: int, level: int = 0) -> Block:
        start, end = self.spans[first][0], self.spans[after - 1][1]
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        whole = kind in ("heading", "table", "code", "formula") or bool(_CAPTION.match(text.lstrip()))
        return Block(kind, start, start + len(text.strip()), first, level, self.page, whole)

"""The lines of a Markdown file, and its headings except those in code fences and front matter."""

import re
from bisect import bisect_right

from msgspec import Struct

from specs.reading.document import Section

FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
# OpenSpec also accepts `###Requirement:` without a space.
HEADING = re.compile(r"(#{1,6})(?:\s+(?=\S)|(?=Requirement:))(.*)", re.IGNORECASE)
# The headings of the format, with what its Chinese edition, and who writes Japanese, have in their place.
PURPOSE_TITLES = ("purpose", "目的")
REQUIREMENTS_TITLES = ("requirements", "需求", "要求", "要件")
REQUIREMENT_LABEL = r"(?:Requirement|需求|要求|要件)\s*[:：]\s*"
DELTA_TITLES: dict[str, Section] = {
    "新增需求": "added",
    "修改需求": "modified",
    "移除需求": "removed",
    "删除需求": "removed",
    "重命名需求": "renamed",
}
SCENARIO_LABEL = r"(?:Scenario|场景|場景|シナリオ)\s*[:：]\s*"
RULE = re.compile(r"-{3,}|\*{3,}|_{3,}")


class HeadingLine(Struct, frozen=True):
    """`index` counts lines from 0; `level` is the number of hashes."""

    index: int
    level: int
    title: str


class Outline(Struct, frozen=True):
    lines: list[str]
    headings: list[HeadingLine]
    fenced: set[int]
    commented: set[int]
    open_fence: int | None

    def text(self, start: int, end: int) -> str:
        """The lines without comments, without blank lines at either end, and without a rule at the end."""
        kept = [self.lines[index] for index in range(start, end) if index not in self.commented]
        last = len(kept)
        while last and (not kept[last - 1].strip() or RULE.fullmatch(kept[last - 1].strip())):
            last -= 1
        return "\n".join(kept[:last] if last else kept).strip("\n").rstrip()

    def section_text(self, heading: HeadingLine) -> str:
        return self.text(heading.index + 1, self.section_end(heading)).strip()

    def section_end(self, heading: HeadingLine) -> int:
        """The index of the next heading of the same level or a higher one, or the end of the file."""
        first = bisect_right(self.headings, heading.index, key=lambda item: item.index)
        after = (self.headings[number] for number in range(first, len(self.headings)))
        return next((item.index for item in after if item.level <= heading.level), len(self.lines))


def normalise(text: str) -> str:
    """Line ends as one newline, no byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_outline(text: str) -> Outline:
    lines = normalise(text).split("\n")
    start = 0
    if lines[0].rstrip() == "---":  # a YAML block at the top
        ends = (index + 1 for index in range(1, len(lines)) if lines[index].rstrip() in ("---", "..."))
        start = next(ends, 0)
    fenced, open_fence = fenced_lines(lines, start)
    headings = [
        HeadingLine(index, len(match[1]), _without_closing_hashes(match[2]).strip())
        for index in range(start, len(lines))
        if lines[index].startswith("#") and index not in fenced and (match := HEADING.match(lines[index]))
    ]
    commented = _commented_lines(lines, start, fenced) | set(range(start))
    return Outline(lines, headings, fenced, commented, open_fence)


def _without_closing_hashes(title: str) -> str:
    """`Title` of `Title ##`."""
    text = title.rstrip(" \t")
    rest = text.rstrip("#")
    return rest if rest != text and rest.endswith((" ", "\t")) else title


def fenced_lines(lines: list[str], start: int = 0) -> tuple[set[int], int | None]:
    """The lines of all code blocks with their fences, and the line of a fence that is never closed."""
    fenced: set[int] = set()
    opened: int | None = None
    marker = ""
    for index in range(start, len(lines)):
        match = FENCE.match(lines[index]) if "```" in lines[index] or "~~~" in lines[index] else None
        if opened is None and match:
            opened, marker = index, match[1]
        elif opened is not None and match and match[1].startswith(marker) and not match[2].strip():
            fenced.update(range(opened, index + 1))
            opened = None
    if opened is not None:
        fenced.update(range(opened, len(lines)))
    return fenced, opened


def _commented_lines(lines: list[str], start: int, fenced: set[int]) -> set[int]:
    """Lines of HTML comments that begin a line; a comment inside a sentence or in code stays as written."""
    commented: set[int] = set()
    inside = False
    for index in range(start, len(lines)):
        if index in fenced:
            continue
        if inside or lines[index].lstrip().startswith("<!--"):
            commented.add(index)
            inside = "-->" not in lines[index]
    return commented

"""Characters of a PDF joined to lines, and the lines of its pages in the order in which they are read."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median

from msgspec import Struct

from ingest.pdf.characters import Character, parted, text_of, with_accents

# In shares of the font size: wider gaps are gaps between columns.
_GUTTER = 1.3
# Baselines further apart are different lines; smaller differences are superscripts and subscripts.
_LINE_SHIFT = 0.45
# Where running heads, footers and page numbers are, as shares of the page's height.
_MARGIN = 0.1
_WIDE_MARGIN, _LEAST_LINES = 0.2, 4
# A number alone is a page number even further from the edge.
_NUMBER_MARGIN = 0.16
# How many pages must have the same line there before it is taken for a running head.
_REPEATED = 3
_PAGE_NUMBER = re.compile(r"[-–— ]*(?:page )?(?:\d{1,4}|[ivxlc]{1,7})(?: (?:of|/) ?\d{1,4})?[-–— ]*", re.I)
_DIGITS = re.compile(r"\d+")
# The middle of a page, in which the gap between two columns is looked for.
_MIDDLE = (0.38, 0.62)
_GAP_STEPS = 24
# Lines on each side without which there are no columns, and the share of lines that may cross the gap.
COLUMN_LINES = 6
_CROSSING = 0.35


class Line(Struct, frozen=True):
    """A line of one column. `top` counts from the top of the page, in points; `parted` is the text with PART for
    raised marks and wide gaps."""

    text: str
    left: float
    right: float
    top: float
    size: float
    bold: bool
    page: int
    parted: str = ""


class PageLines(Struct, frozen=True):
    """The lines of a page, and its size."""

    number: int
    width: float
    height: float
    lines: list[Line]


def lines_of(characters: Iterable[Character], height: float, number: int) -> tuple[list[Line], str]:
    """The lines of a page of this height as the file orders them, and the text in its margin that is turned."""
    turned: list[Character] = []
    upright: list[Character] = []
    for character in characters:
        (upright if character.upright else turned).append(character)
    lines = []
    for run in _runs(with_accents(upright)):
        # The middle one: glyphs that are drawn, not set, have heights of their own.
        typical = sorted(run, key=lambda character: character.size)[len(run) // 2]
        bold = sum(character.bold for character in run) * 2 > len(run)
        left, right = run[0].left, max(character.right for character in run)
        top = height - typical.baseline
        lines.append(Line(text_of(run), left, right, top, typical.size, bold, number, parted(run)))
    return lines, "".join(character.text for character in turned)


def _runs(characters: Iterable[Character]) -> Iterator[list[Character]]:
    """Characters that follow each other on one line without a gap as wide as one between columns."""
    run: list[Character] = []
    for character in characters:
        if run:
            before = run[-1]
            size = max(before.size, character.size)
            on_line = abs(before.baseline - character.baseline) <= _LINE_SHIFT * size
            if not (on_line and -size < character.left - before.right < _GUTTER * size):
                yield run
                run = []
        run.append(character)
    if run:
        yield run


def without_margins(pages: Sequence[PageLines]) -> list[PageLines]:
    """The pages without page numbers and the lines that are repeated at their top or bottom."""
    edges = [_edge(page) for page in pages]
    repeated = Counter(key for edge in edges for key in set(map(_key, edge.values())))
    needed = min(_REPEATED, max(2, len(pages) // 2))
    kept = []
    for page, edge in zip(pages, edges, strict=True):
        left_out = {place for place, line in edge.items() if repeated[_key(line)] >= needed}
        left_out |= {
            place
            for place, line in enumerate(page.lines)
            if _in_margin(line, page, _NUMBER_MARGIN) and _PAGE_NUMBER.fullmatch(line.text.strip())
        }
        lines = [line for place, line in enumerate(page.lines) if place not in left_out]
        kept.append(PageLines(page.number, page.width, page.height, lines))
    return kept


def _edge(page: PageLines) -> dict[int, Line]:
    """By their places, the lines in the margins, and the first and last of a page with wide ones."""
    tops = [line.top for line in page.lines]
    has_text = len(tops) > _LEAST_LINES
    first, last = min(tops, default=0.0), max(tops, default=0.0)
    return {
        place: line
        for place, line in enumerate(page.lines)
        if _in_margin(line, page)
        or (
            has_text
            and _in_margin(line, page, _WIDE_MARGIN)
            and min(line.top - first, last - line.top) < 0.5 * line.size
        )
    }


def _in_margin(line: Line, page: PageLines, share: float = _MARGIN) -> bool:
    return line.top < share * page.height or line.top > (1 - share) * page.height


def _key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text.lower().replace(" ", "")), round(line.size)


def reading_order(pages: Sequence[PageLines]) -> list[list[Line]]:
    """The columns of all pages in the order in which they are read, each from top to bottom."""
    lines = [joined_pieces(page.lines) for page in pages]
    gaps = [column_gap(joined, page.width, COLUMN_LINES) for joined, page in zip(lines, pages, strict=True)]
    found = [gap for gap in gaps if gap is not None]
    if len(found) * 2 > len(pages):
        # A document in two columns: a last page that fills only one of them has two as well.
        gaps = [gap or column_gap(joined, page.width, 1) for gap, joined, page in zip(gaps, lines, pages, strict=True)]
    return [column for joined, gap in zip(lines, gaps, strict=True) for column in _columns(joined, gap)]


def _columns(lines: list[Line], gap: float | None) -> list[list[Line]]:
    """The columns of a page. A title or a caption that crosses the gap parts it: what is above it is read first."""
    if gap is None:
        return [lines] if lines else []
    columns: list[list[Line]] = []
    for crossing, part in groupby(lines, key=lambda line: line.left < gap < line.right):
        group = list(part)
        if crossing:
            columns.append(group)
        else:
            left = [line for line in group if line.right <= gap]
            right = [line for line in group if line.left >= gap]
            columns += [column for column in (left, right) if column]
    return columns


def joined_pieces(lines: Iterable[Line]) -> list[Line]:
    """The lines from top to bottom; pieces of one line, as justified text and formulas have them, put together."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.top, line.left)):
        if rows and abs(rows[-1][0].top - line.top) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    joined: list[Line] = []
    for row in rows:
        first, *others = sorted(row, key=lambda line: line.left)
        joined.append(first)
        for line in others:
            before = joined[-1]
            is_of_one_size = max(line.size, before.size) < 3 * min(line.size, before.size)
            if is_of_one_size and line.left - before.right < 0.9 * line.size:
                size = max(before, line, key=lambda piece: len(piece.text)).size
                bold = before.bold and line.bold
                text = f"{before.text} {line.text}"
                right, parted = max(before.right, line.right), f"{before.parted} {line.parted}"
                joined[-1] = Line(text, before.left, right, before.top, size, bold, line.page, parted)
            else:
                joined.append(line)
    return joined


def column_gap(lines: Sequence[Line], width: float, column_lines: int) -> float | None:
    """Where the gap between two columns of at least so many lines is; None if the page has one column."""
    if not lines:
        return None
    first, last = (share * width for share in _MIDDLE)
    places = [first + (last - first) * step / _GAP_STEPS for step in range(_GAP_STEPS + 1)]
    crossed = {place: sum(line.left < place < line.right for line in lines) for place in places}
    fewest = min(crossed.values())
    gap = median(place for place in places if crossed[place] == fewest)
    left = sum(line.right <= gap for line in lines)
    right = sum(line.left >= gap for line in lines)
    has_columns = min(left, right) >= column_lines and fewest <= _CROSSING * len(lines)
    return gap if has_columns else None

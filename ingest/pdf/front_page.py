"""The front of a paper: which lines of its first page are the title, and whom the lines beside it name."""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ingest.entries.text import folded
from ingest.pdf.characters import PART, WIDE
from ingest.pdf.lines import COLUMN_LINES, Line, PageLines, column_gap, joined_pieces
from ingest.pdf.names import is_place, persons_in
from papercore.text import STOP_WORDS, folded_words, one_line

# A title is in the upper part of its page, and no longer than this.
_UPPER = 0.6
_TITLE_CHARS = 300
# What stands above a title, or between it and the text, and is none.
_NO_TITLE = re.compile(
    r"proceedings|conference|symposium|workshop\b.{0,100}\d|journal|transactions on|\bvol\b|\bvol\.|volume \d"
    r"|\bno\. ?\d|issn|isbn|https?:|www\.|@|technical report|research report|\breport series|manuscript|submitted"
    r"|downloaded|session \d|doi:|university|universit|department|institute|laborator|arxiv|copyright|©"
    r"|\bpages? \d|all rights|preprint|\bid ?: ?\d",
    re.I,
)
_FRONT_END = re.compile(
    r"(?:abstract|summary|zusammenfassung|résumé|key ?words|index terms|categories and subject|contents|introduction"
    r"|acknowledg|thesis committee|committee|advis[eo]r|supervisor|submitted in|a thesis|general terms|permission to)\b"
    r"|(?:[1I]\.?|§ ?1\.?) +\w",
    re.I,
)
# A title does not end in such a word or mark.
_UNENDED = re.compile(r"(?:[,:&]|\b(?:a|an|and|for|from|in|of|on|or|the|to|with))$", re.I)
_AND = re.compile(r",?\s(?:and|und|et|y)\s")
_BY = re.compile(r"(?:by|von|par)\b", re.I)
_COVER_LINES = 25
_LEAST_WORDS_OF_TEXT = 9
# A page with fewer lines of prose is a cover.
_PROSE_LINES = 6
# Lines without a name after which no more are expected.
_LINES_BETWEEN = 6
_FIRST_MARK = re.compile(r"^[\W_]+(?=\w)")
_LAST_MARK = re.compile(r"[*∗†‡§¶⋆?\s]{1,20}$|(?<=[^\W\d_])\d{1,2}$")


class FrontPage(Struct, frozen=True):
    """`above` is what stands over the title, `between` what stands between it and the text."""

    title: str
    authors: tuple[str, ...]
    above: list[Line]
    between: list[Line]


class _Block(Struct, frozen=True):
    lines: list[Line]

    @property
    def text(self) -> str:
        return one_line(" ".join(line.text for line in self.lines))

    @property
    def words(self) -> set[str]:
        return set(folded_words(self.text)) - STOP_WORDS


def read_front(pages: Sequence[PageLines], file_name: str) -> FrontPage:
    """What the first page says before its text begins. Whom the title stands over again, behind a cover sheet, are
    the authors: a cover has an uploader, a publisher and the like as well."""
    front = _read_page(pages[0], file_name)
    if front.title and is_cover(joined_pieces(pages[0].lines)):
        for page in pages[1:]:
            behind = _read_page(page, file_name)
            if behind.authors and folded(behind.title) == folded(front.title):
                return replace(front, authors=behind.authors)
    return front


def is_cover(lines: Sequence[Line]) -> bool:
    """Whether all that a page says is about the paper: it has hardly any prose."""
    return sum(is_prose(line) for line in lines) < _PROSE_LINES


def _read_page(page: PageLines, file_name: str) -> FrontPage:
    """Title and authors are empty where the page does not say them."""
    lines = joined_pieces(page.lines)
    body_size = _body_size(lines)
    # On a cover all may have one size, and no text tells where a title ends.
    upper = [line for line in lines if line.top < _UPPER * page.height]
    blocks = _blocks(upper, body_size if len(lines) > _COVER_LINES else 0.0)
    named = set(folded_words(file_name.replace("_", " "))) - STOP_WORDS
    # Type larger still is initials.
    largest = max((block.lines[0].size for block in blocks if block.lines[0].size < 5 * body_size), default=0.0)
    likeness = [
        _title_likeness(block, body_size, named, page) + 0.1 * (block.lines[0].size > 0.96 * largest)
        for block in blocks
    ]
    if not blocks or max(likeness) < 0:
        return FrontPage("", (), [], [])
    title = blocks[likeness.index(max(likeness))]
    last, first = title.lines[-1].top, title.lines[0].top
    gap = column_gap(lines, page.width, COLUMN_LINES)
    beside = [line for line in lines if gap is None or _same_column(title, line, gap)]
    above = [line for line in beside if line.top < first - 1 and line not in title.lines]
    between = _until_text([line for line in beside if line.top > last + 1])
    text, _, named_in_title = _title_text(title).partition(" By ")
    authors = tuple(persons_in(named_in_title)) or _authors(between) or _authors_above(above, title)
    return FrontPage(text, authors, above, between)


def _body_size(lines: Sequence[Line]) -> float:
    weights: Counter[float] = Counter()
    for line in lines:
        weights[round(line.size, 1)] += len(line.text)
    return weights.most_common(1)[0][0] if weights else 10.0


def _blocks(lines: Sequence[Line], body_size: float) -> list[_Block]:
    """Lines of one style below each other; smaller ones go on with a title that is larger than the text."""
    blocks: list[_Block] = []
    for line in _stretched_rows(lines, body_size):
        if sum(map(str.isalpha, line.text)) < 3:
            continue
        for block in reversed(blocks[-6:]):
            if _goes_on(block, line, body_size):
                block.lines.append(line)
                break
        else:
            blocks.append(_Block([line]))
    return blocks


def _stretched_rows(lines: Sequence[Line], body_size: float) -> list[Line]:
    """The lines; words of large ones that a scan sets wide apart are put together."""
    rows: list[Line] = []
    for line in lines:
        before = rows[-1] if rows else line
        is_large = line.size > 1.25 * body_size and abs(line.size - before.size) < 0.04 * line.size
        if is_large and abs(line.top - before.top) < 1 and 0 < line.left - before.right < 2.2 * line.size:
            text, parted = f"{before.text} {line.text}", f"{before.parted}{WIDE}{line.parted}"
            rows[-1] = replace(before, text=text, parted=parted, right=line.right)
        else:
            rows.append(line)
    return rows


def _goes_on(block: _Block, line: Line, body_size: float) -> bool:
    first, before = block.lines[0], block.lines[-1]
    step, is_unended = line.top - before.top, bool(_UNENDED.search(before.text))
    farthest = (2.6 if is_unended else 2.2) * max(before.size, line.size)
    if not 0.5 * line.size <= step <= farthest or line.bold != before.bold:
        return False
    if line.right < before.left or line.left > before.right or _BY.fullmatch(line.text) or line.text.startswith("("):
        return False
    names_somebody = not is_unended and bool(persons_in(line.parted))
    if _FRONT_END.match(line.text) or (first.size < 1.05 * body_size and names_somebody):
        return False
    if len(block.lines) > 1 and step > 1.6 * (before.top - block.lines[-2].top):
        return False
    if abs(line.size - before.size) <= 0.04 * before.size:
        return True
    if first.size > 1.25 * body_size and abs(line.size - first.size) < 0.1 * first.size:
        return True
    is_smaller = 0.7 * first.size <= line.size < first.size and line.size > 1.25 * body_size
    return is_smaller and not names_somebody and not _NO_TITLE.search(line.text)


def _title_likeness(block: _Block, body_size: float, named: set[str], page: PageLines) -> float:
    """How much the block looks like a title: by its size and weight, its place, and the words of the file's name."""
    first, text, words = block.lines[0], block.text, block.words
    if len(text) > _TITLE_CHARS or not words:
        return -1.0
    letters = [char for char in text if char.isalpha()]
    likeness = min(first.size / body_size, 2.0) + 0.15 * first.bold + 0.1 * all(char.isupper() for char in letters)
    likeness -= 0.4 * first.top / page.height + 0.3 * (len(words) < 2) + 0.6 * bool(_NO_TITLE.search(text))
    likeness -= 0.6 * bool(_FRONT_END.match(text)) + 0.3 * (len(persons_in(first.parted)) > 1)
    if len(named) >= 2 and (shared := len(words & named)):
        precision, recall = shared / len(words), shared / len(named)
        likeness += 1.5 * 2 * precision * recall / (precision + recall)
    return likeness


def _title_text(title: _Block) -> str:
    text = one_line(" ".join(line.parted.replace(PART, "").replace(WIDE, " ") for line in title.lines))
    return _LAST_MARK.sub("", _FIRST_MARK.sub("", text)) if len(text) > 3 else text


def _same_column(title: _Block, line: Line, gap: float) -> bool:
    """Whether the line is read with the title: a title that is in one column keeps to it."""
    if all(item.right <= gap + 5 for item in title.lines):
        return line.left < gap
    return not all(item.left >= gap - 5 for item in title.lines) or line.right > gap


def _until_text(lines: Sequence[Line]) -> list[Line]:
    """The lines up to the first that begins the text: an abstract, a first section, or a line of prose."""
    front: list[Line] = []
    for line in lines:
        if _FRONT_END.match(line.text.strip(" .*")) or (is_prose(line) and not persons_in(line.parted)):
            break
        front.append(line)
    return front


def is_prose(line: Line) -> bool:
    """Whether the line is one of a paragraph."""
    words = line.text.split()
    return len(words) >= _LEAST_WORDS_OF_TEXT and sum(word in STOP_WORDS for word in words) >= 3


def _authors(lines: Sequence[Line]) -> tuple[str, ...]:
    """The names in the lines below a title: lines like the first that names somebody, and no name said twice."""
    style: tuple[float, bool] | None = None
    names: list[str] = []
    missed, waiting = 0, ""
    for line in _whole_rows(lines):
        if style and (abs(line.size - style[0]) > 0.06 * style[0] or line.bold != style[1]):
            missed += 1
            continue
        text = f"{waiting} {line.parted}".strip()
        waiting = ""
        # Below names, what follows a raised mark is where they work.
        is_affiliation = names and (line.parted.startswith(PART) or (missed and is_place(text)))
        found = [] if is_affiliation else persons_in(text)
        if not found:
            missed += 1
        if missed > _LINES_BETWEEN and names:
            break
        if found:
            missed, style = 0, style or (line.size, line.bold)
            names += found
            # A name that the end of the line cuts in two: "Sue Manning and Scott", "Shenker, Howard Sturgis".
            whole, _, rest = map(str.strip, _AND.sub(",", text).rpartition(","))
            is_cut = rest.isalpha() and rest.istitle() and folded(whole).endswith(folded(found[-1]))
            waiting = rest if is_cut else ""
    counts = Counter(map(folded, names))
    return tuple(dict.fromkeys(name for name in names if counts[folded(name)] == 1))


def _whole_rows(lines: Sequence[Line]) -> list[Line]:
    """The lines, with rows of single words joined, as stretched capitals and old scans have them."""
    rows: list[Line] = []
    for line in lines:
        before = rows[-1] if rows else None
        if (
            before
            and abs(before.top - line.top) < 0.3 * before.size
            and line.text.isalpha()
            and before.parted.isupper()
        ):
            rows[-1] = replace(before, parted=f"{before.parted} {line.parted}")
        else:
            rows.append(line)
    return rows


def _authors_above(lines: Sequence[Line], title: _Block) -> tuple[str, ...]:
    """The names in the line right over a title, where nothing under it names anybody."""
    if not lines or title.lines[0].top - lines[-1].top > 4 * title.lines[0].size:
        return ()
    return tuple(persons_in(lines[-1].parted))

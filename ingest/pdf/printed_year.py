"""The year that a paper prints of itself: in a stamp, a head, a date, a copyright line; never one of its text."""

import re
from collections.abc import Iterable, Sequence

from ingest.pdf.front_page import is_cover
from ingest.pdf.lines import Line, PageLines, joined_pieces

_YEAR = r"(?<!\d)(1[89]\d\d|20[0-4]\d)(?!\d)"
_MONTH = (
    r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?|sept?(?:ember|\.)?"
    r"|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?|spring|summer|fall|autumn|winter"
    r"|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_STAMP = re.compile(rf"arxiv:.{{0,60}}?{_MONTH}\s?((?:19|20)\d\d)(?!\d)", re.I)
_DATE = re.compile(
    rf"\b{_MONTH}[\s,.]*(?:\d{{1,2}}(?:\s?(?:st|nd|rd|th))?(?:\s?[-–—]\s?\d{{1,2}})?[\s,.]*)?{_YEAR}"
    rf"|{_YEAR}[/-]\d{{1,2}}[/-]\d{{1,2}}(?!\d)|^\s*\(?{_YEAR}\)?\s*$",
    re.I,
)
# "The 2010 ACM Prize" is somebody's.
_NO_PRIZE = r"(?!\s(?:[\w.]{1,30}\s)?(?:prize|award|medal|fellow))"
_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|copyright\b|(?:^|[\s$\d-])[!9°◦]?c\b)\s?(?:©|c|\(c\))?\s?(?:[^\W\d_][\w.-]*,?\s+){{0,4}}{_YEAR}"
    rf"|{_YEAR}\s?(?:ACM|IEEE|Elsevier|Springer|USENIX|AAAI|International Association){_NO_PRIZE}"
    rf"|(?<=[0 ])0?((?:19|20)\d\d)\s?(?:ACM|IEEE)\b{_NO_PRIZE}",
    re.I,
)
# The code under which copies are paid for: an ISBN or ISSN, the year in two digits, the month or an item.
_FEE_CODE = re.compile(
    r"\d[\dX]{3}-?\d{0,12}[\dX]/(\d\d)/(?:\d{2,4}\b|\$)|\d-[\dX]/(\d\d)/(?:\d{2,4}\b|\$)|[\dX]/(\d\d) \$"
)
_ISSUE = re.compile(
    rf"\((?:{_MONTH}\s*)?{_YEAR}\)[,:;\s]*\d|\b(?:vol|volume|no|number|pp|pages)\b.{{0,80}}{_YEAR}|{_YEAR}.{{0,80}}\b(?:vol|volume|pp)\b"
    rf"|\(\d{{4}}\)\.|\d,\s?\d{{1,4}}\s?[–-]\s?\d{{1,4}},?\s\(?{_YEAR}",
    re.I,
)
_MEETING = re.compile(
    rf"(?:(?i:proc(?:eedings|\.)|conference|symposium|workshop|summer school|journal|transactions|published|appear"
    rf"|draft)|[A-Z]{{3}}).{{0,120}}?{_YEAR}"
    rf"|{_YEAR}\s(?:[A-Z/][\w/&-]{{0,30}}\s){{0,6}}(?i:proceedings|conference|symposium|workshop|congress|meeting|competition)"
)
_MEETING_SHORT = re.compile(r"\b[A-Z]{3}\w{0,20}\s?[’'](\d\d)\b")
_NOT_ITS_OWN = re.compile(
    r"download|uploaded|retrieved|accessed|printed|https?://\S{0,200}\d|received|revised|mathematics subject|grant"
    r"|supported by|re-?keyed|\bsee\b|et al|\bdated\b|confidential",
    re.I,
)
_FOOTNOTE = re.compile(r"^\s*(?:\[?\d{1,2}[\].]*|[*†‡§∗?])\s?(?=[^\W\d_]|[\"“])")
_ITS_HISTORY = re.compile(r"appear|version of (?:this|a|the) (?:paper|article)|published|reprinted|presented", re.I)
_REFERENCE_FORMAT = re.compile(r"reference format\s*:|cite this (?:paper|article) as", re.I)
# Where the foot of a page begins, and where only what belongs to no text stands, as shares of its height.
_FOOT, _MARGIN = 0.8, 0.91


def printed_year(pages: Sequence[PageLines], turned: str, above: Sequence[Line], between: Sequence[Line]) -> str:
    """The year of publication by the first of its witnesses; empty where none is printed."""
    if stamp := _STAMP.search(turned):
        return stamp[1]
    if not pages:
        return ""
    lines = [line for line in joined_pieces(pages[0].lines) if not _NOT_ITS_OWN.search(line.text)]
    head = [line.text for line in above if line in lines]
    front = [line.text for line in between if line in lines]
    small, foot, history = _outside_the_text(lines, pages[0].height)
    witnesses = [(head, _ISSUE), (head, _DATE), (head, _COPYRIGHT), (head, _MEETING), (front, _DATE), (front, _MEETING)]
    witnesses += [(small, _COPYRIGHT), (foot, _ISSUE), (foot, _DATE), (foot, _MEETING), (history, _MEETING)]
    witnesses.insert(6, (_own_citation(lines), re.compile(_YEAR)))
    all_about_it = is_cover(lines)
    if all_about_it:
        witnesses += [([line.text for line in lines], pattern) for pattern in (_DATE, _COPYRIGHT, _ISSUE)]
    for texts, pattern in witnesses:
        if year := _first(texts, pattern):
            return year
    if short := _two_digits(small + head + front):
        return short
    if all_about_it and len(pages) > 1:
        behind = [line.text for line in joined_pieces(pages[1].lines) if not _NOT_ITS_OWN.search(line.text)]
        return _first(behind[:25], _COPYRIGHT) or _first(behind[:12], _DATE)
    return ""


def _own_citation(lines: Sequence[Line]) -> list[str]:
    """The lines under "ACM Reference Format:" and the like, which say how the paper is to be cited."""
    for heading in lines:
        if _REFERENCE_FORMAT.search(heading.text):
            below = [line for line in lines if line.left < heading.right and line.top >= heading.top]
            return [line.text for line in below if line.top < heading.top + 6 * heading.size]
    return []


def _first(texts: Iterable[str], pattern: re.Pattern[str]) -> str:
    for text in texts:
        if found := pattern.search(text):
            years = [year for year in found.groups() if year] or re.findall(_YEAR, found[0])
            if years:
                return str(years[-1])
    return ""


def _two_digits(texts: Iterable[str]) -> str:
    for text in texts:
        if found := _FEE_CODE.search(text) or _MEETING_SHORT.search(text):
            year = next(part for part in found.groups() if part)
            return f"19{year}" if int(year) > 49 else f"20{year}"
    return ""


def _outside_the_text(lines: Sequence[Line], height: float) -> tuple[list[str], list[str], list[str]]:
    """The lines in small print or in the margin; of these those at the foot that are no footnote; and paragraphs that
    tell where the paper appeared."""
    sizes = sorted(line.size for line in lines for _ in range(len(line.text) // 10))
    body = sizes[len(sizes) // 2] if sizes else 10.0
    in_small = [line for line in lines if line.size < 0.95 * body or line.top >= _FOOT * height]
    foot: list[str] = []
    history: list[str] = []
    for paragraph in _paragraphs(in_small):
        text, first = " ".join(line.text for line in paragraph), paragraph[0]
        if _ITS_HISTORY.search(text):
            history.append(text)
        elif not _FOOTNOTE.match(first.text):
            at_foot = [line for line in paragraph if line.top > _FOOT * height]
            told = [line for line in at_foot if line.top > _MARGIN * height or line.size < 0.95 * body]
            foot += [line.text for line in told]
            history += [text] if told else []
    return [line.text for line in in_small], foot, history


def _paragraphs(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines of one size close below each other, and the pieces of a line."""
    paragraphs: list[list[Line]] = []
    for line in lines:
        for paragraph in reversed(paragraphs[-4:]):
            before = paragraph[-1]
            left, right = min(item.left for item in paragraph), max(item.right for item in paragraph)
            is_beside = max(line.left - right, left - line.right) < 2 * line.size
            is_close = line.top - before.top < 1.6 * line.size and abs(line.size - before.size) < 0.08 * line.size
            if is_beside and is_close:
                paragraph.append(line)
                break
        else:
            paragraphs.append([line])
    return paragraphs

"""The sections of a text: found by number or heading, and listed as an outline."""

import re

from papercore.passages import CutText, Section, cut
from papers.snapshot.errors import SectionNotFound

# "3.1 Results" is also found as "Results".
_NUMBERING = re.compile(r"^(?:(?:\d{1,3}|[IVX]{1,5}|[A-Z])(?:[.)]|(?=\s))){1,6}\s")


def section_text(paper_id: str, text: str, name: str) -> str:
    """One section with the sections below it."""
    found = find_section(cut(text), name)
    if found is None:
        raise SectionNotFound("The text has no such section; get_paper_outline lists them.", paper_id=paper_id)
    return text[found.start : found.end].strip()


def find_section(text: CutText, name: str) -> Section | None:
    """By its number; else the first whose heading is the name, in any case, with or without its numbering."""
    wanted = name.strip()
    if wanted.isascii() and wanted.isdigit():
        return text.sections[int(wanted)] if int(wanted) < len(text.sections) else None
    key = wanted.casefold()
    whole = next((section for section in text.sections if section.title.casefold() == key), None)
    bare = (section for section in text.sections if _NUMBERING.sub("", section.title).casefold() == key)
    return whole or next(bare, None)

"""Emphasis in Chinese, Japanese and Korean, which have no spaces around words and no slanted letters."""

import re
from collections.abc import Sequence
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from papercore.text import CJK_BLOCKS_AND_FORMS, has_cjk

_CJK_OR_SIGN = re.compile(f"[{CJK_BLOCKS_AND_FORMS}]")


def install(md: MarkdownIt) -> None:
    md.inline.ruler.at("emphasis", _emphasis)


def _emphasis(state: StateInline, silent: bool) -> bool:
    """The rule of CommonMark; beside CJK letters, marks inside a sentence's signs count too: 是**“重点”**的."""
    start, marker = state.pos, state.src[state.pos]
    if silent or marker not in "_*":
        return False
    scanned = state.scanDelims(start, marker == "*")
    before = state.src[start - 1 : start]
    after = state.src[start + scanned.length : start + scanned.length + 1]
    splits = marker == "*"
    opens = scanned.can_open or (splits and bool(_CJK_OR_SIGN.match(before)) and bool(after.strip()))
    closes = scanned.can_close or (splits and bool(_CJK_OR_SIGN.match(after)) and bool(before.strip()))
    for _ in range(scanned.length):
        state.push("text", "", 0).content = marker
        mark = Delimiter(ord(marker), scanned.length, len(state.tokens) - 1, -1, opens, closes)
        state.delimiters.append(mark)
    state.pos += scanned.length
    return True


def mark_cjk(children: Sequence[Token]) -> None:
    """Give emphasis on CJK letters a class: upright, and with dots if it is on some words and not on a whole line."""
    # How many of the children before each place have CJK letters, and how many have any text.
    cjk = list(accumulate((has_cjk(child.content) for child in children), initial=0))
    filled = list(accumulate((bool(child.content.strip()) for child in children), initial=0))
    opened: list[int] = []
    for place, token in enumerate(children if cjk[-1] else ()):
        if token.type == "em_open":
            opened.append(place)
        elif token.type == "em_close":
            start = opened.pop()
            if cjk[place] > cjk[start]:
                whole = filled[place] - filled[start] == filled[-1]
                children[start].attrSet("class", "cjk" if whole else "cjk dots")

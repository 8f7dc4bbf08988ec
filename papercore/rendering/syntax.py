"""What the parser reads beyond CommonMark: formulas in TeX, and emphasis beside Chinese, Japanese and Korean."""

import re
from bisect import bisect_right

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar

from papercore.rendering.math import FORMULA_CHARS
from papercore.text import CJK_BLOCKS_AND_FORMS

_TEX_OPENING = re.compile(r"\\(?:([(\[])|begin\{([a-z]+\*?)\})")
_CJK_OR_SIGN = re.compile(f"[{CJK_BLOCKS_AND_FORMS}]")
_find_block = math_block_dollar(allow_labels=False, allow_blank_lines=True)


def install(md: MarkdownIt) -> None:
    md.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
    md.block.ruler.at("math_block", _dollar_block)
    md.inline.ruler.before("escape", "tex_math", _tex_math)
    md.inline.ruler.at("emphasis", _emphasis)


def _dollar_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Look for the end of a block only where a line ends one; otherwise openings without an end cost quadratic time."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", begin):
        return False
    if not state.src[begin : state.eMarks[start]].rstrip().endswith("$$", 3):
        if "closing_lines" not in state.env:
            spans = zip(state.bMarks, state.eMarks, strict=True)
            closing = (
                line for line, (first, last) in enumerate(spans) if state.src[first:last].rstrip().endswith("$$")
            )
            state.env["closing_lines"] = list(closing)
        closings: list[int] = state.env["closing_lines"]
        after = bisect_right(closings, start)
        if after == len(closings) or closings[after] >= end:
            return False
    return _find_block(state, start, end, silent)


def _tex_math(state: StateInline, silent: bool) -> bool:
    r"""An inline rule for formulas in \( \), \[ \] and \begin{} \end{}."""
    opening = _TEX_OPENING.match(state.src, state.pos)
    if not opening:
        return False
    name = opening[2]
    closing = rf"\end{{{name}}}" if name else {"(": r"\)", "[": r"\]"}[opening[1]]
    end = state.src.find(closing, opening.end(), state.pos + FORMULA_CHARS)
    if end < 0:
        return False
    if not silent:
        token = state.push("math_inline" if opening[1] == "(" else "math_inline_double", "math", 0)
        token.content = state.src[state.pos : end + len(closing)] if name else state.src[opening.end() : end]
    state.pos = end + len(closing)
    return True


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

"""Formulas between dollar signs: the plugin's rules, kept from searching the whole text for each opening."""

from bisect import bisect_right

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar

_find_block = math_block_dollar(allow_labels=False, allow_blank_lines=True)


def install(md: MarkdownIt) -> None:
    md.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
    md.block.ruler.at("math_block", _math_block)


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Look for the end of a block only where a line ends one; otherwise openings without an end cost quadratic time."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", begin):
        return False
    if not state.src[begin : state.eMarks[start]].rstrip().endswith("$$", 3):
        closings = _closing_lines(state)
        after = bisect_right(closings, start)
        if after == len(closings) or closings[after] >= end:
            return False
    return _find_block(state, start, end, silent)


def _closing_lines(state: StateBlock) -> list[int]:
    found: list[int] | None = state.env.get("closing_lines")
    if found is None:
        ends = zip(state.bMarks, state.eMarks, strict=True)
        found = [line for line, (begin, end) in enumerate(ends) if state.src[begin:end].rstrip().endswith("$$")]
        state.env["closing_lines"] = found
    return found

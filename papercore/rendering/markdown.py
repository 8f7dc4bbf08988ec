"""Markdown in, safe HTML and an outline out, in this process and without a limit on its time."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from papercore import limits
from papercore.passages import cut
from papercore.rendering import dollar_math, emphasis, rules
from papercore.rendering.clean import clean
from papercore.rendering.code import CodeTime
from papercore.rendering.marks import pair_marks
from papercore.rendering.math import as_typed, mathml
from papercore.rendering.rendered import Heading, Rendered, Source
from papercore.rendering.rules import Env
from papercore.text import count_words

# Blocks that can have an anchor; a list item comes before its own paragraph.
_ANCHORED = frozenset(
    [
        "paragraph_open",
        "list_item_open",
        "table_open",
        "fence",
        "code_block",
        "math_block",
        "html_block",
        "blockquote_open",
    ]
)
_OUTLINE_LEVELS = 2
_ANCHOR_CHARS = 60
# Nobody nests links this deep, and the search for their ends takes 40 µs a bracket.
_BRACKET_RUN = re.compile(r"(?:!?\[){20,}")
_TEX_OPENING = re.compile(r"\\(?:([(\[])|begin\{([a-z]+\*?)\})")
_BOXES = {"[ ] ": "☐", "[x] ": "☑"}


def convert(source: Source) -> Rendered:
    shown = _BRACKET_RUN.sub(lambda run: run[0].replace("[", "\\["), source.shown)
    env: Env = {"pictures": source.pictures, "docId": source.prefix, "code_time": CodeTime()}
    env.update(formulas=0, formula_seconds=0.0)
    tokens = _md.parse(shown, env)
    outline = _number_headings(tokens, source.prefix, source.top)
    if source.passages:
        _anchor_passages(tokens, source.shown, source.prefix)
    for token in tokens:
        pair_marks(token.children or [])
        emphasis.mark_cjk(token.children or [])
    _tick_tasks(tokens)
    blocks = tuple(clean(_md.renderer.render(block, _md.options, env)) for block in _top_blocks(tokens))
    return Rendered(blocks, outline, env.get("diagrams", 0), count_words(shown), source.cut)


def _top_blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """Split the text after each block that stands inside no other: a heading, a paragraph, a whole list."""
    start = depth = 0
    for end, token in enumerate(tokens, start=1):
        depth += token.nesting
        if depth == 0:
            yield tokens[start:end]
            start = end


def _number_headings(tokens: list[Token], prefix: str, top: int) -> tuple[Heading, ...]:
    """Set each heading's level and anchor on the page; return the outline."""
    above: list[int] = []
    outline: list[Heading] = []
    taken: Counter[str] = Counter()
    for index, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        level = int(token.tag[1])
        above = [*(higher for higher in above if higher < level), level]
        text = _plain(tokens[index + 1].children or [])
        anchor = _unique(f"{prefix}-{_slug(text)}", taken)
        token.tag = tokens[index + 2].tag = f"h{min(6, top + len(above) - 1)}"
        token.attrSet("id", anchor)
        tokens[index + 2].meta["anchor"] = anchor
        if len(above) <= _OUTLINE_LEVELS and text and len(outline) < limits.OUTLINE:
            outline.append(Heading(len(above), text, anchor))
    return tuple(outline)


def _anchor_passages(tokens: list[Token], text: str, prefix: str) -> None:
    """Give each block of passages an anchor: `p-17` for the block that begins with passage 17."""
    name = "p-" if prefix == "s" else f"p-{prefix}-"
    starts = {passage.line: passage.block for passage in reversed(cut(text).passages)}
    for token in tokens:
        if token.map and token.type in _ANCHORED and (number := starts.pop(token.map[0], None)):
            token.attrSet("id", f"{name}{number}")


def _tick_tasks(tokens: list[Token]) -> None:
    """Show `[ ]` and `[x]` at the start of a list item as a box."""
    for index, token in enumerate(tokens[2:], start=2):
        if token.type == "inline" and tokens[index - 2].type == "list_item_open" and token.children:
            first = token.children[0]
            if first.type == "text" and first.content[:4].lower() in _BOXES:
                first.content = f"{_BOXES[first.content[:4].lower()]} {first.content[4:]}"


def _plain(children: Iterable[Token]) -> str:
    kinds = ("text", "code_inline", "math_inline", "text_special")
    return "".join(child.content for child in children if child.type in kinds).strip()


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")[:_ANCHOR_CHARS].strip("-") or "section"


def _unique(anchor: str, taken: Counter[str]) -> str:
    taken[anchor] += 1
    return anchor if taken[anchor] == 1 else f"{anchor}--{taken[anchor]}"


def _tex_math(state: StateInline, silent: bool) -> bool:
    r"""An inline rule for formulas in \( \), \[ \] and \begin{} \end{}."""
    opening = _TEX_OPENING.match(state.src, state.pos)
    if not opening:
        return False
    name = opening[2]
    closing = rf"\end{{{name}}}" if name else {"(": r"\)", "[": r"\]"}[opening[1]]
    end = state.src.find(closing, opening.end(), state.pos + limits.FORMULA_CHARS)
    if end < 0:
        return False
    if not silent:
        token = state.push("math_inline" if opening[1] == "(" else "math_inline_double", "math", 0)
        token.content = state.src[state.pos : end + len(closing)] if name else state.src[opening.end() : end]
    state.pos = end + len(closing)
    return True


def _math(self: object, tokens: list[Token], index: int, options: object, env: Env) -> str:
    token = tokens[index]
    display = token.type != "math_inline"
    env["formulas"] += 1
    if env["formulas"] > limits.FORMULAS or env["formula_seconds"] > limits.FORMULA_SECONDS:
        return as_typed(token.content)
    began = time.thread_time()
    math = mathml(token.content, display)
    env["formula_seconds"] += time.thread_time() - began
    return f'<div class="formula"{rules.id_of(token)}>{math}</div>' if token.type == "math_block" else math


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    dollar_math.install(md)
    md.use(footnote_plugin)
    md.inline.ruler.before("escape", "tex_math", _tex_math)
    emphasis.install(md)
    rules.install(md)
    for name in ("math_inline", "math_inline_double", "math_block"):
        md.add_render_rule(name, _math)
    # It lists its rules at the first text, and a thread that came meanwhile would render with half of them.
    md.parse("text")
    return md


_md = _parser()

"""Markdown in, safe HTML and an outline out, in this process and without a limit on its time."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from msgspec import Struct

from papercore import limits
from papercore.passages import cut
from papercore.rendering import syntax
from papercore.rendering.clean import clean
from papercore.rendering.rules import CodeTime, Env, PageRenderer
from papercore.text import count_words, has_cjk

# Raw marks such as <b> inside each other: nobody writes more, and each makes the HTML slower to clean.
NESTED_MARKS = 10
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
_SHOWN_IN_OUTLINE = ("text", "code_inline", "math_inline", "text_special")
_ANCHOR_CHARS = 60
# Nobody nests links this deep, and the search for their ends takes 40 µs a bracket.
_BRACKET_RUN = re.compile(r"(?:!?\[){20,}")
_MARK = re.compile(r"<(/?)(sup|sub|i|b|u|em|strong)>", re.IGNORECASE)
_BOXES = {"[ ] ": "☐", "[x] ": "☑"}


class Heading(Struct, frozen=True):
    """A line of the outline; level 1 is the highest in the text."""

    level: int
    text: str
    anchor: str


class Rendered(Struct, frozen=True):
    """A rendered text, one piece of HTML for each block at its top level; only its beginning if `cut`."""

    blocks: tuple[str, ...]
    outline: tuple[Heading, ...]
    diagrams: int
    words: int
    cut: bool

    @property
    def html(self) -> str:
        return "".join(self.blocks)


class MarkdownSource(Struct, frozen=True):
    """A text to render, and how.

    `pictures` is the address of the folder with the library's pictures; without it none are shown. `prefix` tells
    apart the anchors of two texts on a page. The highest heading of the text becomes <h{top}>, and no level below it
    is skipped. `passages`: blocks get anchors by which passages are linked.
    """

    text: str
    pictures: str = ""
    prefix: str = "s"
    top: int = 2
    passages: bool = False

    @property
    def shown(self) -> str:
        return self.text[: limits.MARKDOWN_CHARS]

    @property
    def cut(self) -> bool:
        return len(self.text) > limits.MARKDOWN_CHARS


def convert(source: MarkdownSource) -> Rendered:
    shown = _BRACKET_RUN.sub(lambda run: run[0].replace("[", "\\["), source.shown)
    env: Env = {"pictures": source.pictures, "docId": source.prefix, "code_time": CodeTime()}
    env.update(formulas=0, formula_seconds=0.0)
    tokens = _md.parse(shown, env)
    outline = _number_headings(tokens, source.prefix, source.top)
    if source.passages:
        _anchor_passages(tokens, source.shown, source.prefix)
    for token in tokens:
        _pair_marks(token.children or [])
        _mark_cjk(token.children or [])
    _tick_tasks(tokens)
    blocks = tuple(clean(_md.renderer.render(block, _md.options, env)) for block in _top_blocks(tokens))
    return Rendered(blocks, outline, env.get("diagrams", 0), count_words(shown), source.cut)


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
        children = tokens[index + 1].children or []
        text = "".join(child.content for child in children if child.type in _SHOWN_IN_OUTLINE).strip()
        slug = re.sub(r"\W+", "-", text.lower()).strip("-")[:_ANCHOR_CHARS].strip("-") or "section"
        taken[slug] += 1
        anchor = f"{prefix}-{slug}" if taken[slug] == 1 else f"{prefix}-{slug}--{taken[slug]}"
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


def _pair_marks(children: Sequence[Token]) -> None:
    """Turn marks without a partner into text: each would stay open, and cleaning would walk past it ever after."""
    opened: list[tuple[str, Token]] = []
    for token in children:
        mark = _MARK.fullmatch(token.content) if token.type == "html_inline" else None
        if mark is None:
            continue
        name = mark[2].lower()
        if not mark[1] and len(opened) < NESTED_MARKS:
            opened.append((name, token))
        elif mark[1] and any(name == other for other, _ in opened):
            while opened[-1][0] != name:
                opened.pop()[1].type = "text"
            opened.pop()
        else:
            token.type = "text"
    for _, token in opened:
        token.type = "text"


def _mark_cjk(children: Sequence[Token]) -> None:
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


def _top_blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """Split the text after each block that stands inside no other: a heading, a paragraph, a whole list."""
    start = depth = 0
    for end, token in enumerate(tokens, start=1):
        depth += token.nesting
        if depth == 0:
            yield tokens[start:end]
            start = end


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    syntax.install(md)
    md.use(footnote_plugin)
    # After the plugins, which bring rules of their own.
    for name, rule in PageRenderer().rules.items():
        md.add_render_rule(name, rule)
    # It lists its rules at the first text, and a thread that came meanwhile would render with half of them.
    md.parse("text")
    return md


_md = _parser()

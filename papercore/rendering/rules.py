"""Render rules for pieces of markdown: images, formulas, code, diagrams, tables, raw HTML."""

import re
import time
from collections.abc import MutableMapping, Sequence
from html import escape, unescape
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from papercore.rendering.clean import clean_table
from papercore.rendering.math import as_typed, mathml
from papercore.rendering.slow import SlowTexts, TooSlow, stop_after

# Formulas converted in one text; the others are shown as TeX.
FORMULAS = 5_000
# Converting formulas may take this much of a text's time; the others are shown as TeX. 40 KB of TeX take this long.
FORMULA_SECONDS = 0.9
# Longer code is not coloured: that would take longer than the rest of the page.
COLOURED_CHARS = 50_000
# Colouring one piece of code, and all code of a text. Ordinary code of the full length takes a quarter of a second;
# some languages are quadratic, and 12 KB of C# took 29 s.
CODE_SECONDS = 0.4
ALL_CODE_SECONDS = 0.6
Env = MutableMapping[str, Any]  # markdown-it passes it along through one document

# A picture of the library, by whatever relative path its text names it.
_PICTURE = re.compile(r"(?:\.{1,2}/)*images/([\w-][\w.-]{0,127})", re.ASCII)
_MARKS = re.compile(r"</?(?:sup|sub|i|b|u|em|strong)>|<br\s*/?>", re.IGNORECASE)
_TABLE = re.compile(r"\s*(?:<html>\s*<body>\s*|<div[^>]*>\s*)?<table\b", re.IGNORECASE)
_EMPTY_HEADER = re.compile(r"<th([^<>]*)>\s*</th>")
_IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
# A converter's mark of the page that begins here, and other remarks that are not for readers.
_PAGE = re.compile(r"<!--\s*page\s*(\d{1,6})\s*-->", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_formatter = HtmlFormatter(nowrap=True)
_slow_codes = SlowTexts()


class PageRenderer(RendererHTML):
    """Each method renders the tokens of its name; those without one are rendered as in CommonMark."""

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        token = tokens[idx]
        anchor = str(token.meta.get("anchor", ""))
        link = f'<a class="anchor" href="#{escape(anchor)}" aria-label="Link to this section">#</a>' if anchor else ""
        return f"{link}</{token.tag}>\n"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        token = tokens[idx]
        alt = self.renderInlineAsText(token.children, options, env)
        return figure(str(token.attrs.get("src", "")), alt, env)

    def math_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        token = tokens[idx]
        display = token.type != "math_inline"
        env["formulas"] += 1
        if env["formulas"] > FORMULAS or env["formula_seconds"] > FORMULA_SECONDS:
            return as_typed(token.content)
        began = time.thread_time()
        math = mathml(token.content, display)
        env["formula_seconds"] += time.thread_time() - began
        return f'<div class="formula"{id_of(token)}>{math}</div>' if token.type == "math_block" else math

    math_inline = math_inline_double = math_block

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        token = tokens[idx]
        language = unescape(token.info).strip().split(maxsplit=1)[0].lower() if token.info.strip() else ""
        if language == "mermaid":
            env["diagrams"] = number = env.get("diagrams", 0) + 1
            label = f'tabindex="0" role="group" aria-label="Text of diagram {number}{_side_of(env)}"'
            return f'<pre class="mermaid"{id_of(token)} {label}>{escape(token.content)}</pre>'
        name = escape(language[:30]) or "text"
        copy = '<button class="btn small plain needs-js" type="button" data-copy="">Copy</button>'
        try:
            code, note = env["code_time"].coloured(token.content, language), ""
        except TooSlow:
            code, note = escape(token.content), " · not coloured, because that takes too long"
        env["codes"] = number = env.get("codes", 0) + 1
        label = f'tabindex="0" role="group" aria-label="Code {number}: {name}{_side_of(env)}"'
        pre = f"<pre {label}><code>{code}</code></pre>"
        return f'<div class="code"{id_of(token)}><div class="name"><span>{name}{note}</span>{copy}</div>{pre}</div>'

    code_block = fence

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return _scroll(env, id_of(tokens[idx])) + "<table>"

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "</table></div>"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        """An empty cell heads nothing. A formula is named by its TeX, because not every reader speaks MathML."""
        cell = tokens[idx + 1]
        if not cell.content.strip():
            return f"<td{_alignment(tokens[idx])}>"
        words = [child for child in cell.children or [] if not child.type.startswith("math") and child.content.strip()]
        name = "" if words else f'<span class="vh">{escape(cell.content.strip().strip("$"))}</span>'
        return f'<th scope="col"{_alignment(tokens[idx])}>{name}'

    def th_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "</th>" if tokens[idx - 1].content.strip() else "</td>"

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return f"<td{_alignment(tokens[idx])}>"

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        """Show raw HTML as text, except for tables, marks such as <sup>, and pictures, which scanned papers contain."""
        content = tokens[idx].content
        if _TABLE.match(content):
            table = _EMPTY_HEADER.sub(r"<td\1></td>", clean_table(content))
            return f"{_scroll(env, id_of(tokens[idx]))}{table}</div>"
        if _MARKS.fullmatch(content):
            return content
        if page := _PAGE.fullmatch(content.strip()):
            return f'<div class="page-mark">p. {page[1]}</div>'
        if content.lstrip().startswith("<!--") and content.find("-->") == len(content.rstrip()) - 3:
            return ""
        if _IMG.fullmatch(content.strip()):
            found = {name.lower(): unescape(a or b) for name, a, b in _ATTRIBUTE.findall(content)}
            return figure(found.get("src", ""), found.get("alt", ""), env)
        text = escape(content)
        return f"<p>{text}</p>" if tokens[idx].type == "html_block" else text

    html_inline = html_block

    def footnote_block_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return (
            f'<section class="footnotes" role="group" aria-label="Notes{_side_of(env)}"><ol class="footnotes-list">\n'
        )


def id_of(token: Token) -> str:
    """The anchor of a block, as an attribute."""
    anchor = token.attrs.get("id")
    return f' id="{escape(str(anchor))}"' if anchor else ""


def _side_of(env: Env) -> str:
    """Labels must differ between the two texts of a page."""
    return {"a": ", left text", "b": ", right text"}.get(env["docId"], "")


def _scroll(env: Env, anchor: str) -> str:
    env["tables"] = number = env.get("tables", 0) + 1
    return f'<div class="scroll-x"{anchor} tabindex="0" role="group" aria-label="Table {number}{_side_of(env)}">'


def _alignment(token: Token) -> str:
    return ' class="r"' if "right" in str(token.attrs.get("style", "")) else ""


def figure(src: str, alt: str, env: Env) -> str:
    """The picture, if the library has it; otherwise its caption."""
    picture = _PICTURE.fullmatch(src) if env["pictures"] else None
    env["images"] = number = env.get("images", 0) + 1
    text = escape(alt.strip()) or f"Figure {number}"
    if picture is None:
        return f'<span class="no-image">Picture not in this library: {text}</span>'
    return f'<img src="{escape(env["pictures"] + picture[1])}" alt="{text}" loading="lazy">'


class CodeTime:
    """The time that one text has left for its code."""

    def __init__(self) -> None:
        self._left = ALL_CODE_SECONDS

    def coloured(self, code: str, language: str) -> str:
        began = time.process_time()
        try:
            return coloured(code, language, self._left)
        finally:
            self._left -= time.process_time() - began


def coloured(code: str, language: str, seconds: float) -> str:
    """The code as HTML, plain in an unknown language. TooSlow after so many seconds, and at once the next time."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(code)
    key = f"{language}\n{code}"
    if len(code) > COLOURED_CHARS or seconds <= 0 or key in _slow_codes:
        raise TooSlow
    limit = min(seconds, CODE_SECONDS)
    try:
        with stop_after(limit):
            return str(highlight(code, lexer, _formatter))
    except TooSlow:
        # Code that only came last, when little time was left, may do better on another page.
        if limit == CODE_SECONDS:
            _slow_codes.add(key)
        raise

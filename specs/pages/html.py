"""Requirement text as HTML: rendered Markdown in which SHALL and MUST are emphasised."""

import re
from functools import lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from papercore.rendering import render
from specs.reading.document import BINDING_WORD
from specs.search.soft_match import words

# Up to the end of the text where nothing closes it, so that each character is read once.
TAG = re.compile(r"(<[^>]*(?:>|\Z))")
# Text without any of these needs no Markdown renderer.
MARKUP = re.compile(r"[*_`#<>\[\]|\\&$~!\n^:]|\d[.)]|^\s*[-+]|https?")
ONE_PARAGRAPH = re.compile(r"\A<p>((?:(?!</?p>).)*)</p>\s*\Z", re.DOTALL)


@lru_cache(maxsize=8_192)
def block(text: str) -> SafeString:
    """Markdown as paragraphs, lists, tables and code."""
    return mark_safe(_emphasised(render(text, top=5).html))  # noqa: S308 (cleaned by the renderer)


@lru_cache(maxsize=16_384)
def inline(text: str) -> SafeString:
    """One step or sentence; a single paragraph comes without its <p>."""
    if not MARKUP.search(text):
        return mark_safe(_emphasised(str(escape(text))))  # noqa: S308 (escaped)
    html = render(text, top=5).html
    single = ONE_PARAGRAPH.match(html)
    return mark_safe(_emphasised(single[1] if single else html))  # noqa: S308 (cleaned by the renderer)


def _emphasised(html: str) -> str:
    """Emphasise SHALL and MUST, but not inside code or tags."""
    parts = TAG.split(html)
    inside_code = 0
    for index, part in enumerate(parts):
        if index % 2:
            inside_code += part.startswith(("<code", "<pre")) - part.startswith(("</code", "</pre"))
        elif not inside_code:
            # Without attributes: harmless even where a stray ">" ended a tag too early.
            parts[index] = BINDING_WORD.sub(r"<strong>\g<0></strong>", part)
    return "".join(parts)


def highlighted(text: str, query: str) -> SafeString:
    """Plain text in which the words of the query are marked."""
    asked = {word.stem for word in words(query)}
    parts = re.split(r"(\w+)", text.replace("`", "").replace("**", ""))
    shown = [
        f"<mark>{escape(part)}</mark>" if asked & {word.stem for word in words(part)} else str(escape(part))
        for part in parts
    ]
    return mark_safe("".join(shown))  # noqa: S308 (every part is escaped)

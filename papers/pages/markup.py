"""HTML written in Python, for long lists: a template takes ten times as long, and `format_html` four times."""

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString

from papercore.rendering.clean import clean
from papers.passages.marked import MARKED

# A summary's opening may hold short formulas; a price does not end with a dollar sign.
_MATH = re.compile(r"(?<![\w$])\$\$?((?=\S)[^$\n]{1,200}(?<=\S))\$\$?(?![\w$])")

_NO_MARKUP = (SafeString, int, float)


def filled(markup: str, *values: object) -> SafeString:
    """The markup with each {} or {0} replaced by a value, escaped unless it is a SafeString or a number."""
    return SafeString(markup.format(*map(_escaped, values)))


def filled_rows(markup: str, rows: Iterable[Iterable[object]]) -> SafeString:
    """The markup once for each row of values."""
    return SafeString("".join(markup.format(*map(_escaped, row)) for row in rows))


def _escaped(value: object) -> object:
    if isinstance(value, _NO_MARKUP):
        return value
    text = str(value)
    # A page of results has a thousand values and most have none of these: looking is cheaper than replacing.
    is_plain = not ("&" in text or "<" in text or ">" in text or '"' in text or "'" in text)
    return text if is_plain else escape(text)


def marked_words(title: str) -> SafeString:
    """A title in which [[[ and ]]] stand around what matched."""
    parts = MARKED.split(escape(title))
    # What stood between the brackets is every other part.
    parts[1::2] = [f"<mark>{part}</mark>" for part in parts[1::2]]
    return SafeString("".join(parts))


def marked(snippet: str) -> SafeString:
    """A snippet in which [[[ and ]]] stand around what matched, and which may hold formulas outside of that."""
    if "$" not in snippet:
        return marked_words(snippet)
    parts = MARKED.split(snippet)
    shown = [f"<mark>{escape(part)}</mark>" if odd % 2 else _with_math(part) for odd, part in enumerate(parts)]
    return SafeString("".join(shown))


def _with_math(text: str) -> str:
    parts = _MATH.split(text)
    return "".join(_formula(part) if odd % 2 else escape(part) for odd, part in enumerate(parts))


@lru_cache(maxsize=1_000)
def _formula(tex: str) -> str:
    # Few lists have formulas.
    from papercore.rendering.math import mathml

    return clean(mathml(tex, display=False))

"""Filters for texts of the library: all of them escape."""

import re
from collections.abc import Sequence

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from papercore import citation
from papercore.rendering.clean import clean
from papercore.rendering.math import mathml
from papers.catalogue import names

register = template.Library()

_PLACES = {"text": "summary", "body": "full text"}

# A summary's opening may hold short formulas; a price does not end with a dollar sign.
_MATH = re.compile(r"(?<![\w$])\$\$?((?=\S)[^$\n]{1,200}(?<=\S))\$\$?(?![\w$])")


@register.filter
def marked(snippet: str) -> SafeString:
    """A snippet in which [[[ and ]]] stand around what matched."""
    parts = re.split(r"\[\[\[(.*?)\]\]\]", snippet, flags=re.DOTALL)
    shown = [f"<mark>{escape(part)}</mark>" if odd % 2 else _with_math(part) for odd, part in enumerate(parts)]
    return mark_safe("".join(shown))  # noqa: S308 (every part is escaped or cleaned)


def _with_math(text: str) -> str:
    parts = _MATH.split(text)
    return "".join(clean(mathml(part, display=False)) if odd % 2 else escape(part) for odd, part in enumerate(parts))


@register.filter
def grouped(number: int) -> str:
    """A count that may be large, as people read it."""
    return f"{number:,}"


@register.filter
def people(names: Sequence[str], shown: int = 3) -> str:
    """The first names, and how many more there are."""
    if len(names) <= shown + 1:
        return ", ".join(names)
    return f"{', '.join(names[:shown])} and {len(names) - shown} others"


@register.filter
def spelled(value: str, category: str) -> str:
    return names.display_name(category, value)


@register.filter
def language(code: str) -> str:
    return names.language_name(code)


@register.filter
def matched_in(places: Sequence[str]) -> str:
    """Where the words were found, and whether the meaning was."""
    words = [_PLACES.get(place, place) for place in places if place != "meaning"]
    parts = [f"words in {', '.join(words)}"] if words else []
    return " · ".join([*parts, *(["meaning"] if "meaning" in places else [])])


@register.filter
def one_line(text: str) -> str:
    """Without line ends and control characters, which XML does not allow."""
    return citation.one_line(text)


@register.filter
def json_safe(text: str) -> SafeString:
    """JSON inside a script element: nothing in it can end the element."""
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return mark_safe(safe)  # noqa: S308 (no character of markup is left)

"""Parts of the frame around every page: written as templates, they would be a tenth of a page's time."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.urls import get_script_prefix
from django.utils.safestring import SafeString

from papers.pages.markup import filled
from papersite.templatetags.cached_url import address

register = template.Library()

_NAV_LINK = '<a href="{}"{}>{}{}</a>'
_PAGE, _SECTION = SafeString(' aria-current="page"'), SafeString(' aria-current="true"')
_WAITING = ' <span class="badge wait"><span class="vh">, waiting for a decision: </span>{}</span>'
_THEME = '<label><input type="radio" name="theme" id="theme-{0}" value="{0}"{1}>\n{2}</label>'
_CHECKED = SafeString(" checked")
# Of each there are a few kinds, such as a footer for each theme.
KEPT_PARTS = 256


@register.simple_tag
def nav_link(route: str, name: str, path: str, waiting: int = 0) -> SafeString:
    """A link that says whether the reader, who is at this path, is on its page or on one below it."""
    href = address(route)
    current = _PAGE if path == href else _SECTION if href in path else ""
    return filled(_NAV_LINK, href, current, name, filled(_WAITING, waiting) if waiting else "")


@register.simple_tag
def theme_choice(value: str, name: str, theme: str) -> SafeString:
    return filled(_THEME, value, _CHECKED if value == theme else "", name)


@register.simple_tag
def kept_part(template_name: str, **values: Hashable) -> SafeString:
    """An include that sees nothing but these values, so that what was written for them once can be kept."""
    return _written_part(get_script_prefix(), template_name, tuple(values.items()))


@lru_cache(maxsize=KEPT_PARTS)
def _written_part(_script_prefix: str, template_name: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return SafeString(render_to_string(template_name, dict(values)))

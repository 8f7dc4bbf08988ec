"""Template tags and filters of the library. Long lists are written here: templates take ten times as long."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from papercore.dates import UNKNOWN
from papercore.rendering.clean import clean
from papercore.rendering.math import mathml
from papercore.text import cjk_language
from papercore.text import one_line as without_line_ends
from papers.catalogue import names
from papers.pages import links
from papers.pages.charts import Chart, Tick
from papers.pages.overview import ValueBar
from papers.pages.search import FacetOption
from papers.texts.stored import MARKED

register = template.Library()
register.simple_tag(links.paper_url)
register.simple_tag(links.listed_paper_url)
register.simple_tag(links.value_url)


@register.filter
def known(value: str) -> str:
    """Nothing for the word that a snapshot has where a fact is missing."""
    return "" if value.lower() == UNKNOWN else value


@register.simple_tag
def lang_of(text: str) -> SafeString:
    """The attribute for a text whose letters browsers shape by its language."""
    lang = cjk_language(text)
    return format_html('lang="{}"', lang) if lang else SafeString()


_PLACES = {"text": "summary", "body": "full text"}

# A summary's opening may hold short formulas; a price does not end with a dollar sign.
_MATH = re.compile(r"(?<![\w$])\$\$?((?=\S)[^$\n]{1,200}(?<=\S))\$\$?(?![\w$])")

_OPTION = '<li><a id="{}" href="{}#{}"{}><span><bdi>{}</bdi>{}</span><span class="count">{}</span></a></li>'
_ON, _REMOVE = SafeString(' class="on"'), SafeString('<span class="vh"> (selected, remove)</span>')
_HIDDEN = '<input type="hidden" name="{}" value="{}">'
_VALUE_BAR = (
    '<li><a href="{}"><bdi>{}</bdi></a><span class="count">{}</span><svg aria-hidden="true">'
    '<rect class="track" width="100%" height="5"/><rect class="fill" width="{}%" height="5"/></svg></li>\n'
)
_CHART_BAR = (
    '<a href="{}" aria-label="{}"><title>{}</title><rect class="area" x="{}%" y="0" width="{}%" height="{}"/>'
    '<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"/></a>\n'
)
_BUTTON = (
    '<button class="btn{}" id="basket-{}" data-basket name="toggle" value="{}" form="basket-form"'
    ' hx-post="{}" hx-target="this" hx-swap="outerHTML" hx-include="#basket-form"{} aria-pressed="{}">{}'
    '<span class="vh">: {}</span></button>'
)
# Sent back to the server, so that the new button is small too.
_SMALL = SafeString(""" hx-vals='{"small": "1"}'""")
_TICK = '<text class="{}" x="{}%" y="{}" dy="-4" text-anchor="{}">{}</text>'


@register.simple_tag
def options(values: Sequence[FacetOption]) -> SafeString:
    """Facet values, each a link that adds it to the query or removes it."""
    rows = (
        (
            *(option.id, option.url, option.id, _ON if option.on else "", option.label),
            *(_REMOVE if option.on else "", "" if option.count is None else f"{option.count:,}"),
        )
        for option in values
    )
    return format_html_join("", _OPTION, rows)


@register.simple_tag
def hidden_fields(parameters: Iterable[tuple[str, str]], *left_out: str) -> SafeString:
    """The parameters of a query as form fields, without those the form sets itself."""
    return format_html_join("", _HIDDEN, ((name, value) for name, value in parameters if name not in left_out))


@register.simple_tag
def value_bars(bars: Iterable[ValueBar]) -> SafeString:
    """Facet values with their counts, each a link with a bar below it."""
    return format_html_join("", _VALUE_BAR, ((bar.url, bar.label, f"{bar.count:,}", bar.percent) for bar in bars))


@register.simple_tag
def chart_bars(chart: Chart) -> SafeString:
    """The bars of a chart, which are links, and the labels below them."""
    bars = (
        (
            *(bar.url, bar.label, bar.label, bar.area_x, bar.area_width, chart.base),
            *("bar on" if bar.on else "bar", bar.x, bar.y, bar.width, bar.height),
        )
        for bar in chart.bars
    )
    return format_html("{}{}", format_html_join("", _CHART_BAR, bars), _labels(chart.ticks, chart.height))


def _labels(ticks: Iterable[Tick], y: int) -> SafeString:
    rows = (("minor" if tick.minor else "major", tick.x, y, tick.anchor, tick.text) for tick in ticks)
    return format_html_join("", _TICK, rows)


@register.simple_tag(takes_context=True)
def basket_button(context: Context, paper_id: str, title: str, small: bool = False) -> SafeString:
    """Adds a paper to the basket or removes it; without scripting, through the page's one form."""
    style, parameters = (" small plain", _SMALL) if small else ("", "")
    pressed, label = ("true", "In basket") if paper_id in context["basket_ids"] else ("false", "Add to basket")
    return format_html(_BUTTON, style, paper_id, paper_id, _toggle_url(), parameters, pressed, label, title)


@cache
def _toggle_url() -> str:
    return reverse("basket-toggle")


@register.filter
def marked_words(title: str) -> SafeString:
    """A title in which [[[ and ]]] stand around what matched."""
    parts = [escape(part) for part in MARKED.split(title)]
    shown = (f"<mark>{part}</mark>" if odd % 2 else part for odd, part in enumerate(parts))
    return mark_safe("".join(shown))  # noqa: S308 (every part is escaped)


@register.filter
def marked(snippet: str) -> SafeString:
    """A snippet in which [[[ and ]]] stand around what matched."""
    parts = MARKED.split(snippet)
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
    return without_line_ends(text)


@register.filter
def json_safe(text: str) -> SafeString:
    """JSON inside a script element: nothing in it can end the element."""
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return mark_safe(safe)  # noqa: S308 (no character of markup is left)

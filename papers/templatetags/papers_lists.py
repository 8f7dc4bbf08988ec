"""Long lists of small parts, written in Python because a template takes ten times as long for them."""

from collections.abc import Iterable, Sequence
from functools import cache

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from papers.pages.charts import Chart, Tick
from papers.pages.overview import ValueBar
from papers.pages.search import FacetOption

register = template.Library()

_OPTION = '<li><a href="{}"{}><span><bdi>{}</bdi>{}</span><span class="count">{}</span></a></li>'
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
        (option.url, _ON if option.on else "", option.label, _REMOVE if option.on else "", f"{option.count:,}")
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

"""Long lists of small parts, put together here because a template takes ten times as long for them."""

from collections.abc import Iterable, Sequence

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from papers.pages.charts import Chart, Tick
from papers.pages.search import FacetOption

register = template.Library()


_OPTION = '<li><a href="{}"{}><span><bdi>{}</bdi>{}</span><span class="count">{}</span></a></li>'
_ON, _REMOVE = SafeString(' class="on"'), SafeString('<span class="vh"> (selected, remove)</span>')
_BAR = (
    '<a href="{}" aria-label="{}"><title>{}</title><rect class="area" x="{}%" y="0" width="{}%" height="{}"/>'
    '<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"/></a>\n'
)
_BUTTON = (
    '<button class="btn{}" id="basket-{}" data-basket name="toggle" value="{}" form="basket-form"'
    ' hx-post="/basket/toggle/" hx-target="this" hx-swap="outerHTML" hx-include="#basket-form"{} aria-pressed="{}">{}'
    '<span class="vh">: {}</span></button>'
)
# So that what comes back looks the same.
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
def chart_bars(chart: Chart) -> SafeString:
    """The bars of a chart, which are links, and the labels below them."""
    bars = (
        (
            *(bar.url, bar.label, bar.label, bar.area_x, bar.area_width, chart.base),
            *("bar on" if bar.on else "bar", bar.x, bar.y, bar.width, bar.height),
        )
        for bar in chart.bars
    )
    return format_html("{}{}", format_html_join("", _BAR, bars), _labels(chart.ticks, chart.height))


def _labels(ticks: Iterable[Tick], y: int) -> SafeString:
    rows = (("minor" if tick.minor else "major", tick.x, y, tick.anchor, tick.text) for tick in ticks)
    return format_html_join("", _TICK, rows)


@register.simple_tag(takes_context=True)
def basket_button(context: Context, paper_id: str, title: str, small: bool = False) -> SafeString:
    """Puts a paper into the basket or takes it out; without script by the page's one form."""
    there = paper_id in context["basket_ids"]
    look, more = (" small plain", _SMALL) if small else ("", "")
    words = "In basket" if there else "Add to basket"
    return format_html(_BUTTON, look, paper_id, paper_id, more, "true" if there else "false", words, title)

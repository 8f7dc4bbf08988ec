"""Template tags and filters of the library. Long lists are written here: templates take ten times as long."""

from collections.abc import Iterable, Sequence

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from papercore.text import one_line as without_line_ends
from papers.catalogue import addresses as links
from papers.catalogue import names
from papers.pages import hit_list, markup
from papers.pages.charts import Chart, Tick
from papers.pages.markup import filled, filled_rows
from papers.pages.overview import ValueBar
from papers.pages.search import FacetGroup, FacetOption
from papers.search.results import ListedPaper

register = template.Library()
register.simple_tag(links.paper_url)
register.simple_tag(links.listed_paper_url)
register.simple_tag(links.value_url)
register.simple_tag(hit_list.language_attribute, name="lang_of")
register.simple_tag(hit_list.brief_list, name="brief_papers")
register.filter(hit_list.known)
register.filter(hit_list.people)
register.filter(markup.marked)
register.filter(markup.marked_words)

_GROUP = """\
<details class="facet" id="by-{}"{}>
<summary>{}</summary>
<ul>{}</ul>
{}</details>
"""
_MORE = """\
<details class="more" id="more-{}"{}>
<summary>{} more<span class="vh"> of {}</span></summary>
<ul>{}</ul>
</details>
"""
_OPEN = SafeString(" open")
_OPTION = '<li><a id="{0}" href="{1}#{0}"{2}><span><bdi>{3}</bdi>{4}</span><span class="count">{5}</span></a></li>'
_ON, _REMOVE = SafeString(' class="on"'), SafeString('<span class="vh"> (selected, remove)</span>')
_VALUE = '<a href="{}"><bdi>{}</bdi></a>'
_VALUE_BADGE = '<a class="badge" href="{}"><bdi>{}</bdi></a>\n'
_GAP = SafeString('<li><span aria-hidden="true">…</span></li>')
_CURRENT_PAGE = '<li><span aria-current="page"><span class="vh">Page </span>{}</span></li>'
_PAGE_LINK = '<li><a href="{}"{}><span class="vh">Page </span>{}</a></li>'
_NEXT = SafeString(' rel="next"')
_EXPORT = '<a href="{}">{}</a>'
_META = '<meta name="{}" content="{}">\n'
_HIDDEN = '<input type="hidden" name="{}" value="{}">'
_VALUE_BAR = (
    '<li><a href="{}"><bdi>{}</bdi></a><span class="count">{}</span><svg aria-hidden="true">'
    '<rect class="track" width="100%" height="5"/><rect class="fill" width="{}%" height="5"/></svg></li>\n'
)
_CHART_BAR = (
    '<a href="{0}" aria-label="{1}"><title>{1}</title><rect class="area" x="{2}%" y="0" width="{3}%" height="{4}"/>'
    '<rect class="{5}" x="{6}%" y="{7}" width="{8}%" height="{9}"/></a>\n'
)
_TICK = '<text class="{}" x="{}%" y="{}" dy="-4" text-anchor="{}">{}</text>'


@register.simple_tag
def facet_groups(groups: Iterable[FacetGroup]) -> SafeString:
    """The facets with their commonest values; the others are folded."""
    rows = (
        (group.facet, _OPEN if group.open else "", group.name, _options(group.visible), _more(group))
        for group in groups
    )
    return filled_rows(_GROUP, rows)


def _more(group: FacetGroup) -> SafeString:
    if not group.more:
        return SafeString()
    is_open = _OPEN if group.open_more else ""
    return filled(_MORE, group.facet, is_open, len(group.more), group.name, _options(group.more))


def _options(values: Iterable[FacetOption]) -> SafeString:
    """Facet values, each a link that adds it to the query or removes it."""
    rows = (
        (
            *(option.id, option.url, _ON if option.on else "", option.label),
            *(_REMOVE if option.on else "", "" if option.papers is None else f"{option.papers:,}"),
        )
        for option in values
    )
    return filled_rows(_OPTION, rows)


@register.simple_tag
def author_links(authors: Iterable[str]) -> SafeString:
    return _value_links((links.value_url("author", name.lower()), name) for name in authors)


@register.simple_tag
def institution_links(values: Sequence[str]) -> SafeString:
    written = names.display_names("institution", values)
    return _value_links(
        (links.value_url("institution", value), name) for value, name in zip(values, written, strict=True)
    )


def _value_links(addresses: Iterable[tuple[str, str]]) -> SafeString:
    return SafeString(",\n".join(filled(_VALUE, address, name) for address, name in addresses))


@register.simple_tag
def value_badges(category: str, values: Iterable[str]) -> SafeString:
    return filled_rows(_VALUE_BADGE, ((links.value_url(category, value), value) for value in values))


@register.simple_tag
def meta_tags(named: Iterable[tuple[str, str]]) -> SafeString:
    return filled_rows(_META, named)


@register.simple_tag
def hidden_fields(parameters: Iterable[tuple[str, str]], *left_out: str) -> SafeString:
    """The parameters of a query as form fields, without those the form sets itself."""
    return filled_rows(_HIDDEN, ((name, value) for name, value in parameters if name not in left_out))


@register.simple_tag
def page_links(pages: Iterable[tuple[int | None, str]], current: int) -> SafeString:
    """Links to the pages of a list; None stands for those between two others."""
    return SafeString("".join(_page_link(number, url, current) for number, url in pages))


def _page_link(number: int | None, url: str, current: int) -> SafeString:
    if number is None:
        return _GAP
    if number == current:
        return filled(_CURRENT_PAGE, number)
    return filled(_PAGE_LINK, url, _NEXT if number == current + 1 else "", number)


@register.simple_tag
def export_links(exports: Iterable[tuple[str, str]]) -> SafeString:
    return SafeString(", ".join(filled(_EXPORT, url, name) for name, url in exports))


@register.simple_tag
def value_bars(bars: Iterable[ValueBar]) -> SafeString:
    """Facet values with their counts, each a link with a bar below it."""
    return filled_rows(_VALUE_BAR, ((bar.url, bar.label, f"{bar.count:,}", bar.percent) for bar in bars))


@register.simple_tag
def chart_bars(chart: Chart) -> SafeString:
    """The bars of a chart, which are links, and the labels below them."""
    bars = (
        (
            *(bar.url, bar.label, bar.area_x, chart.area_width, chart.base),
            *("bar on" if bar.on else "bar", bar.x, bar.y, chart.bar_width, bar.height),
        )
        for bar in chart.bars
    )
    return SafeString(filled_rows(_CHART_BAR, bars) + _labels(chart.ticks, chart.height))


def _labels(ticks: Iterable[Tick], y: int) -> SafeString:
    rows = (("minor" if tick.minor else "major", tick.x, y, tick.anchor, tick.text) for tick in ticks)
    return filled_rows(_TICK, rows)


@register.simple_tag(takes_context=True)
def hits(
    context: Context, papers: Iterable[ListedPaper], query_string: str = "", place: int | None = None
) -> SafeString:
    """The items of a list of papers; `place` is the first one's position in the list that was asked for."""
    return hit_list.hit_list(papers, context["basket_ids"], query_string, place)


@register.simple_tag(takes_context=True)
def basket_button(context: Context, paper_id: str, title: str, small: bool = False) -> SafeString:
    return hit_list.basket_button(paper_id, title, context["basket_ids"], small=small)


@register.filter
def grouped(number: int) -> str:
    """A count that may be large, as people read it."""
    return f"{number:,}"


@register.filter
def language(code: str) -> str:
    return names.language_name(code)


@register.filter
def one_line(text: str) -> str:
    """Without line ends and control characters, which XML does not allow."""
    return without_line_ends(text)


@register.filter
def json_safe(text: str) -> SafeString:
    """JSON inside a script element: nothing in it can end the element."""
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return mark_safe(safe)  # noqa: S308 (no character of markup is left)

"""The HTML of a list of papers: each with its authors, what was found in it, and the texts it has."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from papercore.bibliography.dates import UNKNOWN
from papercore.text import cjk_language
from papers.catalogue.addresses import listed_link, listed_paper_url, paper_url, value_url
from papers.catalogue.names import language_name
from papers.pages.markup import filled, filled_rows, marked, marked_words
from papers.search.results import ListedPaper, ShownPassage

LANGUAGES_SHOWN = 4
PLACE_CHARS = 60
_PLACES = {"text": "summary", "body": "full text"}

_HIT = """\
<li class="hit">
<p class="when"><span class="vh">Year </span>{}</p>
<article aria-label="{}">
<h3><a href="{}"><bdi {}>{}</bdi></a></h3>
<p class="by"><bdi>{}</bdi>{}</p>
{}<div class="foot">
{}<span class="push">{}</span>
</div>
</article>
</li>
"""
_BRIEF = """\
<li>
<a href="{}"><bdi {}>{}</bdi></a>
<p>{}{}</p>
</li>
"""
_BRIEF_AUTHORS = "<bdi>{}</bdi> · "
_VENUE = ' · <a href="{}"><bdi>{}</bdi></a>'
_SNIPPET = '<p class="snip">{}</p>\n'
_PASSAGE = '<p class="snip">{}\n<a class="badge" href="{}">{}{}</a></p>\n'
_BADGE = '<a class="badge" href="{}">{}</a>\n'
_WHY = '<span class="why">{}</span>\n'
_BUTTON = (
    '<button class="btn{0}" id="basket-{1}" data-basket name="toggle" value="{1}" form="basket-form"'
    ' hx-post="{2}" hx-target="this" hx-swap="outerHTML" hx-include="#basket-form"{3} aria-pressed="{4}">{5}'
    '<span class="vh">: {6}</span></button>'
)
# Sent back to the server, so that the new button is small too.
_SMALL = SafeString(""" hx-vals='{"small": "1"}'""")
_NOTHING = SafeString()


def hit_list(
    papers: Iterable[ListedPaper], basket_ids: Collection[str], query_string: str, place: int | None
) -> SafeString:
    """The items of a list. `place` is the first one's position in the list that `query_string` asks for."""
    rows = (_row(paper, basket_ids, query_string, place and place + number) for number, paper in enumerate(papers))
    return filled_rows(_HIT, rows)


def brief_list(papers: Iterable[ListedPaper]) -> SafeString:
    """Papers beside something else: title, authors, year."""
    return filled_rows(_BRIEF, map(_brief_row, papers))


def _brief_row(paper: ListedPaper) -> tuple[object, ...]:
    return (
        paper_url(paper.paper_id),
        language_attribute(paper.title),
        paper.title,
        filled(_BRIEF_AUTHORS, people(paper.authors, 2)) if paper.authors else _NOTHING,
        "n.d." if paper.year is None else paper.year,
    )


def _row(paper: ListedPaper, basket_ids: Collection[str], query_string: str, place: int | None) -> tuple[object, ...]:
    links = [listed_link(passage.link, query_string, place) for passage in paper.passages]
    return (
        "n.d." if paper.year is None else paper.year,
        paper.title,
        links[0] if links else listed_paper_url(paper.paper_id, query_string, place),
        language_attribute(paper.title),
        marked_words(paper.marked_title),
        people(paper.authors) or "Unknown authors",
        filled(_VENUE, value_url("venue", paper.venue.lower()), paper.venue) if known(paper.venue) else _NOTHING,
        _found(paper, links),
        _texts(paper),
        basket_button(paper.paper_id, paper.title, basket_ids, small=True),
    )


def _found(paper: ListedPaper, links: Sequence[str]) -> SafeString:
    """The passages that fit best, each with its link, else the snippet."""
    if paper.passages:
        return filled_rows(_PASSAGE, map(_passage, paper.passages, links))
    return filled(_SNIPPET, marked(paper.snippet)) if paper.snippet else _NOTHING


def _passage(passage: ShownPassage, link: str) -> tuple[object, ...]:
    return marked(passage.marked), link, shortened(passage.place), f", p. {passage.page}" if passage.page else ""


def shortened(text: str, chars: int = PLACE_CHARS) -> str:
    # The truncator counts one character after the other, also of a text that is short enough.
    return text if len(text) <= chars else Truncator(text).chars(chars)


def _texts(paper: ListedPaper) -> SafeString:
    """Links to the paper's texts, and why it is in the list."""
    texts, paper_id = paper.texts, paper.paper_id
    badges: list[tuple[str, str]] = []
    if texts.templates:
        label = f"Summary ({texts.templates})" if texts.templates > 1 else "Summary"
        badges.append((paper_url(paper_id), label))
    if texts.has_source:
        badges.append((paper_url(paper_id, "source"), "Source"))
    languages = texts.languages[:LANGUAGES_SHOWN]
    badges += [(paper_url(paper_id, "translation", lang), language_name(lang)) for lang in languages]
    if texts.has_pdf:
        badges.append((paper_url(paper_id, "pdf"), "PDF"))
    if texts.has_bibtex:
        badges.append((paper_url(paper_id, "bibtex"), "BibTeX"))
    why = filled(_WHY, matched_in(paper.matched)) if paper.matched else _NOTHING
    return SafeString(filled_rows(_BADGE, badges) + why)


def basket_button(paper_id: str, title: str, basket_ids: Collection[str], *, small: bool = False) -> SafeString:
    """Adds a paper to the basket or removes it; without scripting, through the page's one form."""
    style, parameters = (" small plain", _SMALL) if small else ("", "")
    pressed, label = ("true", "In basket") if paper_id in basket_ids else ("false", "Add to basket")
    return filled(_BUTTON, style, paper_id, _toggle_url(), parameters, pressed, label, title)


@cache
def _toggle_url() -> str:
    return reverse("basket-toggle")


def language_attribute(text: str) -> SafeString:
    """The attribute for a text whose letters browsers shape by its language."""
    lang = cjk_language(text)
    return filled('lang="{}"', lang) if lang else _NOTHING


def known(value: str) -> str:
    """Nothing for the word that a snapshot has where a fact is missing."""
    return "" if value.lower() == UNKNOWN else value


def people(names: Sequence[str], shown: int = 3) -> str:
    """The first names, and how many more there are."""
    if len(names) <= shown + 1:
        return ", ".join(names)
    return f"{', '.join(names[:shown])} and {len(names) - shown} others"


def matched_in(places: Sequence[str]) -> str:
    """Where the words were found, and whether the meaning was."""
    words = [_PLACES.get(place, place) for place in places if place != "meaning"]
    parts = [f"words in {', '.join(words)}"] if words else []
    return " · ".join([*parts, *(["meaning"] if "meaning" in places else [])])

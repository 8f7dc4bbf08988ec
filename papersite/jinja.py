"""What templates can use: filters, functions, and the facts of every page."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.template import defaultfilters
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django_htmx.jinja import htmx_script
from jinja2 import ChainableUndefined, Environment

from papercore.bibliography.fields import UNKNOWN
from papercore.errors import ToolError
from papercore.rendering.clean import clean
from papercore.rendering.math import mathml
from papercore.text import cjk_language, one_line
from papers.catalogue import facets
from papers.catalogue.lookup import in_list, paper_url, value_url
from papers.catalogue.text_kinds import language_name
from papers.library.updates import is_kept
from papers.passages.marked import MARKED
from papers.snapshot.served import reading
from papersite.access import may_change_library
from papersite.accounts.owner import is_owner
from searches.answers.worker import offer
from searches.pages.own_sessions import pending_searches

# A summary's opening may hold short formulas; a price does not end with a dollar sign.
_MATH = re.compile(r"(?<![\w$])\$\$?((?=\S)[^$\n]{1,200}(?<=\S))\$\$?(?![\w$])")
_PAGE_MARK = re.compile(r'<div class="page-mark">p\. (\d{1,6})</div>')
_PLACES = {"text": "summary", "body": "full text"}
THEMES = ("light", "dark")


def environment(**options: object) -> Environment:
    # Django renders the pages for errors 400 and 500 without a request: what is missing there is nothing, as is what
    # it would hold.
    env = Environment(**(options | {"undefined": ChainableUndefined, "lstrip_blocks": True}))  # type: ignore[arg-type]  # noqa: S701 (Django sets autoescape)
    env.globals |= {
        "htmx_script": htmx_script,
        "paper_url": paper_url,
        "static": static,
        "url": url,
        "value_url": value_url,
    }
    own = (
        cjk_language,
        grouped,
        in_list,
        json_safe,
        known,
        marked,
        marked_words,
        matched_in,
        one_line,
        pages_linked,
        people,
        year,
    )
    of_django = ("date", "filesizeformat", "floatformat", "pluralize", "striptags", "truncatechars", "urlencode")
    env.filters |= {function.__name__: function for function in own}
    env.filters |= {name: getattr(defaultfilters, name) for name in of_django}
    env.filters |= {"language": language_name, "date_text": date_text}
    return env


def url(route: str, *args: object, **kwargs: object) -> str:
    return reverse(route, args=args, kwargs=kwargs)


def grouped(number: int) -> str:
    """A count that may be large, as people read it."""
    return f"{number:,}"


def year(number: int | None) -> str:
    return "n.d." if number is None else str(number)


def known(value: str) -> str:
    """Nothing for the word that a snapshot has where a fact is missing."""
    return "" if value.lower() == UNKNOWN else value


def pages_linked(html: str, page_url: str, frame: str = "") -> str:
    """A rendered text whose marks of pages lead to an address and the page's number, in this frame if there is one."""
    address, target = conditional_escape(page_url), f' target="{conditional_escape(frame)}"' if frame else ""
    return _PAGE_MARK.sub(
        lambda mark: f'<div class="page-mark"><a href="{address}{mark[1]}"{target}>p. {mark[1]}</a></div>', html
    )


def people(names: Sequence[str], shown: int = 3) -> str:
    """The first names, and how many more there are."""
    if len(names) <= shown + 1:
        return ", ".join(names)
    return f"{', '.join(names[:shown])} and {len(names) - shown} others"


def matched_in(places: Sequence[str]) -> str:
    """What it introduces, where the words were found, and whether the meaning was."""
    parts = [place for place in places if " " in place]
    words = [_PLACES.get(place, place) for place in places if place != "meaning" and place not in parts]
    parts += [f"words in {', '.join(words)}"] if words else []
    return " · ".join([*parts, *(["meaning"] if "meaning" in places else [])])


def marked_words(title: str) -> SafeString:
    """A title in which [[[ and ]]] stand around what matched."""
    parts = MARKED.split(title)
    # What stood between the brackets is every other part.
    return _joined(format_html("<mark>{}</mark>", part) if odd % 2 else part for odd, part in enumerate(parts))


def marked(snippet: str) -> SafeString:
    """A snippet in which [[[ and ]]] stand around what matched, and which may hold formulas outside of that."""
    parts = MARKED.split(snippet)
    return _joined(
        format_html("<mark>{}</mark>", part) if odd % 2 else _with_formulas(part) for odd, part in enumerate(parts)
    )


def _with_formulas(text: str) -> SafeString:
    parts = _MATH.split(text)
    return _joined(
        SafeString(clean(mathml(part, display=False))) if odd % 2 else part for odd, part in enumerate(parts)
    )


def _joined(parts: Iterable[str]) -> SafeString:
    return SafeString("".join(map(conditional_escape, parts)))


def json_safe(text: str) -> SafeString:
    """JSON inside a script element: nothing in it can end the element."""
    return SafeString(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def site(request: HttpRequest) -> dict[str, object]:
    """What every page can use besides what its view gives it."""
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "auto",
        "library": SimpleLazyObject(_library),
        "has_account": SimpleLazyObject(lambda: _is_logged_in(request)),
        "logged_in": SimpleLazyObject(lambda: is_owner(request) or _is_logged_in(request)),
        "may_change_library": SimpleLazyObject(lambda: _may_change_library(request)),
        "may_edit_papers": SimpleLazyObject(lambda: _may_change_library(request) and is_kept()),
        "with_specs": bool(settings.SPECS),
        "answers": SimpleLazyObject(lambda: offer(request)),
        "with_searches": settings.SEARCHES,
        "pending_searches": SimpleLazyObject(lambda: pending_searches(request)),
    }


def page_surroundings(request: HttpRequest) -> str:
    """What the pages of the library show that is not of the library, as a text that changes with it."""
    # The page of a question is another one once a model is configured.
    answers = offer(request) if request.path_info == reverse("ask") else ""
    role = f"changes {is_kept()}" if _may_change_library(request) else ""
    return " ".join([answers, role, *(row.pk for row in pending_searches(request))])


def _is_logged_in(request: HttpRequest) -> bool:
    """Without the cookie of a session nobody is, and no database is asked: papers can be read without it."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return False
    try:
        return request.user.is_authenticated
    except DatabaseError:
        return False


def _may_change_library(request: HttpRequest) -> bool:
    try:
        return is_owner(request) or (_is_logged_in(request) and may_change_library(request))
    except DatabaseError:
        return False


def _library() -> dict[str, object]:
    """Facts for the footer; none when the library cannot be read."""
    try:
        with reading():
            stats = facets.stats()
    except ToolError:
        return {}
    return {
        "build_id": stats.build_id,
        "built_at": stats.built_at,
        "built_on": date_text(stats.built_at),
        "papers": stats.papers,
    }


def date_text(timestamp: str) -> str:
    """As in 2 January 2026; a timestamp that cannot be read is shown as it is."""
    try:
        date = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    return f"{date.day} {date:%B %Y}"

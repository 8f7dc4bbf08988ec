"""The addresses of papers and facet values, cheap enough for lists: a route is looked up once, not for every link."""

from functools import cache
from urllib.parse import quote, urlencode

from django.urls import reverse


def paper_url(paper_id: str, view: str = "paper", part: str = "") -> str:
    """The address of a paper, or of one of its views; `part` names the translation or summary."""
    return _paper_route(view, bool(part)).format(quote(paper_id, safe=":"), quote(part))


def listed_paper_url(paper_id: str, query_string: str, position: int | None) -> str:
    """A paper's address that leads on to its neighbours in a list, where it has a position in one."""
    if not position:
        return paper_url(paper_id)
    listed = {"list": query_string} if query_string else {}
    return f"{paper_url(paper_id)}?{urlencode({**listed, 'at': position})}"


def value_url(category: str, value: str) -> str:
    """A slash in the value is quoted, so that it stays one part of the address."""
    return f"{_values_route(category)}{quote(value, safe='')}/"


@cache
def _paper_route(view: str, has_part: bool) -> str:
    address = reverse(view, args=["PAPER-ID", "PART"] if has_part else ["PAPER-ID"])
    return address.replace("PAPER-ID", "{0}").replace("PART", "{1}")


@cache
def _values_route(category: str) -> str:
    return reverse("values", args=[category])

"""The addresses of papers and facet values, cheap enough for lists: a route is looked up once, not for every link."""

from functools import cache, lru_cache
from urllib.parse import quote, urlencode

from django.urls import reverse

# Quoting an id or a name takes ten times as long as looking it up, and a page of results has a hundred.
REMEMBERED = 4096


@lru_cache(maxsize=REMEMBERED)
def paper_url(paper_id: str, view: str = "paper", part: str = "") -> str:
    """The address of a paper, or of one of its views; `part` names the translation or summary."""
    return _paper_route(view, bool(part)).format(quote(paper_id, safe=":"), quote(part))


def listed_paper_url(paper_id: str, query_string: str, position: int | None) -> str:
    """A paper's address that leads on to its neighbours in a list, where it has a position in one."""
    if not position:
        return paper_url(paper_id)
    return f"{paper_url(paper_id)}?{_list_parameter(query_string)}at={position}"


def listed_link(link: str, query_string: str, position: int | None) -> str:
    """A link into a paper that leads on to its neighbours in a list, where it has a position in one."""
    if not position:
        return link
    address, _, anchor = link.partition("#")
    return f"{address}&{_list_parameter(query_string)}at={position}#{anchor}"


@lru_cache(maxsize=REMEMBERED)
def value_url(category: str, value: str) -> str:
    """A slash in the value is quoted, so that it stays one part of the address."""
    return f"{_values_route(category)}{quote(value, safe='')}/"


@lru_cache(maxsize=64)
def _list_parameter(query_string: str) -> str:
    return f"{urlencode({'list': query_string})}&" if query_string else ""


@cache
def _paper_route(view: str, has_part: bool) -> str:
    address = reverse(view, args=["PAPER-ID", "PART"] if has_part else ["PAPER-ID"])
    return address.replace("PAPER-ID", "{0}").replace("PART", "{1}")


@cache
def _values_route(category: str) -> str:
    return reverse("values", args=[category])
